import { expect, test } from 'vitest'
import { createFailureLimit } from './failure-limit.ts'

const guess = (limit: ReturnType<typeof createFailureLimit>, caller: string, times: number) => {
  for (let n = 0; n < times; n++) limit.failed(caller)
}

test('who fails twenty times in a minute waits for the rest of it; others do not', () => {
  let now = 1_000
  const limit = createFailureLimit(() => now)
  guess(limit, 'a', 19)
  limit.check('a')
  now = 11_000
  guess(limit, 'a', 1)
  expect(() => limit.check('a')).toThrow(expect.objectContaining({ details: { retryAfterSeconds: 50 } }))
  limit.check('b')
  now = 61_001
  limit.check('a')
})

test('a crowd of other callers does not make the count of one who goes on trying begin anew', () => {
  const limit = createFailureLimit(() => 1_000)
  guess(limit, 'flooder', 20)
  for (let n = 0; n < 50_000; n++) {
    limit.failed(`crowd ${n}`)
    if (n % 5_000 === 0) expect(() => limit.check('flooder')).toThrow('Too many requests')
  }
  expect(() => limit.check('flooder')).toThrow('Too many requests')
})
