import { expect, test } from 'vitest'
import { googleTexts } from './google-texts.ts'

test('values become texts', () => {
  const data = { text: 'a "b"', number: 7, list: [1, { a: null }], nothing: null, missing: undefined }
  expect(googleTexts(data)).toEqual({
    text: 'a "b"',
    number: '7',
    list: '[1,{"a":null}]',
    nothing: 'null',
    missing: '',
  })
})

test("names that are Google's own are left out", () => {
  const data = { from: 1, message_type: 1, 'google.x': 1, gcm: 1, fromage: 1, message_types: 1, agcm: 1 }
  expect(Object.keys(googleTexts(data))).toEqual(['fromage', 'message_types', 'agcm'])
})
