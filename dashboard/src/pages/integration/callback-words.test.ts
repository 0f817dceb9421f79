import { describe, expect, test } from 'vitest'
import { callbackAddress, newCallbackKey, toldWords } from './callback-words.ts'

const setup = { key: { label: 'Key', help: '' }, keyInUrl: false, perMessage: false }
const given = { setup, url: null, origin: 'http://localhost:3000', integrationId: 'i1', key: '' }

describe('the address for the vendor', () => {
  test("is under the server's public address, else where the page is", () => {
    expect(callbackAddress(given)).toBe('http://localhost:3000/v1/webhooks/i1')
    const url = 'https://notify.example.com/v1/webhooks/i1'
    expect(callbackAddress({ ...given, url, key: 'typed' })).toBe(url)
  })

  test('holds the key where the vendor signs nothing, and dots for one that is kept', () => {
    const inUrl = { ...given, setup: { ...setup, keyInUrl: true } }
    expect(callbackAddress(inUrl)).toBe('http://localhost:3000/v1/webhooks/i1?key=…')
    const url = 'https://notify.example.com/v1/webhooks/i1?key=…'
    expect(callbackAddress({ ...inUrl, url })).toBe(url)
    expect(callbackAddress({ ...inUrl, url, key: 'a b&c' })).toBe(url.replace('…', 'a%20b%26c'))
  })
})

test('a new key is long, needs no escape, and is another one each time', () => {
  const key = newCallbackKey()
  expect(key).toMatch(/^[0-9a-f]{48}$/)
  expect(newCallbackKey()).not.toBe(key)
})

test.each([
  [{ kind: 'delivered', messageId: 'm1' }, 'delivered'],
  [{ kind: 'bounced', messageId: null }, 'bounced, of a message that is not known here'],
  [{ kind: 'other', name: 'deferred', messageId: 'm1' }, 'deferred'],
  [{ kind: 'other', messageId: 'm1' }, 'another event'],
  [{ kind: 'confirmed', messageId: null }, 'it asked whether somebody listens here, and was answered'],
])('%o', (told, words) => expect(toldWords({ notificationId: null, ...told })).toBe(words))
