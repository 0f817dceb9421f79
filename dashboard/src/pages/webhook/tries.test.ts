import { expect, test } from 'vitest'
import { answerWords, type Try, tookWords, verdictOf } from './tries.ts'

const one = (change: Partial<Try> = {}): Try => ({
  number: 1,
  startedAt: '2026-11-18T08:00:00.000Z',
  endedAt: '2026-11-18T08:00:00.012Z',
  outcome: 'delivered',
  status: 204,
  reply: '',
  ...change,
})

test('how long a try took', () => {
  expect(tookWords(one())).toBe('12 ms')
  expect(tookWords(one({ endedAt: '2026-11-18T08:00:10.040Z' }))).toBe('10.0 s')
  expect(tookWords(one({ endedAt: null }))).toBe('')
})

test('the last answer in short: its status, or why there was none', () => {
  expect(answerWords({ tries: [] })).toBe('Not tried yet')
  expect(answerWords({ tries: [one({ outcome: 'failed', status: 500 }), one()] })).toBe('Answered 204 · 12 ms')
  const refused = one({ outcome: 'failed', status: null, reply: 'connection refused' })
  expect(answerWords({ tries: [refused] })).toBe('connection refused · 12 ms')
  const lost = one({ outcome: 'unknown', status: null, reply: null, endedAt: null })
  expect(answerWords({ tries: [lost] })).toBe('end not recorded')
})

test.each([
  ['wait', 'On its way', 'open', []],
  ['ok', 'It arrived: Answered 204 · 12 ms', 'delivered', [one()]],
  ['warn', 'It did not arrive: Answered 500 · 12 ms', 'open', [one({ outcome: 'failed', status: 500 })]],
  ['warn', 'The endpoint asked us to wait', 'open', [one({ outcome: 'paced', status: 429 })]],
  ['bad', 'Given up: Answered 500 · 12 ms', 'failed', [one({ outcome: 'failed', status: 500 })]],
  ['wait', 'It is sent again', 'open', [one()]],
] as const)('%s: %s', (tone, title, status, tries) => {
  expect(verdictOf({ status, tries: [...tries] })).toEqual({ tone, title })
})
