import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeVapidKeys } from './vapid-keys.ts'

test('a pair of keys: the public one belongs to the private one, and each pair is another', async () => {
  const { apiKey, secretKey } = await makeVapidKeys()
  expect([apiKey, secretKey]).toEqual([
    expect.stringMatching(/^B[A-Za-z0-9_-]{86}$/),
    expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  ])
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(secretKey, 'base64url')
  expect(ecdh.getPublicKey('base64url')).toBe(apiKey)
  expect((await makeVapidKeys()).secretKey).not.toBe(secretKey)
})
