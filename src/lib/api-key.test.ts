import { describe, expect, test } from 'vitest'
import { apiKeyId, newApiKey } from './api-key.ts'
import { uuid7Time } from './uuid7.ts'

const now = new Date('2026-01-02T03:04:05.678Z')
const { id, text } = newApiKey('c1', now)

describe('newApiKey', () => {
  test('names its cell, its id and its time', () => {
    expect(text).toMatch(new RegExp(`^td_c1_${id.replaceAll('-', '')}_[A-Za-z0-9]{43}[0-9a-f]{8}$`))
    expect(uuid7Time(id)).toEqual(now)
    expect(apiKeyId(text)).toBe(id)
  })

  test('no two have the same secret, and the secrets use the whole alphabet', () => {
    const secrets = Array.from({ length: 500 }, () => newApiKey('c1', now).text.slice(-51, -8))
    expect(new Set(secrets).size).toBe(500)
    expect(new Set(secrets.join('')).size).toBe(62)
  })

  test.each(['c', 'eu1', 'x'.repeat(16)])('a key of cell %s is well-formed', (cell) => {
    const made = newApiKey(cell, now)
    expect(apiKeyId(made.text)).toBe(made.id)
  })
})

describe('apiKeyId', () => {
  test('a typo in any place is refused without a look-up', () => {
    for (let i = 0; i < text.length; i++) {
      const typo = text.slice(0, i) + (text[i] === 'a' ? 'b' : 'a') + text.slice(i + 1)
      expect(apiKeyId(typo), `character ${i}`).toBeNull()
    }
  })

  test('two characters swapped are refused', () => {
    const at = text.length - 30
    const swapped = text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2)
    expect(apiKeyId(swapped)).toBe(swapped === text ? id : null)
  })

  test.each(['', 'td_', 'td_c1__', text.slice(1), text.slice(0, -1), `${text}a`, ` ${text}`, `${text}\n`])(
    'refuses %j',
    (other) => expect(apiKeyId(other)).toBeNull(),
  )
  test('letter case counts', () => {
    expect(apiKeyId(text.toUpperCase())).toBeNull()
    expect(apiKeyId(text.replace('td_c1', 'td_C1'))).toBeNull()
  })
})
