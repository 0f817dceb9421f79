import { expect, test } from 'vitest'
import { queryOf } from './filter.ts'

test('all environments are the organization; one is its own door', () => {
  expect(queryOf({ environment: 'all' }, undefined).of).toBe('organization')
  expect(queryOf({ environment: 'production' }, undefined).of).toBeUndefined()
})

test('days are in it wholly, in the zone of who looks', () => {
  const { since, until } = queryOf({ range: 'days', since: '2026-03-01', until: '2026-03-31' }, undefined)
  expect(since).toBe(new Date(2026, 2, 1).toISOString())
  expect(until).toBe(new Date(2026, 3, 1).toISOString())
})

test('days count only where they were chosen, and what is no day is left to the server', () => {
  expect(queryOf({ since: '2026-03-01' }, undefined).since).toBeUndefined()
  expect(queryOf({ range: 'days', since: 'soon' }, undefined).since).toBe('soon')
})
