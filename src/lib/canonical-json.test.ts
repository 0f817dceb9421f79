import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, canonicalJsonInTurns, isPlainObject } from './canonical-json.ts'

describe('canonicalJson', () => {
  test('the order of keys does not matter, at any depth; the order of lists does', () => {
    expect(canonicalJson({ b: 1, a: { d: [1, { z: 1, y: 2 }], c: null } })).toBe(
      '{"a":{"c":null,"d":[1,{"y":2,"z":1}]},"b":1}',
    )
    expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]))
  })

  test.each([
    ['1 and "1"', 1, '1'],
    ['null and absent', { a: null }, {}],
    ['0 and false', 0, false],
    ['a list and an object', ['a'], { 0: 'a' }],
    ['nothing and an empty text', undefined, ''],
    ['nothing and null', undefined, null],
    ['keys of other case', { a: 1 }, { A: 1 }],
  ])('%s differ', (_what, a, b) => expect(canonicalJson(a)).not.toBe(canonicalJson(b)))

  test('in turns it is the same text', async () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, { a: undefined, b: [undefined] }))
    await fc.assert(
      fc.asyncProperty(value, async (it) => {
        expect(await canonicalJsonInTurns(it)).toBe(canonicalJson(it))
      }),
    )
    const long = { text: 'x'.repeat(5_000), quoted: `${'x'.repeat(5_000)}"\\\u0001ü` }
    expect(canonicalJson(long)).toBe(JSON.stringify({ quoted: long.quoted, text: long.text }))
  })

  test('equal exactly when the values are equal, whatever they are', () => {
    const value = fc.jsonValue({ maxDepth: 4 })
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(canonicalJson(shuffled(a))).toBe(canonicalJson(a))
        expect(JSON.parse(canonicalJson(a))).toEqual(JSON.parse(JSON.stringify(a)))
        if (canonicalJson(a) === canonicalJson(b))
          expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)))
      }),
      { numRuns: 300 },
    )
  })
})

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner)]),
  )
}

test.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  ['a', false],
  [1, false],
  [undefined, false],
])('isPlainObject(%j) is %s', (value, plain) => expect(isPlainObject(value)).toBe(plain))
