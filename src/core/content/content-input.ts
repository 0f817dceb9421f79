import { type Static, Type } from 'typebox'
import type { FieldErrors } from '../../errors.ts'
import { isLargerThan, isPlainObject } from '../../lib/canonical-json.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import { fields, freeObject, oneOf } from '../../lib/schemas.ts'
import { fieldFaultFinder } from '../../lib/validate.ts'
import { layoutId, layoutInput } from '../layouts/save-layout.ts'
import { knownLocale } from '../translations/locales.ts'
import { resourceTypes } from '../translations/save-translations.ts'
import { workflowId, workflowInput } from '../workflows/workflow.ts'

const workflowEntry = fields({ workflowId, ...workflowInput })
const layoutEntry = fields({ layoutId, ...layoutInput })
const wordsEntry = fields({
  resourceType: oneOf(resourceTypes),
  resourceId: Type.String({ minLength: 1, maxLength: 255 }),
  locale: Type.String({ maxLength: 35 }),
  content: freeObject,
})

export type WorkflowEntry = Static<typeof workflowEntry>
export type LayoutEntry = Static<typeof layoutEntry>
export type WordsEntry = Static<typeof wordsEntry>

/** What a file says; `place`: in the list that was given. */
export type Entry = { place: number } & (
  | { kind: 'workflow'; key: string; input: WorkflowEntry }
  | { kind: 'layout'; key: string; input: LayoutEntry }
  | { kind: 'translation'; key: string; input: WordsEntry }
)

const findFaults = {
  workflow: fieldFaultFinder(workflowEntry),
  layout: fieldFaultFinder(layoutEntry),
  translation: fieldFaultFinder(wordsEntry),
}

// As for a body of the API.
const maxBytes = 1024 * 1024

/** Like a body of POST /v2/layouts, /v2/translations or /v2/workflows: what has a layoutId, a locale, or neither. */
export function readEntry(value: unknown, place: number): Entry | { faults: FieldErrors } {
  const fault = (path: string, message: string) => ({ faults: { [path]: { messages: [message] } } })
  if (!isPlainObject(value)) return fault('', 'must be an object')
  const refused = findRefusedContent(value)
  if (refused) return fault(refused.path, refused.reason)
  if (isLargerThan(value, maxBytes)) return fault('', 'is larger than 1 MB')
  const kind = 'layoutId' in value ? 'layout' : 'locale' in value ? 'translation' : 'workflow'
  const faults = findFaults[kind](value)
  if (faults) return { faults }
  // Validated.
  if (kind === 'workflow') {
    const input = value as WorkflowEntry
    const key = input.workflowId.trim()
    return { place, kind, key, input: { ...input, workflowId: key } }
  }
  if (kind === 'layout') {
    const input = value as LayoutEntry
    const key = input.layoutId.trim()
    return { place, kind, key, input: { ...input, layoutId: key } }
  }
  const input = value as WordsEntry
  const locale = knownLocale(input.locale)
  if (locale === null) return fault('locale', 'must be a language such as de or de_AT')
  return { place, kind, key: `${input.resourceType}s/${input.resourceId}/${locale}`, input: { ...input, locale } }
}
