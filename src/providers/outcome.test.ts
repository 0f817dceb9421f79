import { describe, expect, test } from 'vitest'
import { readReply, resetMs, retryAfterMs } from './outcome.ts'

const now = Date.parse('2026-01-02T03:04:05Z')

describe('how long to wait', () => {
  test.each([
    ['7', 7_000],
    ['0.5', 500],
    ['Fri, 02 Jan 2026 03:04:35 GMT', 30_000],
    ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('Retry-After: %s', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected)
  })

  test.each([
    ['seconds from now', { 'ratelimit-reset': '3' }, 3_000],
    ['a moment in seconds', { 'x-ratelimit-reset': String(now / 1000 + 30) }, 30_000],
    ['a moment in milliseconds', { 'x-ratelimit-reset': String(now + 250) }, 250],
    ['a moment that is over', { 'x-ratelimit-reset': '1392815263' }, 0],
    ['the wait, if both are said', { 'x-ratelimit-reset': '1392815263', 'x-ratelimit-retry-after': '12' }, 12_000],
    ['nothing that can be read', { 'x-ratelimit-reset': 'tomorrow' }, undefined],
    ['nothing', {}, undefined],
  ])('the end of a limit: %s', (_name, headers, expected) => {
    expect(resetMs(headers, now)).toBe(expected)
  })
})

describe('an address that belongs to the recipient', () => {
  const answered = (status: number, headers = {}) =>
    readReply({ kind: 'reply', status, headers, text: '', json: undefined }, { ofTarget: true })

  test('paces what goes there, not the integration', () => {
    expect(answered(429, { 'retry-after': '7' })).toMatchObject({ kind: 'retry', paces: 'target', afterMs: 7_000 })
    expect(answered(503)).not.toHaveProperty('paces')
  })

  test.each([401, 402, 403])('refuses this message alone (%d)', (status) => {
    expect(answered(status)).toEqual({ kind: 'rejected', reason: `${status}` })
  })
})
