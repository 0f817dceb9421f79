import { describe, expect, test } from 'vitest'
import { readCsv } from './csv.ts'
import { guessColumns, readSource, toEntries } from './read-people.ts'

describe('a pasted table', () => {
  test('is read with quotes, line ends inside them, and any of three delimiters', () => {
    expect(readCsv('a,b\n1,"x ""y"", z"\r\n"l1\nl2",3\n')).toEqual([
      ['a', 'b'],
      ['1', 'x "y", z'],
      ['l1\nl2', '3'],
    ])
    expect(readCsv('\uFEFFa;b\n1,5;2')).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ])
    expect(readCsv('a\tb\n\n1\t')).toEqual([
      ['a', 'b'],
      ['1', ''],
    ])
    expect(readCsv('a,b\n1,"never closed')).toEqual([
      ['a', 'b'],
      ['1', 'never closed'],
    ])
  })

  test('is understood by its column names, each field once, and an empty cell clears nothing', () => {
    const head = ['User ID', 'E-Mail', 'first_name', 'plan', 'mail']
    const columns = guessColumns(head)
    expect(columns).toEqual(['subscriberId', 'email', 'firstName', 'data', 'data'])
    expect(toEntries(head, [['ada', '', 'Ada', 'pro', '']], columns)).toEqual([
      { subscriberId: 'ada', firstName: 'Ada', data: { plan: 'pro' } },
    ])
    expect(toEntries(head, [['ada', 'a@b.c']], ['subscriberId', '', '', '', ''])).toEqual([{ subscriberId: 'ada' }])
  })
})

test('JSON is read as a list, as an object with a list, or line by line; half of it is a fault', () => {
  const ada = { subscriberId: 'ada' }
  expect(readSource(JSON.stringify([ada]))).toEqual({ kind: 'json', entries: [ada] })
  expect(readSource(JSON.stringify({ subscribers: [ada] }))).toEqual({ kind: 'json', entries: [ada] })
  expect(readSource(`${JSON.stringify(ada)}\n{"subscriberId":"bob"}\n`)).toMatchObject({ entries: [ada, {}] })
  expect(readSource('{"subscriberId":')).toMatchObject({ kind: 'fault' })
  expect(readSource('only a head')).toMatchObject({ kind: 'fault' })
  expect(readSource(' \n')).toEqual({ kind: 'empty' })
})
