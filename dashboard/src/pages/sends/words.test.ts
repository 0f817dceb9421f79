import { expect, test } from 'vitest'
import { partsOf, standingOf, stateWord } from './words.ts'

const send = {
  state: 'running',
  reason: null,
  reasonText: null,
  canaryPeople: 1_000,
  guarded: true,
  bounds: { failuresPercent: 10, complaintsPercent: 0.3 },
  resumesAt: null,
  people: { left: 99_000 },
} as const

test('who looks reads where it stands and what stops it', () => {
  expect(standingOf(send)).toBe('It is going out. It stops by itself when more than 10 % fail or 0.3 % complain.')
  expect(standingOf({ ...send, guarded: false })).toContain('Nothing stops it but a person.')
  expect(standingOf({ ...send, state: 'canary', reason: 'canary' })).toContain('the first 1,000 people')
  expect(standingOf({ ...send, state: 'waiting', reason: 'canary' })).toContain('waits for somebody to resume it')
  expect(standingOf({ ...send, state: 'waiting', resumesAt: '2026-01-01T00:00:00Z' })).toContain('goes on by itself')
})

test('a stop by the guard says the reason, and is called another thing than a pause by a person', () => {
  const stopped = {
    ...send,
    state: 'paused',
    reason: 'failures',
    reasonText: '112 of the last 1000 messages failed',
  } as const
  expect(standingOf(stopped)).toBe(
    'It stopped by itself: 112 of the last 1000 messages failed. 99,000 people not reached yet wait.',
  )
  expect(stateWord(stopped).word).toBe('stopped by itself')
  expect(stateWord({ ...stopped, reason: 'person' }).word).toBe('paused')
})

test('given up counts as failed, and every message is in one part', () => {
  const parts = partsOf({ sent: 5, failed: 1, dead: 2, unknown: 1, skipped: 1, canceled: 1, waiting: 4 })
  expect(parts.find(({ id }) => id === 'failed')?.value).toBe(3)
  expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(15)
})
