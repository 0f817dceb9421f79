import { describe, expect, test } from 'vitest'
import type { Admission } from './integration-health.ts'
import { changesIntegration, pickIntegration, type Try } from './pick-integration.ts'

const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const failed = (integrationId: string): Try => ({ integrationId, failed: true, integrationRefused: false })
const refused = (integrationId: string): Try => ({ integrationId, failed: true, integrationRefused: true })
const healthy = (): Admission => ({ kind: 'ok' })
const pick = (tries: Try[], admit: (id: string) => Admission = healthy, of = [a, b, c]) => {
  const found = pickIntegration(of, tries, admit)
  return found.kind === 'use' ? found.candidate.id : found
}

describe('the next integration', () => {
  test('is the preferred one until it has failed three times', () => {
    expect(pick([])).toBe('a')
    expect(pick([failed('a'), failed('a')])).toBe('a')
    expect(pick([failed('a'), failed('a'), failed('a')])).toBe('b')
  })

  test('is never one that refused our key', () => {
    expect(pick([refused('a')])).toBe('b')
    expect(pick([refused('a'), refused('b'), refused('c')])).toEqual({ kind: 'none', refused: true })
    expect(pick([], healthy, [])).toEqual({ kind: 'none', refused: false })
  })

  test('changes in turn once all have failed three times', () => {
    const three = (id: string) => [failed(id), failed(id), failed(id)]
    const tries = [...three('a'), ...three('b'), ...three('c')]
    const order = []
    for (let n = 0; n < 6; n++) {
      const next = String(pick(tries))
      order.push(next)
      tries.push(failed(next))
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  })

  test('steps over an open breaker at once, and waits for a pause that was asked for', () => {
    const broken = (id: string): Admission => (id === 'a' ? { kind: 'broken', untilMs: 50 } : { kind: 'ok' })
    expect(pick([], broken)).toBe('b')
    const paused = (id: string): Admission => (id === 'a' ? { kind: 'paused', untilMs: 70 } : { kind: 'ok' })
    expect(pick([], paused)).toEqual({ kind: 'wait', untilMs: 70 })
    expect(pick([], (id) => ({ kind: 'broken', untilMs: id === 'b' ? 20 : 90 }))).toEqual({ kind: 'wait', untilMs: 20 })
  })

  test('need not wait for the schedule when it is a fresh one', () => {
    const thrice = [failed('a'), failed('a'), failed('a')]
    expect(changesIntegration([a, b], thrice)).toBe(true)
    expect(changesIntegration([a, b], thrice.slice(1))).toBe(false)
    expect(changesIntegration([a], thrice)).toBe(false)
    expect(changesIntegration([a, b], [...thrice, failed('b'), failed('b'), failed('b')])).toBe(false)
  })
})
