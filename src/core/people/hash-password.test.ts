import { describe, expect, test } from 'vitest'
import { hashArgon2id, matchesArgon2id, parseArgon2id } from './argon2id.ts'
import { createPasswords } from './hash-password.ts'

/** Hashes that earlier versions stored with `@node-rs/argon2` 2.2.1. They must keep working. */
const written = [
  [
    'correct horse battery staple',
    '$argon2id$v=19$m=19456,t=2,p=1$4weuZO3IwVVIgN2rk4ygwQ$e1NloAGFNhHEdP8Xbr3JsYwGMkHMXcnjw28dMugL860',
  ],
  [
    'pässwörd 日本語 \u{1F511}',
    '$argon2id$v=19$m=19456,t=2,p=1$dEiX5X1/2A/t01i2xP/AlQ$3YbPvKdKfv9V1k5fgx5UqMRsuHHotZGp9C493+do8zI',
  ],
  ['', '$argon2id$v=19$m=19456,t=2,p=1$/RhU+akgtvgI6oEIhBxriA$iggUJ0FABJblcjoJr8ZjEi379pSe7hrejH1jvkS+IkU'],
  [
    'a little stronger',
    '$argon2id$v=19$m=65536,t=3,p=4$fPp9fz4NUa5aFuYuEm+Q7Q$5ZtXL56MXlxA7dEXLzwTaQ1xwM0VNMAA42gVsgP6NGQ',
  ],
  ['short output', '$argon2id$v=19$m=4096,t=1,p=1$c29tZXNhbHQ$LnA7mR/sOVy6Zaht10LHHA'],
] as const

const passwords = createPasswords({ atOnce: 2, mostWaiting: 100 })
const check = (password: string, passwordHash: string | null) =>
  passwords.isRight({ password, turn: 'known' }, async () => ({ passwordHash, id: 'ada' }))

describe('a stored password', () => {
  test.each(written)('%j: the hash of earlier versions matches it, and nothing else', async (password, stored) => {
    expect(await check(password, stored)).toEqual({ passwordHash: stored, id: 'ada' })
    expect(await check(`${password}.`, stored)).toBeNull()
  })

  test('a fresh hash has the usual form and cost, matches its password, and differs each time', async () => {
    const [first, second] = await Promise.all([
      passwords.hash('a password of ours'),
      passwords.hash('a password of ours'),
    ])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(first).not.toBe(second)
    expect(await check('a password of ours', first)).not.toBeNull()
    expect(await check('another password', first)).toBeNull()
  })

  test('letters typed as different characters are the same password', async () => {
    expect(await check('caf\u0065\u0301 \uFB01ne', await passwords.hash('caf\u00E9 fine'))).not.toBeNull()
  })

  test('a user without a password, and no user, are refused', async () => {
    expect(await check('anything', null)).toBeNull()
    expect(await passwords.isRight({ password: 'anything', turn: 'stranger' }, async () => null)).toBeNull()
  })
})

/** The vector that RFC 9106 prints (5.3) needs a secret and associated data, so this one is of the reference program. */
test('a known answer: the reference implementation printed it', async () => {
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  const hash = parseArgon2id(stored)
  expect(hash && (await matchesArgon2id('password', hash))).toBe(true)
  expect(hash && (await matchesArgon2id('passwore', hash))).toBe(false)
})

describe('a damaged or hostile hash', () => {
  const salt = 'c29tZXNhbHRzb21lc2FsdA'
  const tag = 'e1NloAGFNhHEdP8Xbr3JsYwGMkHMXcnjw28dMugL860'
  const of = (cost: string) => `$argon2id$v=19$${cost}$${salt}$${tag}`

  test.each([
    '',
    'x',
    tag,
    '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
    of('m=19456,t=2,p=1').replace('argon2id', 'argon2d'),
    of('m=19456,t=2,p=1').replace('v=19', 'v=16'),
    of('m=19456,t=2,p=1').slice(0, -30),
    `${of('m=19456,t=2,p=1')}\n`,
    of('m=19456,t=2,p=1').replace(tag, '!'.repeat(43)),
    of('m=65537,t=2,p=1'),
    of('m=4294967295,t=2,p=1'),
    of('m=19456,t=11,p=1'),
    of('m=19456,t=4294967295,p=1'),
    of('m=19456,t=2,p=5'),
    of('m=19456,t=0,p=1'),
    of('m=19456,t=2,p=0'),
    of('m=15,t=2,p=2'),
    of('m=0,t=1,p=1'),
    of('m=-1,t=1,p=1'),
    of('m=NaN,t=1,p=1'),
    `${of('m=19456,t=2,p=1')}${'A'.repeat(64)}`,
  ])('%s refuses every password', async (stored) => {
    expect(parseArgon2id(stored)).toBeNull()
    expect(await check('anything', stored)).toBeNull()
  })

  test('the dearest one that is accepted', async () => {
    const stored = await hashArgon2id('dear', { memory: 65_536, passes: 10, parallelism: 4 })
    expect(await check('dear', stored)).not.toBeNull()
  })
})
