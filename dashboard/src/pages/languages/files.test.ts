import { expect, test } from 'vitest'
import { localeInName } from './files.ts'

test('a file is named after its language, also when it was downloaded twice', () => {
  expect(['de_AT.json', 'de_AT (1).JSON', 'de_AT(12).json', 'de'].map(localeInName)).toEqual([
    'de_AT',
    'de_AT',
    'de_AT',
    'de',
  ])
})
