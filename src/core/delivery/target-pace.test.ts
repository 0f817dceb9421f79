import { expect, test } from 'vitest'
import { createTargetPaces } from './target-pace.ts'

test('an address that said nothing takes everything at once', () => {
  const paces = createTargetPaces()
  expect([1, 2, 3].map((n) => paces.admit('a', `m${n}`, 0))).toEqual([{ kind: 'ok' }, { kind: 'ok' }, { kind: 'ok' }])
})

test('after a 429 each message has a turn of its own, and other addresses none', () => {
  const paces = createTargetPaces()
  paces.slow('a', 5_000, 0)
  expect(paces.admit('a', 'm1', 10)).toEqual({ kind: 'paused', untilMs: 5_000 })
  expect(paces.admit('a', 'm2', 10)).toEqual({ kind: 'paused', untilMs: 6_000 })
  expect(paces.admit('a', 'm3', 10)).toEqual({ kind: 'paused', untilMs: 7_000 })
  // Asked again before its turn, it keeps it.
  expect(paces.admit('a', 'm1', 20)).toEqual({ kind: 'paused', untilMs: 5_000 })
  expect(paces.admit('b', 'm9', 20)).toEqual({ kind: 'ok' })
  expect(paces.admit('a', 'm1', 5_000)).toEqual({ kind: 'ok' })
  expect(paces.admit('a', 'm4', 5_000)).toEqual({ kind: 'paused', untilMs: 8_000 })
  expect(paces.admit('a', 'm2', 6_000)).toEqual({ kind: 'ok' })
})

test('those that come when nobody waits go one after the other', () => {
  const paces = createTargetPaces()
  paces.slow('a', 1_000, 0)
  expect(paces.admit('a', 'm1', 2_000)).toEqual({ kind: 'ok' })
  expect(paces.admit('a', 'm2', 2_000)).toEqual({ kind: 'paused', untilMs: 3_000 })
})

test('another 429 takes the turns back that fall into its pause', () => {
  const paces = createTargetPaces()
  paces.slow('a', 1_000, 0)
  expect(paces.admit('a', 'm1', 0)).toEqual({ kind: 'paused', untilMs: 1_000 })
  expect(paces.admit('a', 'm2', 0)).toEqual({ kind: 'paused', untilMs: 2_000 })
  expect(paces.admit('a', 'm1', 1_000)).toEqual({ kind: 'ok' })
  paces.slow('a', 9_000, 1_100)
  expect(paces.admit('a', 'm2', 2_000)).toEqual({ kind: 'paused', untilMs: 9_000 })
  expect(paces.admit('a', 'm2', 9_000)).toEqual({ kind: 'ok' })
})

test('another 429 moves the turns that are still to be given', () => {
  const paces = createTargetPaces()
  paces.slow('a', 1_000, 0)
  expect(paces.admit('a', 'm1', 1_000)).toEqual({ kind: 'ok' })
  paces.slow('a', 9_000, 1_100)
  expect(paces.admit('a', 'm2', 1_200)).toEqual({ kind: 'paused', untilMs: 9_000 })
})
