import { expect, test } from 'vitest'
import type { ApiKey } from '../../../api/types.ts'
import { endOf, stateOf } from './words.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const key = (more: Partial<ApiKey>): ApiKey => ({
  id: 'k',
  name: 'shop',
  createdAt: '2026-01-01T00:00:00Z',
  current: false,
  bootstrap: false,
  scope: 'everything',
  reach: 'environment',
  ...more,
})

test('a key is active until it ends or is revoked', () => {
  expect(stateOf(key({}), now)).toBe('active')
  expect(stateOf(key({ expiresAt: '2026-05-02T00:00:00Z' }), now)).toBe('active')
  expect(stateOf(key({ expiresAt: '2026-05-01T12:00:00Z' }), now)).toBe('expired')
  expect(stateOf(key({ expiresAt: '2026-05-01T12:00:00Z', revokedAt: '2026-04-01T00:00:00Z' }), now)).toBe('revoked')
})

test('an end is never, in so many days, or the end of a chosen day', () => {
  expect(endOf('', '', now)).toBeUndefined()
  expect(endOf('30', '', now)).toBe('2026-05-31T12:00:00.000Z')
  expect(endOf('day', '2026-12-31', now)).toBe(new Date(2027, 0, 1).toISOString())
  expect(endOf('day', '', now)).toBeUndefined()
})
