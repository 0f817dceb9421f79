import { LRUCache } from 'lru-cache'
import type { Format } from '../../render/liquid.ts'
import { isWholePage } from '../layouts/whole-page.ts'
import { bodyPart, wrapBody } from '../layouts/wrap-body.ts'
import { missingKeys, translate, usesWords } from '../translations/translate.ts'
import type { Step } from '../workflows/workflow.ts'
import type { Wording } from './wording.ts'

type Fields = Record<string, string>

// In characters, of all steps together: a mail in a layout has some 20 KB, in each language.
const composed = new LRUCache<string, Fields>({ max: 10_000, maxSize: 48 * 1024 * 1024 })
// The templates of a step are the same object as long as its version is remembered.
const known = new WeakMap<Fields, { number: number; isPage?: boolean }>()
let count = 0

const asks = new WeakMap<Fields, boolean>()

function asksOf(fields: Fields): boolean {
  const known = asks.get(fields) ?? usesWords(Object.values(fields))
  asks.set(fields, known)
  return known
}

/**
 * The templates of a step in one reader's language and inside the step's layout; the same object for the same words, so
 * that a page of readers is rendered by few templates. `html`: the fields that are HTML.
 */
export function composeFields(
  wording: Wording | null,
  step: Step,
  fields: Fields,
  html: readonly string[] = [],
  takesLayout = false,
): Fields {
  const inside = wording && takesLayout ? layoutOf(wording, step, fields) : null
  const asksForWords = asksOf(fields)
  if (!inside && !asksForWords) return fields
  // A step without words is the same in every language.
  const words = asksForWords ? (wording?.key ?? '') : ''
  const key = `${knownOf(fields).number} ${words} ${inside?.key ?? ''} ${html.join()}`
  const before = composed.get(key)
  if (before) return before
  const made: Fields = {}
  for (const [name, template] of Object.entries(fields)) {
    const format: Format = html.includes(name) ? 'html' : 'text'
    made[name] = translate(template, wording?.words ?? [], format)
  }
  if (inside) {
    const format: Format = html.includes('body') ? 'html' : 'text'
    const part = bodyPart(step, fields.body ?? '')
    const body = { ...part, content: translate(part.content, wording?.words ?? [], format) }
    made.body = wrapBody(inside.layout, body, (template) => translate(template, inside.words, format))
  }
  const size = Object.values(made).reduce((sum, text) => sum + text.length, 1)
  composed.set(key, made, { size })
  return made
}

function knownOf(fields: Fields) {
  const found = known.get(fields) ?? { number: ++count }
  known.set(fields, found)
  return found
}

/** A whole page brings a frame of its own: it stands in a layout only if it names one. */
function layoutOf(wording: Wording, step: Step, fields: Fields): ReturnType<Wording['layoutOf']> {
  const found = wording.layoutOf(step)
  if (!found || step.compiled || step.controlValues.layoutId !== undefined) return found
  const about = knownOf(fields)
  about.isPage ??= isWholePage(fields.body ?? '')
  return about.isPage ? null : found
}

/** The keys that the same templates and layout ask for and that none of the reader's languages has. */
export function missingWords(wording: Wording | null, step: Step, fields: Fields, takesLayout = false): string[] {
  const own = missingKeys(Object.values(fields), wording?.words ?? [])
  const inside = wording && takesLayout && 'body' in fields ? layoutOf(wording, step, fields) : null
  if (!inside) return own
  const { compiled } = inside.layout
  const template = 'html' in compiled ? compiled.html : compiled.content
  return [...new Set([...own, ...missingKeys([template], inside.words)])]
}
