import { expect, test } from 'vitest'
import { toCallback } from './to-callback.ts'

test('a callback holds texts that say something, and nothing else', () => {
  const found = { externalId: 7, messageId: '', address: 'a@b.c', reason: 'x'.repeat(600) }
  expect(toCallback({ kind: 'bounced', permanent: false, ...found })).toEqual({
    kind: 'bounced',
    permanent: false,
    address: 'a@b.c',
    reason: 'x'.repeat(500),
  })
})
