import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { createRateLimit } from './rate-limit.ts'

const h = useHarness({ RATE_LIMIT: '5' })

test('a key has a second of requests to spare, and gets them back with time', () => {
  let now = 0
  const limit = createRateLimit(2, () => now)
  expect(limit.take('a').ratelimit).toBe('"key";r=1;t=1')
  expect(limit.take('a').ratelimit).toBe('"key";r=0;t=1')
  expect(() => limit.take('a')).toThrow('Too many requests')
  expect(limit.take('b').ratelimit).toBe('"key";r=1;t=1')
  now = 499
  expect(() => limit.take('a')).toThrow('Too many requests')
  now = 500
  expect(limit.take('a').ratelimit).toBe('"key";r=0;t=1')
  now = 60_000
  expect(limit.take('a').ratelimit).toBe('"key";r=1;t=1')
})

test('what is over the limit is 429 with the headers that say when; another key goes on', async () => {
  const [noisy, quiet] = [await h.environment(), await h.environment()]
  const replies = await Promise.all(Array.from({ length: 30 }, () => noisy.get('/v2/subscribers')))
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(10)
  expect(refused[0]?.body.code).toBe('too_many_requests')
  expect(refused[0]?.headers.get('retry-after')).toBe('1')
  expect(refused[0]?.headers.get('ratelimit')).toBe('"key";r=0;t=1')
  const passed = await quiet.get('/v2/subscribers')
  expect([passed.status, passed.headers.get('ratelimit-policy')]).toEqual([200, '"key";q=5;w=1'])
})

test('a crowd of other keys does not fill the bucket of one that goes on asking', () => {
  const limit = createRateLimit(2, () => 1_000)
  limit.take('flooder')
  limit.take('flooder')
  for (let n = 0; n < 50_000; n++) {
    limit.take(`crowd ${n}`)
    if (n % 5_000 === 0) expect(() => limit.take('flooder')).toThrow('Too many requests')
  }
})
