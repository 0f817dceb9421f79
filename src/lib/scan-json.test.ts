import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostEscapes, scanJson } from './read-json.ts'

const scan = (text: string) => scanJson(Buffer.from(text), 1_000_000)

test.each([
  ['{"a":[1,2,{"b":[]}]}', { values: 7, depth: 4, escapes: 0 }],
  ['"[[[,,,"', { values: 1, depth: 0, escapes: 0 }],
  ['["a\\\\",[1]]', { values: 4, depth: 2, escapes: 1 }],
  ['["a\\"",[1]]', { values: 4, depth: 2, escapes: 1 }],
  ['["a\\\\\\"b\\n\\u0001",[1],"\\\\"]', { values: 5, depth: 2, escapes: 5 }],
  ['\\"a",[1]', { values: 3, depth: 1, escapes: 0 }],
  ['["never ends', { values: 2, depth: 1, escapes: 0 }],
])('%s', (text, expected) => expect(scan(text)).toEqual({ ...expected, portions: [] }))

test('it stops at what is too much', () => {
  expect(scanJson(Buffer.from('['.repeat(1000)), 10).values).toBe(11)
})

test('escapes count between two cuts, and the scan stops at too many', () => {
  const item = JSON.stringify('\n'.repeat(300_000))
  expect(scan(`{"a":[${item},${item},${item},${item}]}`).escapes).toBe(300_000)
  expect(scan(`{"a":{"b":${item},"c":${item}},"d":[[[]]]}`)).toMatchObject({ escapes: mostEscapes + 1, depth: 2 })
})

test('it never counts less than there is', () => {
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Object.values(value).reduce<number>((sum, it) => sum + count(it), 0)
      : 1
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (value, isWide) => {
      const text = JSON.stringify(value, null, isWide ? 2 : 0)
      const plain: unknown = JSON.parse(text)
      const found = scan(text)
      expect(found.values).toBeGreaterThanOrEqual(count(plain))
      expect(found.depth).toBe(depth(plain))
    }),
  )
})
