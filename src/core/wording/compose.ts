import { LRUCache } from 'lru-cache'
import type { Format } from '../../render/liquid.ts'
import { wrapBody } from '../layouts/wrap-body.ts'
import { missingKeys, translate, usesWords } from '../translations/translate.ts'
import type { Step } from '../workflows/workflow.ts'
import type { Wording } from './wording.ts'

type Fields = Record<string, string>

// By the templates of a step, which are the same object as long as its version is remembered.
const composed = new WeakMap<Fields, LRUCache<string, Fields>>()

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
): Fields {
  const inside = 'body' in fields && html.includes('body') ? (wording?.layoutOf(step) ?? null) : null
  const asksForWords = asksOf(fields)
  if (!inside && !asksForWords) return fields
  const known = composed.get(fields) ?? new LRUCache<string, Fields>({ max: 200, maxSize: 8 * 1024 * 1024 })
  composed.set(fields, known)
  // A step without words is the same in every language.
  const key = `${asksForWords ? (wording?.key ?? '') : ''} ${inside?.key ?? ''} ${html.join()}`
  const before = known.get(key)
  if (before) return before
  const made: Fields = {}
  for (const [name, template] of Object.entries(fields)) {
    const format: Format = html.includes(name) ? 'html' : 'text'
    made[name] = translate(template, wording?.words ?? [], format)
  }
  if (inside) {
    const translated = (template: string) => translate(template, inside.words, 'html')
    made.body = wrapBody(inside.layout, made.body ?? '', translated)
  }
  const size = Object.values(made).reduce((sum, text) => sum + text.length, 1)
  known.set(key, made, { size })
  return made
}

/** The keys that the same templates and layout ask for and that none of the reader's languages has. */
export function missingWords(
  wording: Wording | null,
  step: Step,
  fields: Fields,
  html: readonly string[] = [],
): string[] {
  const own = missingKeys(Object.values(fields), wording?.words ?? [])
  const inside = 'body' in fields && html.includes('body') ? wording?.layoutOf(step) : null
  if (!inside) return own
  const { compiled, controlValues } = inside.layout
  return [...new Set([...own, ...missingKeys([compiled?.html ?? controlValues.body], inside.words)])]
}
