import { expect, test } from 'vitest'
import { eventsIn, parseCallback, parseForm } from './parse-callback.ts'

test('reads what a vendor would write', () => {
  const event = { a: [1, 'x "y" \\', { b: '[[[[{{{{,,,,'.repeat(30_000) }], c: '\\"' }
  expect(parseCallback(JSON.stringify(event))).toEqual(event)
  expect(parseCallback(JSON.stringify(Array(5_000).fill({ a: 1, b: 2, c: 3 })))).toHaveLength(5_000)
})

test('is undefined for what is no JSON, too deep, or of too many values', () => {
  for (const body of ['', 'a=b', '{"a', '"\\', `${'['.repeat(33)}${']'.repeat(33)}`, `[${'1,'.repeat(60_000)}1]`])
    expect(parseCallback(body)).toBeUndefined()
})

test('of a list 5,000 events are taken, and none of anything else', () => {
  expect(eventsIn(Array(5_001).fill({}))).toHaveLength(5_000)
  for (const json of [undefined, null, 'text', 1, { length: 2 }]) expect(eventsIn(json)).toEqual([])
})

test('a form of too many fields is read as an empty one', () => {
  expect([...parseForm('a=b&c=d+e%2B')]).toEqual([
    ['a', 'b'],
    ['c', 'd e+'],
  ])
  expect([...parseForm(Array(100).fill('a=b').join('&'))]).toHaveLength(100)
  expect([...parseForm(Array(101).fill('a=b').join('&'))]).toEqual([])
})
