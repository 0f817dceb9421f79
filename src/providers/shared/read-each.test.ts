import { expect, test } from 'vitest'
import type { Outcome } from '../outcome.ts'
import { readEach } from './read-each.ts'

const sent: Outcome = { kind: 'sent', id: 'a' }
const retry: Outcome = { kind: 'retry', reason: 'busy' }
const rejected: Outcome = { kind: 'rejected', reason: 'no such user' }
const unknown: Outcome = { kind: 'unknown', reason: 'broke' }
const read = (outcomes: Outcome[]) => readEach(outcomes, (outcome) => outcome as Outcome, unknown)

test('accepted for one is accepted, and the others are told of', () => {
  expect(read([sent, sent])).toEqual(sent)
  expect(read([retry, sent, rejected])).toEqual({
    ...sent,
    note: '2 of 3 recipients refused: busy, no such user',
  })
})

test('accepted for none: in doubt if one is, later if one may be', () => {
  expect(read([rejected, retry, unknown])).toBe(unknown)
  expect(read([rejected, retry])).toBe(retry)
  expect(read([rejected])).toBe(rejected)
})

test('no results, or something else than a list, are what the caller says', () => {
  expect(read([])).toBe(unknown)
  expect(readEach({ a: 1 }, () => sent, retry)).toBe(retry)
})
