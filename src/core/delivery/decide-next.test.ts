import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../providers/outcome.ts'
import { type AfterTry, decideNext } from './decide-next.ts'
import { pauseMs, retryDelayMs } from './retry-schedule.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const after: AfterTry = {
  failures: 1,
  mayHaveBeenSent: false,
  partlySent: false,
  repeatableUntilMs: Number.POSITIVE_INFINITY,
  othersLeft: false,
  changesIntegration: false,
  expiresAtMs: now + 24 * 3_600_000,
}
const decide = (outcome: Outcome, more: Partial<AfterTry> = {}, random = () => 1) =>
  decideNext(outcome, { ...after, ...more }, now, random)
const retry: Outcome = { kind: 'retry', reason: 'busy' }
const unknown: Outcome = { kind: 'unknown', reason: 'reset' }
const rejected: Outcome = { kind: 'rejected', reason: 'no' }
const revoked: Outcome = { kind: 'rejected', reason: '401', because: 'integration' }

describe('what becomes of a message', () => {
  test('accepted is sent, unless an earlier try may have been too', () => {
    expect(decide({ kind: 'sent' })).toMatchObject({ delivery: 'sent', status: 'sent', errorId: null })
    expect(decide({ kind: 'sent' }, { mayHaveBeenSent: true })).toMatchObject({
      delivery: 'sent',
      status: 'warning',
      errorId: 'delivery_unknown',
    })
  })

  test('refused for good is an error; after a try in doubt it is in doubt', () => {
    expect(decide(rejected)).toMatchObject({ delivery: 'rejected', status: 'error', retryAtMs: null })
    expect(decide(rejected, { mayHaveBeenSent: true })).toMatchObject({ delivery: 'unknown', status: 'warning' })
  })

  test('a refused key goes to the next integration at once, and without one to the dead letters', () => {
    expect(decide(revoked, { othersLeft: true })).toMatchObject({ delivery: 'open', retryAtMs: now })
    expect(decide(revoked)).toMatchObject({ delivery: 'dead', status: 'error', errorId: 'integration_refused' })
  })

  test('no clear answer is tried again only where that is harmless or chosen', () => {
    const doubt = { mayHaveBeenSent: true }
    expect(decide(unknown, doubt)).toMatchObject({ delivery: 'open', status: 'warning', errorId: 'delivery_unknown' })
    for (const outcome of [unknown, retry, { ...retry, paces: true as const }, { ...revoked }]) {
      const once = { ...doubt, othersLeft: true, repeatableUntilMs: now }
      expect(decide(outcome, once)).toMatchObject({ delivery: 'unknown', status: 'warning', retryAtMs: null })
    }
    expect(decide(unknown, { ...doubt, repeatableUntilMs: now + 60_000 })).toMatchObject({ delivery: 'open' })
  })

  test('past its time it is a dead letter', () => {
    expect(decide(retry, { expiresAtMs: now + 500 })).toMatchObject({ delivery: 'dead', errorId: 'delivery_expired' })
    const inDoubt = { expiresAtMs: now + 500, mayHaveBeenSent: true }
    expect(decide(unknown, inDoubt)).toMatchObject({ delivery: 'dead', status: 'warning', errorId: 'delivery_unknown' })
    // At most once: no dead letter, which a redrive would send again.
    expect(decide(retry, { ...inDoubt, repeatableUntilMs: now + 60_000 })).toMatchObject({ delivery: 'unknown' })
  })

  test('of several devices one that was reached is enough', () => {
    expect(decide(rejected, { partlySent: true })).toMatchObject({ delivery: 'sent', status: 'sent' })
    expect(decide(retry, { partlySent: true, expiresAtMs: now })).toMatchObject({ delivery: 'sent' })
    const doubt = { partlySent: true, mayHaveBeenSent: true }
    expect(decide(rejected, doubt)).toMatchObject({ delivery: 'sent', status: 'warning', errorId: 'delivery_unknown' })
  })

  test('a 429 waits as long as it asks for, and neither counts nor changes the integration', () => {
    const paced: Outcome = { kind: 'retry', reason: '429', afterMs: 7_000, paces: true }
    expect(decide(paced, { failures: 9, changesIntegration: true })).toMatchObject({ retryAtMs: now + 7_000 })
  })

  test('always ends, or says when it goes on, and never says sent of what was not accepted', () => {
    const outcomes = fc.constantFrom(retry, unknown, rejected, revoked, { ...retry, afterMs: 10 ** 12 })
    const afters = fc.record({
      failures: fc.integer({ min: 1, max: 40 }),
      mayHaveBeenSent: fc.boolean(),
      repeatableUntilMs: fc.constantFrom(0, now + 60_000, Number.POSITIVE_INFINITY),
      othersLeft: fc.boolean(),
      changesIntegration: fc.boolean(),
      expiresAtMs: fc.integer({ min: now - 1000, max: now + 86_400_000 }),
    })
    fc.assert(
      fc.property(outcomes, afters, fc.double({ min: 0, max: 1, noNaN: true }), (outcome, more, random) => {
        const next = decide(outcome, more, () => random)
        expect(next.delivery).not.toBe('sent')
        expect(next.delivery === 'open').toBe(next.retryAtMs !== null)
        if (next.retryAtMs !== null) expect(next.retryAtMs).toBeLessThan(more.expiresAtMs)
        if (more.mayHaveBeenSent) expect(next.status).toBe('warning')
      }),
    )
  })
})

describe('the schedule', () => {
  test('is 1 s, 5 s, 30 s, 2 m, 10 m, 30 m, 2 h, 5 h and then every 5 h, with full jitter', () => {
    const at = (n: number, random = 1) => retryDelayMs(n, undefined, () => random) / 1000
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 30].map((n) => at(n))).toEqual([
      1, 5, 30, 120, 600, 1800, 7200, 18_000, 18_000, 18_000,
    ])
    expect(at(4, 0.25)).toBe(30)
  })

  test('listens to Retry-After, but not to an absurd one', () => {
    expect(retryDelayMs(1, 20_000, () => 1)).toBe(20_000)
    expect(retryDelayMs(1, 10 ** 12, () => 1)).toBe(3_600_000)
    expect([0, -5, Number.NaN, undefined, 1e15].map(pauseMs)).toEqual([1_000, 1_000, 5_000, 5_000, 3_600_000])
  })
})
