import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rounds } from '../../test/rounds.ts'
import { parseInTurns, scanJson } from './read-json.ts'

const read = (text: string) => {
  const bytes = Buffer.from(text)
  const { portions } = scanJson(bytes, 10_000_000)
  return { portions: portions.length, result: parseInTurns(bytes, portions) }
}
const long = 'é'.repeat(300_000)

test('as JSON.parse reads it, whatever stands in the long lists', async () => {
  const item = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(long), fc.constant([long, { a: long }]))
  const body = fc.dictionary(fc.string(), fc.oneof(fc.array(item, { maxLength: 8 }), fc.jsonValue()), { maxKeys: 4 })
  let cut = 0
  await fc.assert(
    fc.asyncProperty(body, fc.boolean(), async (value, isWide) => {
      const text = JSON.stringify(value, null, isWide ? 2 : 0)
      const { portions, result } = read(text)
      if (portions > 1) cut++
      // As text: JSON.parse makes an own property of `__proto__`.
      expect(JSON.stringify(await result)).toBe(JSON.stringify(JSON.parse(text)))
    }),
    { numRuns: rounds({ quick: 30, full: 300 }) },
  )
  expect(cut).toBeGreaterThan(3)
}, 120_000)

test('what is no JSON is none in portions either', async () => {
  const items = `"${long}",{"a":1},"${long}","${long}"`
  expect((await read(`{"events":[${items}]}`).result) as object).toHaveProperty('events.length', 4)
  const wrong = ['[,', '[1,,', '[1 2,', '[{]},', '[}', ']', '[{"a":[},', '["', '[1}{', '[1],[']
  for (const start of wrong) await expect(read(`{"events":${start}${items}]}`).result, start).rejects.toThrow()
  for (const end of [',]}', ', ]}', '}]', ']', '}}', ']]}', ',1}', '{}]}', '"]}']) {
    await expect(read(`{"events":[${items}${end}`).result, end).rejects.toThrow()
  }
})

test('any change of a few letters: both read it, or neither', async () => {
  const text = `{"a":[{"b":[1,2]},"${'x'.repeat(600_000)}",3,{"c":"${'y'.repeat(600_000)}"},null],"d":[4],"e":{}}`
  const marks = [...text].flatMap((letter, at) => (letter === 'x' || letter === 'y' ? [] : [at]))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...marks),
      fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '1', ' ', '\\'),
      async (at, letter) => {
        const changed = text.slice(0, at) + letter + text.slice(at + 1)
        let expected: unknown
        try {
          expected = JSON.parse(changed)
        } catch {
          await expect(read(changed).result).rejects.toThrow()
          return
        }
        expect(await read(changed).result).toEqual(expected)
      },
    ),
    { numRuns: rounds({ quick: 60, full: 1_000 }) },
  )
}, 120_000)
