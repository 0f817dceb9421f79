import { expect, test } from 'vitest'
import { commonLocales, localeName, parentsOf, readLocale } from './locales.ts'

test('a language is read however it is written', () => {
  expect([readLocale('de-at'), readLocale(' DE_at '), readLocale('zh-hans-cn')]).toEqual([
    'de_AT',
    'de_AT',
    'zh_Hans_CN',
  ])
  expect([readLocale(''), readLocale('german!'), readLocale('d')]).toEqual([null, null, null])
})

test('its parents stand in for it, the nearest first', () => {
  expect(parentsOf('zh_Hans_CN')).toEqual(['zh_Hans', 'zh'])
  expect(parentsOf('de')).toEqual([])
})

test('it is called by its name; what is none by itself', () => {
  expect(localeName('de_AT')).toBe('Austrian German')
  expect(localeName('x!')).toBe('x!')
})

test('those that are offered are written as the server writes them', () => {
  expect(commonLocales.map(readLocale)).toEqual(commonLocales)
})
