import { expect, test } from 'vitest'
import { isGsmText } from './gsm-text.ts'

test.each([
  ['', true],
  ['Hello Ada, 5 € off {50%}\n', true],
  ['Ärger über Ñandu à la carte', true],
  ['[a]~\\|^', true],
  ['ΔΦΓΛΩΠΨΣΘΞ', true],
  ['say `hi`', false],
  ['tab\there', false],
  ['Xin chào bạn', false],
  ['مرحبا', false],
  ['👋', false],
  ['çok', false],
])('%j: %s', (text, expected) => {
  expect(isGsmText(text)).toBe(expected)
})
