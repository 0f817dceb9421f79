import { LRUCache } from 'lru-cache'
import type { Format } from '../../render/liquid.ts'
import { wrapBody } from '../layouts/wrap-body.ts'
import { translate } from '../translations/translate.ts'
import type { Step } from '../workflows/workflow.ts'
import type { Wording } from './wording.ts'

type Fields = Record<string, string>

// By the templates of a step, which are the same object as long as its version is remembered.
const composed = new WeakMap<Fields, LRUCache<string, Fields>>()

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
  if (!wording) return fields
  const inside = 'body' in fields && html.includes('body') ? wording.layoutOf(step) : null
  if (!inside && wording.words.length === 0) return fields
  const known = composed.get(fields) ?? new LRUCache<string, Fields>({ max: 200, maxSize: 8 * 1024 * 1024 })
  composed.set(fields, known)
  const key = `${wording.key} ${inside?.key ?? ''}`
  const before = known.get(key)
  if (before) return before
  const made: Fields = {}
  for (const [name, template] of Object.entries(fields)) {
    const format: Format = html.includes(name) ? 'html' : 'text'
    made[name] = translate(template, wording.words, format)
  }
  if (inside) {
    const translated = (template: string) => translate(template, inside.words, 'html')
    made.body = wrapBody(inside.layout, made.body ?? '', translated)
  }
  const size = Object.values(made).reduce((sum, text) => sum + text.length, 1)
  known.set(key, made, { size })
  return made
}
