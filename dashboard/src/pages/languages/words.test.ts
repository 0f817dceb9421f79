import { describe, expect, test } from 'vitest'
import { keyFault, templateOf, textsOf, withoutText, withText } from './words.ts'

const content = { greeting: 'Hi', mail: { title: 'T', deep: { end: 'E' } }, 'flat.key': 'F' }

test('texts are known by their whole key, nested or not', () => {
  expect([...textsOf(content)]).toEqual([
    ['greeting', 'Hi'],
    ['mail.title', 'T'],
    ['mail.deep.end', 'E'],
    ['flat.key', 'F'],
  ])
})

describe('a text is put', () => {
  test('where it stands, and the order stays', () => {
    expect(JSON.stringify(withText(content, 'mail.title', 'x'))).toBe(
      '{"greeting":"Hi","mail":{"title":"x","deep":{"end":"E"}},"flat.key":"F"}',
    )
    expect(withText(content, 'flat.key', 'x')).toEqual({ ...content, 'flat.key': 'x' })
  })

  test('nested when it is new', () => {
    expect(withText({}, 'a.b', 'x')).toEqual({ a: { b: 'x' } })
    expect(withText(content, 'mail.foot', 'x').mail).toEqual({ ...content.mail, foot: 'x' })
  })

  test('beside the others where a text stands in the way: nothing is lost', () => {
    expect(withText({ a: 'A' }, 'a.b', 'x')).toEqual({ a: 'A', 'a.b': 'x' })
    expect(textsOf(withText({ 'a.c': 'C', a: 'A' }, 'a.b', 'x')).size).toBe(3)
  })

  test('and gives nothing to what it was given', () => {
    const before = JSON.stringify(content)
    withText(content, 'mail.title', 'x')
    withText(content, 'mail.new', 'x')
    expect(JSON.stringify(content)).toBe(before)
  })

  test('under the names that every object has', () => {
    expect(textsOf(withText({}, 'constructor.name', 'x'))).toEqual(new Map([['constructor.name', 'x']]))
  })
})

test('a text is taken away with what is then empty around it', () => {
  expect(withoutText(content, 'mail.deep.end')).toEqual({ greeting: 'Hi', mail: { title: 'T' }, 'flat.key': 'F' })
  expect(withoutText({ a: { b: { c: 'x' } } }, 'a.b.c')).toEqual({})
  expect(withoutText(content, 'flat.key')).not.toHaveProperty(['flat.key'])
  expect(withoutText(content, 'mail')).toEqual(content)
})

test('a key has words between its dots, and is new', () => {
  expect(keyFault('', [])).toBeUndefined()
  expect(keyFault('mail.title', ['mail'])).toBeUndefined()
  for (const wrong of ['.', 'a.', '.a', 'a..b', 'a. ', 'x'.repeat(256)])
    expect(keyFault(wrong, []), wrong).toBeDefined()
  expect(keyFault('a', ['a'])).toBe('This key is there already.')
})

test('a template asks for odd keys in brackets', () => {
  expect(templateOf('mail.title-2')).toBe('{{ t.mail.title-2 }}')
  expect(templateOf('a b')).toBe('{{ t["a b"] }}')
})
