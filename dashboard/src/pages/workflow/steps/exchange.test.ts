import { expect, test } from 'vitest'
import { htmlAsBlocks, isBlocks, saysNothing } from './exchange.ts'

const empty = '{"type":"doc","content":[{"type":"paragraph"}]}'
const written = '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a"}]}]}'

test('blocks are a document, or nothing yet; HTML under their name is HTML', () => {
  expect(isBlocks({ editorType: 'block', body: written })).toBe(true)
  expect(isBlocks({ editorType: 'block' })).toBe(true)
  expect(isBlocks({ editorType: 'block', body: '<p>Hello</p>' })).toBe(false)
  expect(isBlocks({ editorType: 'html', body: written })).toBe(false)
})

test('nobody is asked about a body that says nothing', () => {
  expect([saysNothing(''), saysNothing(' '), saysNothing(empty)]).toEqual([true, true, true])
  expect([
    saysNothing('<p>'),
    saysNothing(written),
    saysNothing('{"type":"doc","content":[{"type":"spacer"}]}'),
  ]).toEqual([false, false, false])
})

test('HTML becomes one block that says the same', () => {
  const html = '<p class="a">{{ payload.x }} & "so"</p>\n'
  const block = { type: 'htmlCodeBlock', content: [{ type: 'text', text: html }] }
  expect(JSON.parse(htmlAsBlocks(html))).toEqual({ type: 'doc', content: [block] })
})
