import { describe, expect, test } from 'vitest'
import { findRefusedContent, isStorableText } from './read-json.ts'

const nested = (depth: number, open: string, close: string) => JSON.parse(open.repeat(depth) + close.repeat(depth))
const objects = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

describe('findRefusedContent', () => {
  test.each([
    '{"__proto__":{}}',
    '{"__proto__":1}',
    '{"a":{"__proto__":null}}',
    '[{"__proto__":{}}]',
    '{"a":[[{"b":{"__proto__":{}}}]]}',
    '{"constructor":{"prototype":{}}}',
    '{"constructor":{"prototype":null}}',
    '{"a":{"constructor":{"x":1,"prototype":{}}}}',
    '"\\u0000"',
    '{"a":"b\\u0000c"}',
    '{"a\\u0000":1}',
    '"\\ud800"',
    '{"a":"x\\udc00"}',
    '{"\\ud83d":1}',
    '["\\ude00\\ud83d"]',
    '1e400',
    '{"a":[0,{"b":-1e309}]}',
  ])('refuses %s', (text) => expect(findRefusedContent(JSON.parse(text))).not.toBeNull())

  test.each([
    'null',
    '1',
    '"text"',
    '{}',
    '[]',
    '{"proto":1,"prototype":{},"constructor":1}',
    '{"constructor":"prototype"}',
    '{"constructor":["prototype"]}',
    '{"constructor":{"Prototype":1}}',
    '{"__proto":1,"_proto__":2,"__PROTO__":3}',
    '{"a":"__proto__"}',
    '"\\ud83d\\ude00"',
    '{"\\ud83d\\ude00":"\\u0001\\u007f"}',
    '{"hasOwnProperty":1,"toString":null,"valueOf":[]}',
  ])('takes %s', (text) => expect(findRefusedContent(JSON.parse(text))).toBeNull())

  test('says where', () => {
    expect(findRefusedContent(JSON.parse('{"a":[{"b":{"c":"\\u0000"}}]}'))?.path).toBe('a.0.b.c')
    expect(findRefusedContent(JSON.parse('{"a":{"__proto__":1}}'))).toMatchObject({ path: 'a' })
  })

  test('64 levels pass, 65 do not, and thousands are only counted', () => {
    for (const deep of [(n: number) => nested(n, '[', ']'), objects]) {
      expect(findRefusedContent(deep(64))).toBeNull()
      expect(findRefusedContent(deep(65))?.reason).toMatch(/64 levels/)
    }
    expect(findRefusedContent(nested(3_000, '[', ']'))?.reason).toMatch(/64 levels/)
  })

  test('something refused after much that is fine is found', () => {
    const items: unknown[] = Array.from({ length: 50_000 }, (_, i) => ({ i }))
    items[25_000] = JSON.parse('{"__proto__":1}')
    expect(findRefusedContent(items)?.path).toBe('25000')
  })
})

test.each([
  ['', true],
  ['a', true],
  ['😀', true],
  ['\ufffd', true],
  ['\u0000', false],
  ['a\ud83d', false],
  ['\ude00a', false],
])('isStorableText(%j) is %s', (text, storable) => expect(isStorableText(text)).toBe(storable))
