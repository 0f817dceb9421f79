import { expect, test } from 'vitest'
import { byDefault, keysOf, type Language, missingIn, rowsOf, shownRows } from './rows.ts'

const language = (locale: string, texts: Record<string, string>, missing: string[] = []): Language => ({
  locale,
  isDefault: locale === 'en_US',
  isStored: true,
  texts: new Map(Object.entries(texts)),
  missing,
})
const languages = byDefault([
  language('de_AT', { title: 'Servus' }, ['foot']),
  language('de', { title: 'Hallo', body: 'Text', old: 'Alt' }, ['foot']),
  language('en_US', { title: 'Hello', body: 'Words', foot: 'Bye' }),
])
const rows = rowsOf(['title', 'body', 'foot'], languages)
const cellOf = (key: string, locale: string) =>
  rows.find((row) => row.key === key)?.cells.find((cell) => cell.locale === locale)

test('the default language comes first', () => {
  expect(languages.map(({ locale }) => locale)).toEqual(['en_US', 'de', 'de_AT'])
})

test('what templates ask for comes first in their order, then the rest by name', () => {
  expect(rows.map(({ key, isUsed }) => [key, isUsed])).toEqual([
    ['title', true],
    ['body', true],
    ['foot', true],
    ['old', false],
  ])
})

test('a cell without a text says what stands in for it: the parent, else the default', () => {
  expect(cellOf('title', 'de_AT')).toEqual({ locale: 'de_AT', text: 'Servus', isMissing: false, instead: null })
  expect(cellOf('body', 'de_AT')).toMatchObject({ isMissing: false, instead: { locale: 'de', text: 'Text' } })
  expect(cellOf('foot', 'de')).toMatchObject({ isMissing: true, instead: { locale: 'en_US', text: 'Bye' } })
  expect(cellOf('old', 'en_US')).toMatchObject({ text: null, isMissing: false, instead: null })
})

test('rows are found by key and text, and by what is wrong with them', () => {
  const keysOf = (...asked: Parameters<typeof shownRows> extends [unknown, ...infer Rest] ? Rest : never) =>
    shownRows(rows, ...asked).map(({ key }) => key)
  expect(keysOf('SERV', 'all')).toEqual(['title'])
  expect(keysOf('o', 'all')).toEqual(['title', 'body', 'foot', 'old'])
  expect(keysOf('', 'missing')).toEqual(['foot'])
  expect(keysOf('', 'unused')).toEqual(['old'])
  expect(keysOf('title', 'missing')).toEqual([])
})

test('missing texts of all languages are counted; those of the default also where it has none at all', () => {
  const german = { locale: 'de', missingKeys: ['a', 'b'] }
  const english = { locale: 'en_US', missingKeys: ['a'] }
  const found = { defaultLocale: 'en_US', untranslatedKeys: ['a'] }
  expect(missingIn({ ...found, locales: [] })).toBe(1)
  expect(missingIn({ ...found, locales: [german] })).toBe(3)
  expect(missingIn({ ...found, locales: [english, german] })).toBe(3)
})

test('those who write templates are offered every key once', () => {
  const locales = [{ unusedKeys: ['old'] }, { unusedKeys: ['old', 'odd'] }]
  expect(keysOf({ keys: ['title'], locales })).toEqual(['title', 'old', 'odd'])
})
