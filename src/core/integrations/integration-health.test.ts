import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../providers/outcome.ts'
import { createHealth } from './integration-health.ts'

const busy: Outcome = { kind: 'retry', reason: '503' }
const sent: Outcome = { kind: 'sent' }

function afterCalls(outcomes: Outcome[], everyMs = 100) {
  const health = createHealth()
  outcomes.forEach((outcome, n) => {
    health.learn('a', outcome, n * everyMs)
  })
  return health
}
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('the breaker', () => {
  test('opens at half failures of twenty calls, and not before', () => {
    expect(afterCalls(times(19, busy)).admit('a', 2_000)).toEqual({ kind: 'ok' })
    expect(afterCalls([...times(11, sent), ...times(9, busy)]).admit('a', 2_000)).toEqual({ kind: 'ok' })
    expect(afterCalls([...times(10, sent), ...times(10, busy)]).admit('a', 2_000)).toMatchObject({ kind: 'broken' })
  })

  test('forgets calls older than thirty seconds', () => {
    expect(afterCalls(times(30, busy), 2_000).admit('a', 60_000)).toEqual({ kind: 'ok' })
  })

  test('lets one through every ten seconds, and closes when that one is taken', () => {
    const health = afterCalls(times(20, busy))
    expect(health.admit('a', 5_000)).toEqual({ kind: 'broken', untilMs: 11_900 })
    expect(health.admit('a', 12_000)).toEqual({ kind: 'ok' })
    expect(health.admit('a', 12_001)).toEqual({ kind: 'broken', untilMs: 22_000 })
    health.learn('a', busy, 12_500)
    expect(health.admit('a', 12_600)).toMatchObject({ kind: 'broken' })
    expect(health.admit('a', 22_000)).toEqual({ kind: 'ok' })
    health.learn('a', sent, 22_100)
    expect(health.admit('a', 22_200)).toEqual({ kind: 'ok' })
  })

  test('does not count a message that is refused for itself', () => {
    expect(afterCalls(times(40, { kind: 'rejected', reason: 'bad address' })).admit('a', 4_000)).toEqual({ kind: 'ok' })
  })
})

describe('a pause', () => {
  test('that the vendor asks for holds back the whole integration, within reason, and no other', () => {
    const health = createHealth()
    health.learn('a', { kind: 'retry', reason: '429', afterMs: 30_000, paces: true }, 0)
    expect(health.admit('a', 29_999)).toEqual({ kind: 'paused', untilMs: 30_000 })
    expect(health.admit('a', 30_000)).toEqual({ kind: 'ok' })
    expect(health.admit('b', 1)).toEqual({ kind: 'ok' })
    health.learn('a', { kind: 'retry', reason: '429', afterMs: 10 ** 12, paces: true }, 30_000)
    expect(health.admit('a', 30_001)).toEqual({ kind: 'paused', untilMs: 30_000 + 3_600_000 })
  })

  test('is no failure: a vendor that asks a hundred times to wait is not broken', () => {
    const health = afterCalls(times(100, { kind: 'retry', reason: '429', paces: true }), 10)
    expect(health.admit('a', 60_000)).toEqual({ kind: 'ok' })
  })
})

test('a new integration gets ten calls at a time, one more for each that it takes, and ten again after a 429', () => {
  const health = createHealth()
  expect([health.freePlaces('a', 0), health.freePlaces('b', 0)]).toEqual([10, 10])
  health.take('a', 0, 10)
  expect([health.freePlaces('a', 0), health.freePlaces('b', 0)]).toEqual([0, 10])
  health.give('a', 0, 10)
  for (let n = 0; n < 20; n++) health.learn('a', sent, n)
  expect(health.acceptedPerSecond('a', 20)).toBe(20)
  health.take('a', 1, 20)
  expect(health.freePlaces('a', 1)).toBe(10)
  health.give('a', 1, 15)
  expect(health.freePlaces('a', 1)).toBe(25)
  health.give('a', 1, 5)
  health.learn('a', { kind: 'retry', reason: '429', paces: true }, 50)
  // While it is paced, what it takes proves nothing.
  for (let n = 0; n < 20; n++) health.learn('a', sent, 60 + n)
  expect(health.freePlaces('a', 100)).toBe(10)
})

test('a place that becomes free is told, and never more are given than one integration may have', async () => {
  const health = createHealth()
  for (let n = 0; n < 1_000; n++) health.learn('a', sent, n)
  health.take('a', 1_000, health.freePlaces('a', 1_000))
  expect(health.freePlaces('a', 1_000)).toBe(0)
  const told = health.whenFree('a')
  health.give('a', 1_000, 1)
  await told
  expect(health.freePlaces('a', 1_000)).toBe(1)
  // One call that is slow, and it has fewer.
  expect(health.freePlaces('a', 3_001)).toBe(0)
})

test('an integration has eight workers, four when a call is slow: who came last is to go', () => {
  const health = createHealth()
  const visits = Array.from({ length: 9 }, () => health.enter('a', 'bulk', 0, 1))
  expect(visits.map((visit) => visit !== null)).toEqual([...times(8, true), false])
  expect(health.enter('b', 'bulk', 0, 10)).not.toBeNull()
  health.take('a', 0, 1)
  const stay = (nowMs: number) => visits.flatMap((visit) => (visit ? health.mayStay(visit, nowMs) : []))
  expect(stay(2_000)).toEqual(times(8, true))
  expect(stay(2_001)).toEqual([...times(4, true), ...times(4, false)])
  if (visits[0]) health.leave(visits[0])
  expect(health.enter('a', 'bulk', 2_001, 1)).toBeNull()
  health.give('a', 0, 1)
  expect(health.enter('a', 'bulk', 2_001, 1)).not.toBeNull()
})

test('where a thousand messages of a lane wait already, or two workers with enough for all free places, no other is let in', () => {
  const health = createHealth()
  const first = health.enter('a', 'bulk', 0, 1_500)
  expect(health.enter('a', 'bulk', 0, 1)).toBeNull()
  expect(health.enter('a', 'critical', 0, 1)).not.toBeNull()
  if (first) first.waiting = 900
  expect(health.isFull('a', 'bulk', 0)).toBe(false)
  // Beside one that has ten calls and more to make, a second may wait and a third not.
  expect(health.enter('a', 'bulk', 0, 50)).not.toBeNull()
  expect([health.isFull('a', 'bulk', 0), health.isFull('a', 'critical', 0)]).toEqual([true, false])
})

test('how integrations stand is told by provider, not by integration', () => {
  const health = createHealth()
  for (let n = 0; n < 20; n++) health.learn('a', busy, n * 100, 'sendgrid')
  health.learn('b', sent, 0, 'sendgrid')
  health.learn('c', { kind: 'retry', reason: '429', afterMs: 30_000, paces: true }, 0, 'twilio')
  expect(health.countStates(5_000)).toEqual([
    { providerId: 'sendgrid', state: 'ok', count: 1 },
    { providerId: 'sendgrid', state: 'paced', count: 0 },
    { providerId: 'sendgrid', state: 'open', count: 1 },
    { providerId: 'twilio', state: 'ok', count: 0 },
    { providerId: 'twilio', state: 'paced', count: 1 },
    { providerId: 'twilio', state: 'open', count: 0 },
  ])
  expect(health.countStates(31_000)).toContainEqual({ providerId: 'twilio', state: 'ok', count: 1 })
})
