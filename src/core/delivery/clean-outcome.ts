import type { Outcome } from '../../providers/outcome.ts'
import { redact } from './redact.ts'

// The longest that is stored. Real ids are shorter.
const mostIdChars = 255

/** What came of a call, fit to be stored whatever the vendor answered: one that is not would take others along. */
export function cleanOutcome(outcome: Outcome, secrets: readonly string[]): Outcome {
  if (outcome.kind !== 'sent') return { ...outcome, reason: redact(outcome.reason, secrets) }
  const id = cleanId(outcome.id ?? '')
  const note = redact(outcome.note ?? '', secrets)
  const receipt = cleanId(outcome.receipt ?? '')
  return { kind: 'sent', ...(id && { id }), ...(note && { note }), ...(receipt && { receipt }) }
}

/** A vendor's id as it is stored and looked up: without what PostgreSQL cannot hold, and not without end. */
export function cleanId(id: string): string {
  return id
    .slice(0, 2 * mostIdChars)
    .replace(/\p{Cc}+/gu, '')
    .slice(0, mostIdChars)
    .toWellFormed()
}
