import { describe, expect, test } from 'vitest'
import { completionAt, insertAt } from './completion.ts'

const known = ['payload.order', 'payload.order.id', 'subscriber.firstName', 'subscriber.data'].map((name) => ({
  name,
  about: '',
}))
/** What is offered where `|` … `^` stands in the text. */
const offered = (text: string) => {
  const caret = text.indexOf('^')
  return completionAt(text.replace('^', ''), caret, known)?.items.map(({ name }) => name) ?? null
}

describe('what is offered while somebody writes', () => {
  test('names inside an output or a tag, those that begin with the word first', () => {
    expect(offered('Hi {{ ^')).toHaveLength(4)
    expect(offered('Hi {{ first^')).toEqual(['subscriber.firstName'])
    expect(offered('Hi {{ payload.order.i^')).toEqual(['payload.order.id'])
    expect(offered('{{ DATA^')).toEqual(['subscriber.data'])
    expect(offered('{% if sub^')).toEqual(['subscriber.firstName', 'subscriber.data'])
    // What begins with it stands before what only contains it.
    expect(
      completionAt('{{ o', 4, [
        { name: 'foo', about: '' },
        { name: 'old', about: '' },
      ])?.items[0]?.name,
    ).toBe('old')
  })

  test('filters after a bar', () => {
    expect(offered('{{ payload.order | upc^')).toEqual(['upcase'])
    expect(offered('{{ payload.order | default: "x" | trunc^')).toEqual(['truncate'])
  })

  test('nothing outside, in the name of a tag, inside a text, or when the word is whole', () => {
    for (const text of [
      'Hi ^',
      'Hi {{ a }} ^',
      '{% ^',
      '{%- fo^',
      '{{ "^',
      '{{ nothinglikeit^',
      '{{ payload.order.id^',
    ]) {
      expect(offered(text)).toBeNull()
    }
  })

  test('at most eight', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ name: `payload.n${index}`, about: '' }))
    expect(completionAt('{{ ', 3, many)?.items).toHaveLength(8)
  })
})

describe('what is chosen', () => {
  const put = (text: string, from: number) => {
    const caret = text.indexOf('^')
    const next = insertAt(text.replace('^', ''), from, caret, 'payload.id')
    return `${next.text.slice(0, next.caret)}^${next.text.slice(next.caret)}`
  }

  test('stands in place of the begun word, and closes an output that stands open', () => {
    expect(put('Hi {{ pay^', 6)).toBe('Hi {{ payload.id }}^')
    expect(put('Hi {{ pay^ }}, bye', 6)).toBe('Hi {{ payload.id^ }}, bye')
    expect(put('{{ pay^ and {{ other }}', 3)).toBe('{{ payload.id }}^ and {{ other }}')
  })

  test('never closes a tag', () => {
    expect(put('{% if pay^', 6)).toBe('{% if payload.id^')
  })
})
