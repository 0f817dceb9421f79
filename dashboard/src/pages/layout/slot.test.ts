import { expect, test } from 'vitest'
import { withMarks, withSlot } from './slot.ts'

const variable = { type: 'variable', attrs: { id: 'content' } }
const documentOf = (...content: object[]) => JSON.stringify({ type: 'doc', content })
const read = (body: string) => JSON.parse(withMarks(body)).content
const back = (value: unknown) => JSON.parse(withSlot(JSON.stringify(value)))

test('a line that is only the slot becomes a block of HTML, also deep inside', () => {
  const line = { type: 'paragraph', content: [variable] }
  const block = { type: 'htmlCodeBlock', content: [{ type: 'text', text: '{{content}}' }] }
  expect(back(read(documentOf(line)))).toEqual([block])
  expect(back(read(documentOf({ type: 'section', attrs: { align: 'left' }, content: [line] })))).toEqual([
    { type: 'section', attrs: { align: 'left' }, content: [block] },
  ])
})

test('in a line with other words it becomes text there, whichever way it was written', () => {
  const words = { type: 'text', text: 'Before {{content}}, {{ content }}', marks: [{ type: 'bold' }] }
  const [line] = back(read(documentOf({ type: 'paragraph', content: [words, variable] })))
  expect(line.content).toEqual([
    { ...words, text: 'Before {{content}}, {{content}}' },
    { type: 'text', text: '{{content}}' },
  ])
})

test('other variables, blocks of HTML and what is no document stay as they are', () => {
  const other = { type: 'paragraph', content: [{ type: 'variable', attrs: { id: 'payload.content' } }] }
  const html = { type: 'htmlCodeBlock', content: [{ type: 'text', text: '<b>{{content}}</b>' }] }
  expect(read(documentOf(other, html))).toEqual([other, html])
  expect(withMarks('<p>{{content}}</p>')).toBe('<p>{{content}}</p>')
})
