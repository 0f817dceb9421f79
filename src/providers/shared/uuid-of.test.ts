import { expect, test } from 'vitest'
import { uuidOf } from './uuid-of.ts'

test('is a UUID of version 4, the same for the same text', () => {
  const uuid = uuidOf('a message')
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(uuidOf('a message')).toBe(uuid)
  expect(uuidOf('another')).not.toBe(uuid)
})

test('has its version and variant whatever the digest', () => {
  for (let n = 0; n < 200; n++) expect(uuidOf(String(n))).toMatch(/^.{14}4.{4}[89ab]/)
})
