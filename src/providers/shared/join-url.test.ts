import { expect, test } from 'vitest'
import { joinUrl } from './join-url.ts'

test.each([
  ['https://api.example.com', 'v1/send', 'https://api.example.com/v1/send'],
  ['https://api.example.com/', '/v1/send', 'https://api.example.com/v1/send'],
  ['https://api.example.com:8443/base//', 'v1/send?a=1', 'https://api.example.com:8443/base/v1/send?a=1'],
  ['https://api.example.com/base?key=1#x', 'v1', 'https://api.example.com/base/v1'],
  ['https://api.example.com', '//evil.example/x', 'https://api.example.com/evil.example/x'],
])('%s and %s', (base, path, joined) => {
  expect(joinUrl(base, path)).toBe(joined)
})
