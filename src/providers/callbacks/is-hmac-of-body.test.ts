import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { isHmacOfBody } from './is-hmac-of-body.ts'

const hmac = (body: string, key: string) => createHmac('sha256', key).update(body).digest('hex')
const body = '{"text":"äöå"}'

test.each([
  ['the right one', hmac(body, 'key'), 'key', true],
  ['one of another key', hmac(body, 'other'), 'key', false],
  ['one of another body', hmac('{}', 'key'), 'key', false],
  ['one without a key', hmac(body, ''), '', false],
  ['none', '', 'key', false],
])('%s', (_name, given, signingKey, expected) => {
  expect(isHmacOfBody(given, { body, signingKey })).toBe(expected)
})
