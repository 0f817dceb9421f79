import { expect, test } from 'vitest'
import { createTokenCache } from './token-cache.ts'

function counting(lifeMs = 3_600_000) {
  let made = 0
  return { fetch: async () => ({ token: `t${++made}`, expiresInMs: lifeMs }), made: () => made }
}

test('a token serves until a minute before it expires, and many who ask at once wait for one', async () => {
  let now = 1_000
  const { fetch, made } = counting(120_000)
  const cached = createTokenCache(() => new Date(now)).of('integration 1')
  expect(await Promise.all([cached('access', fetch), cached('access', fetch)])).toEqual([
    { token: 't1' },
    { token: 't1' },
  ])
  now = 61_000
  expect(await cached('access', fetch)).toEqual({ token: 't1' })
  now = 61_001
  expect(await cached('access', fetch)).toEqual({ token: 't2' })
  expect(made()).toBe(2)
})

test('a token the vendor took back is fetched anew, and nobody else loses theirs', async () => {
  const { fetch } = counting()
  const tokens = createTokenCache(() => new Date(1_000))
  const [one, other] = [tokens.of('integration 1'), tokens.of('integration 10')]
  await one('access', fetch)
  await other('access', fetch)
  tokens.forget('integration 1')
  expect(await one('access', fetch)).toEqual({ token: 't3' })
  expect(await other('access', fetch)).toEqual({ token: 't2' })
})

test('what could not be fetched is asked for again', async () => {
  const cached = createTokenCache(() => new Date(1_000)).of('integration 1')
  const fault = { kind: 'retry', reason: 'down' } as const
  expect(await cached('access', async () => ({ fault }))).toEqual({ fault })
  expect(await cached('access', counting().fetch)).toEqual({ token: 't1' })
})

test('a token that lives no longer than it takes to get there is not kept', async () => {
  for (const lifeMs of [60_000, 1_000]) {
    const { fetch, made } = counting(lifeMs)
    const cached = createTokenCache(() => new Date(1_000)).of('integration 1')
    await cached('access', fetch)
    await cached('access', fetch)
    expect(made()).toBe(2)
  }
})
