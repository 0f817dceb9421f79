import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Outcome } from '../../providers/outcome.ts'
import { changesIntegration, pickIntegration } from '../integrations/pick-integration.ts'
import { decideNext, type Next } from './decide-next.ts'
import { allowedNext, mayBeOut, type PastTry, repeatableUntilMs } from './doubt.ts'

const minute = 60_000
type Integration = { id: string; windowMs: number; whenUnknown: 'atLeastOnce' | 'atMostOnce' }
/** What the next call meets, how long until the one after it, and what is done to the integrations meanwhile. */
type Turn = { outcome: Outcome; laterMs: number; gone: number | null; variant: string | null }

const integrations = fc.array(
  fc.record({
    windowMs: fc.constantFrom(0, 0, 5 * minute, 24 * 60 * minute),
    whenUnknown: fc.constantFrom('atLeastOnce' as const, 'atMostOnce' as const),
  }),
  { minLength: 1, maxLength: 3 },
)
const turns = fc.array(
  fc.record({
    outcome: fc.constantFrom<Outcome>(
      { kind: 'sent' },
      { kind: 'unknown', reason: 'reset' },
      { kind: 'unknown', reason: 'reset' },
      { kind: 'retry', reason: '503' },
      { kind: 'retry', reason: '429', paces: true },
      { kind: 'rejected', reason: '400' },
      { kind: 'rejected', reason: '401', because: 'integration' },
    ),
    laterMs: fc.constantFrom(0, 1_000, 2 * minute, 6 * minute, 25 * 60 * minute),
    gone: fc.option(fc.nat(2), { freq: 8 }),
    variant: fc.constantFrom(null, null, null, 'without the boss'),
  }),
  { minLength: 1, maxLength: 12 },
)

test('whatever the answers, a copy too many is marked, and at most once there is never one', () => {
  const seen = { sent: 0, marked: 0, doubled: 0, inDoubt: 0, covered: 0 }
  fc.assert(
    fc.property(integrations, turns, (given, script) => {
      const { tries, next } = play(
        given.map((it, n) => ({ ...it, id: String(n) })),
        script,
      )
      const copies = possibleCopies(tries)
      const accepted = tries.filter((it) => it.outcome === 'sent').length
      const isMarked = next.status === 'warning' && next.errorId === 'delivery_unknown'
      // A copy may exist beside the one that was accepted, or although none was: the message says so, and only then.
      expect(isMarked, JSON.stringify({ tries, next })).toBe(copies > accepted)
      for (const [n, it] of tries.entries()) {
        if (it.outcome !== 'unknown' || it.whenUnknown !== 'atMostOnce') continue
        // Whatever came after it was the same copy.
        expect(possibleCopies(tries.slice(n)), JSON.stringify(tries)).toBe(1)
      }
      if (tries.every((it) => it.whenUnknown === 'atMostOnce')) expect(copies).toBeLessThanOrEqual(1)
      seen.sent += Number(next.delivery === 'sent')
      seen.marked += Number(isMarked)
      seen.doubled += Number(copies > 1)
      seen.inDoubt += Number(next.delivery === 'unknown')
      seen.covered += Number(next.status === 'sent' && tries.some((it) => it.outcome === 'unknown'))
    }),
    { numRuns: 5_000 },
  )
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(10)
})

/** The delivery of one message as deliver.ts and record-endings.ts do it, with this clock and these answers. */
function play(given: Integration[], script: Turn[]): { tries: PastTry[]; next: Next } {
  let nowMs = 1_000_000_000
  let candidates = given
  const tries: PastTry[] = []
  const decide = (outcome: Outcome, variant: string | null) => {
    const allowed = allowedNext(candidates, tries, () => variant, nowMs)
    const isRefused = (id: string) => tries.some((it) => it.integrationId === id && it.integrationRefused)
    const after = {
      failures: tries.filter((it) => it.failed).length,
      mayHaveBeenSent: mayBeOut(tries),
      partlySent: false,
      repeatableUntilMs: repeatableUntilMs(allowed, tries, () => variant),
      othersLeft: allowed.some(({ id }) => !isRefused(id)),
      changesIntegration: changesIntegration(allowed, tries),
      expiresAtMs: 1_000_000_000 + 48 * 60 * minute,
    }
    return decideNext(outcome, after, nowMs, () => 0.5)
  }
  let next: Next = { delivery: 'open', status: 'warning', errorId: 'delivery_pending', retryAtMs: nowMs }
  for (const { outcome, laterMs, gone, variant } of script) {
    const allowed = allowedNext(candidates, tries, () => variant, nowMs)
    if (allowed.length === 0 && tries.some((it) => it.outcome === 'unknown')) {
      return { tries, next: decide({ kind: 'unknown', reason: 'in doubt' }, variant) }
    }
    const choice = pickIntegration(allowed, tries, () => ({ kind: 'ok' }))
    if (choice.kind !== 'use') {
      const outcome: Outcome = { kind: 'rejected', reason: 'none is left', because: 'integration' }
      return { tries, next: decide(outcome, variant) }
    }
    const { id, windowMs, whenUnknown } = choice.candidate
    const { kind } = outcome
    const paced = kind === 'retry' && outcome.paces === true
    const integrationRefused = kind === 'rejected' && outcome.because === 'integration'
    const failed = kind !== 'sent' && !paced
    const began = { number: tries.length + 1, integrationId: id, variant, windowMs, whenUnknown, startedMs: nowMs }
    tries.push({ ...began, outcome: kind, paced, failed, integrationRefused })
    nowMs += 500
    next = decide(outcome, variant)
    if (next.retryAtMs === null) return { tries, next }
    nowMs = Math.max(nowMs, next.retryAtMs) + laterMs
    if (gone !== null) candidates = candidates.filter((it) => it.id !== String(gone))
  }
  return { tries, next }
}

/**
 * The oracle, from the providers' side: each request that may have been acted on is a copy, unless one under the same
 * key may have been before, and the provider still knew it: it counts from the first request with that key.
 */
function possibleCopies(tries: readonly PastTry[]): number {
  const firstSeen = new Map<string, number>()
  const actedOn = new Set<string>()
  let copies = 0
  for (const { outcome, integrationId, variant, windowMs, startedMs } of tries) {
    const key = `${integrationId} ${variant}`
    if (!firstSeen.has(key)) firstSeen.set(key, startedMs)
    if (outcome !== 'sent' && outcome !== 'unknown') continue
    const isKnown = actedOn.has(key) && startedMs - (firstSeen.get(key) ?? 0) < windowMs - 10_000
    if (!isKnown) copies++
    actedOn.add(key)
  }
  return copies
}
