import { expect, test } from 'vitest'
import { freeSlug, toSlug } from './slug.ts'

test('a slug has small letters, digits and single hyphens between them', () => {
  const names = ['Order shipped', '  Ünïcode & Co. ', 'Größe', 'İstanbul', '２４ hours', '--a--b--', 'Foo™', '日本']
  expect(names.map((name) => toSlug(name))).toEqual([
    'order-shipped',
    'unicode-co',
    'gro-e',
    'istanbul',
    '24-hours',
    'a-b',
    'foo',
    '',
  ])
})

test('a long name is cut, and never ends with a hyphen', () => {
  expect(toSlug('a'.repeat(200))).toBe('a'.repeat(90))
  expect(toSlug('a'.repeat(200), 100)).toBe('a'.repeat(100))
  expect(toSlug(`${'a'.repeat(89)} b`)).toBe('a'.repeat(89))
})

test('a slug that is taken gets a number, one that is empty the fallback', () => {
  expect(freeSlug('E-mail', 'step', [])).toBe('e-mail')
  expect(freeSlug('E-mail', 'step', ['e-mail', 'e-mail-2'])).toBe('e-mail-3')
  expect(freeSlug('!', 'step', ['step'])).toBe('step-2')
})
