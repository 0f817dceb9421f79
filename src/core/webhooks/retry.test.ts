import { describe, expect, test } from 'vitest'
import { decideNext } from './retry.ts'

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 10, 18)
const failed = { kind: 'unknown', reason: '500' } as const
const after = (failures: number, outcome: Parameters<typeof decideNext>[0] = failed, sinceMs = nowMs) =>
  decideNext(outcome, { failures, sinceMs }, nowMs, () => 0.5)

describe('an event that fails', () => {
  test('is tried ten times, over more than three days', () => {
    const pauses: number[] = []
    let atMs = nowMs
    for (let failures = 0; ; failures++) {
      const next = decideNext(failed, { failures, sinceMs: nowMs }, atMs, () => 0.5)
      expect(next.failures).toBe(failures + 1)
      if (next.nextAtMs === null) {
        expect(next.state).toBe('failed')
        break
      }
      pauses.push((next.nextAtMs - atMs) / 1_000)
      atMs = next.nextAtMs
    }
    expect(pauses).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
    expect(atMs - nowMs).toBeGreaterThan(72 * hourMs)
  })

  test('is not tried at the same moment as others that failed with it', () => {
    const at = (random: number) => decideNext(failed, { failures: 1, sinceMs: nowMs }, nowMs, () => random).nextAtMs
    expect([at(0), at(1)]).toEqual([nowMs + 270_000, nowMs + 330_000])
  })

  test('waits longer when it is asked to, an hour at most', () => {
    const asked = (afterMs: number) => after(0, { kind: 'retry', reason: '503', afterMs }).nextAtMs
    expect([asked(1), asked(60_000), asked(9 * hourMs)]).toEqual([nowMs + 5_000, nowMs + 60_000, nowMs + hourMs])
  })
})

test('a 429 is no failure, but not for ever', () => {
  const paced = { kind: 'retry', reason: '429', paces: true, afterMs: 60_000 } as const
  expect(after(3, paced)).toEqual({ state: 'open', nextAtMs: nowMs + 60_000, failures: 3 })
  expect(after(3, paced, nowMs - 5 * 24 * hourMs)).toEqual({ state: 'failed', nextAtMs: null, failures: 3 })
})

test('what arrived is settled', () => {
  expect(after(3, { kind: 'sent' })).toEqual({ state: 'delivered', nextAtMs: null, failures: 3 })
})
