import { describe, expect, test } from 'vitest'
import { bytesOf, refuseLargePush } from './push-size.ts'

describe('refuseLargePush', () => {
  test('a push of just the size goes', () => {
    expect(refuseLargePush('Apple', 4_096)).toBeUndefined()
  })

  test('a larger one is refused, and the reason says what to do', () => {
    expect(refuseLargePush('Apple', 5_120)).toEqual({
      kind: 'rejected',
      reason: 'the push is 5,120 bytes; Apple takes 4,096: shorten the text or the data',
    })
  })

  test('some kinds may be larger', () => {
    expect(refuseLargePush('Apple', 5_120, 5_120)).toBeUndefined()
  })
})

test.each([
  ['a text as it is', 'Grüße "😀"', 14],
  ['anything else as JSON', { a: 'ü"' }, 12],
  ['nothing as nothing', undefined, 0],
])('bytesOf counts %s', (_name, value, bytes) => {
  expect(bytesOf(value)).toBe(bytes)
})
