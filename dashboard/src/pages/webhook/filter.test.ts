import { expect, test } from 'vitest'
import { beginOf, isoOf, queryOf, toField } from './filter.ts'

const now = Date.parse('2026-11-18T12:00:00.000Z')

test('a range begins so long ago; without one nothing is left out', () => {
  expect(beginOf('hour', now)).toBe('2026-11-18T11:00:00.000Z')
  expect(beginOf('week', now)).toBe('2026-11-11T12:00:00.000Z')
  expect([beginOf(undefined, now), beginOf('between', now), beginOf('era', now)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('typed times count only where they are shown', () => {
  const typed = { since: '2026-11-18T08:00', until: '2026-11-18T09:00' }
  expect(queryOf({ ...typed, range: 'between' }, undefined)).toMatchObject({
    since: new Date('2026-11-18T08:00').toISOString(),
    until: new Date('2026-11-18T09:00').toISOString(),
  })
  expect(queryOf({ ...typed, range: 'hour', status: 'failed', type: 'message.sent' }, 'then')).toEqual({
    status: 'failed',
    type: 'message.sent',
    since: 'then',
    until: undefined,
  })
})

test('a field shows the time of the person who looks, and gives it back', () => {
  const date = new Date('2026-03-05T07:09:00')
  expect(toField(date)).toBe('2026-03-05T07:09')
  expect(isoOf(toField(date))).toBe(date.toISOString())
  expect(isoOf('yesterday')).toBe('yesterday')
})
