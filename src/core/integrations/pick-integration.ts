import type { Admission } from './integration-health.ts'

/** One finished try, as far as choosing the next integration depends on it. */
export type Try = { integrationId: string; failed: boolean; integrationRefused: boolean }

export type Choice<C> =
  | { kind: 'use'; candidate: C }
  | { kind: 'wait'; untilMs: number }
  /** No candidate is left: there was none, or all refused us. */
  | { kind: 'none'; refused: boolean }

// An integration gets this many tries of a message before the next one gets its chance.
const triesEach = 3

/**
 * The candidates come in order of preference. One that refused our key is out for this message. One that failed three
 * times stands behind those that did not; when all have, they take turns. An open breaker is stepped over at once; an
 * integration that asked for a pause is waited for.
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
    untilMs = Math.min(untilMs, admission.untilMs)
    if (admission.kind === 'paused') break
  }
  return { kind: 'wait', untilMs }
}

/** Whether the next try goes to another integration than the last, which then need not wait for the schedule. */
export function movesOn(candidates: readonly { id: string }[], tries: readonly Try[]): boolean {
  const last = tries.at(-1)?.integrationId
  const choice = pickIntegration(candidates, tries, () => ({ kind: 'ok' }))
  if (choice.kind !== 'use' || choice.candidate.id === last) return false
  // Once all have had their three tries they take turns by the schedule.
  return tries.filter((it) => it.integrationId === choice.candidate.id).length === 0
}
