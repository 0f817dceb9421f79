import type { Admission } from './integration-health.ts'

/** What the choice of the next integration needs to know about a finished try. A 429 is not a failed one. */
export type Try = { integrationId: string; failed: boolean; integrationRefused: boolean }

export type Choice<C> =
  | { kind: 'use'; candidate: C }
  | { kind: 'wait'; untilMs: number }
  /** It asked us to slow down: its messages wait in line. */
  | { kind: 'line'; candidate: C }
  /** No candidate is left: there was none, or all refused our credentials. */
  | { kind: 'none'; refused: boolean }

// Tries of a message at one integration before the next one is used.
const triesEach = 3

/**
 * Candidates are in order of preference. One that refused our key is out for this message. One that failed three times
 * comes after those that did not; if all did, they alternate. A broken one is skipped; one that asked for a pause is
 * waited for.
 */
export function pickIntegration<C extends { id: string }>(
  candidates: readonly C[],
  tries: readonly Try[],
  admit: (id: string) => Admission,
): Choice<C> {
  const of = (id: string) => tries.filter((it) => it.integrationId === id)
  const usable = candidates.filter(({ id }) => !of(id).some((it) => it.integrationRefused))
  if (usable.length === 0) return { kind: 'none', refused: candidates.length > 0 }
  const failures = new Map(usable.map(({ id }) => [id, of(id).filter((it) => it.failed).length]))
  const rank = ({ id }: C) => Math.max(0, (failures.get(id) ?? 0) - triesEach + 1)
  let untilMs = Number.POSITIVE_INFINITY
  for (const candidate of usable.toSorted((a, b) => rank(a) - rank(b))) {
    const admission = admit(candidate.id)
    if (admission.kind === 'ok') return { kind: 'use', candidate }
    if (admission.kind === 'paced') return { kind: 'line', candidate }
    untilMs = Math.min(untilMs, admission.untilMs)
    if (admission.kind === 'paused') break
  }
  return { kind: 'wait', untilMs }
}

/** Whether the next try goes to another integration than the last one. Then it need not wait for the retry schedule. */
export function changesIntegration(candidates: readonly { id: string }[], tries: readonly Try[]): boolean {
  const last = tries.at(-1)?.integrationId
  const choice = pickIntegration(candidates, tries, () => ({ kind: 'ok' }))
  if (choice.kind !== 'use' || choice.candidate.id === last) return false
  // An integration that was tried before follows the schedule.
  return tries.filter((it) => it.integrationId === choice.candidate.id).length === 0
}
