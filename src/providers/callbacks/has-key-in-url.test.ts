import { expect, test } from 'vitest'
import { hasKeyInUrl } from './has-key-in-url.ts'

const url = 'https://tidings.example/v1/webhooks/1'

test.each([
  [`${url}?key=a%2Bb`, 'a+b', true],
  [`${url}?more=1&key=secret`, 'secret', true],
  [`${url}?key=other`, 'secret', false],
  [`${url}?key=`, '', false],
  [url, '', false],
  [url, 'secret', false],
  ['no url', 'secret', false],
])('%s with the key %j: %s', (given, signingKey, expected) => {
  expect(hasKeyInUrl({ url: given, signingKey })).toBe(expected)
})
