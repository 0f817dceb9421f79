import { getSchema } from '@tiptap/core'
import { EditorState, NodeSelection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import { fromEditor, toEditor } from '../schema/convert.ts'
import { schemaExtensions } from '../schema/extensions.ts'
import { blockItems, findBlocks, slotItem } from './catalogue.ts'
import { changeAttrs, duplicateBlock, insertBlock, moveBlock, moveTo, removeBlock } from './change.ts'
import { blockName, fieldsOf } from './fields.ts'
import { findVariables, listsAmong, variablesAt, variablesInside } from './offered.ts'
import { pathAt } from './places.ts'

const schema = getSchema(schemaExtensions)
const line = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const spacer = { type: 'spacer', attrs: { height: 8 } }
const section = (...content: object[]) => ({ type: 'section', content })
const list = (...texts: string[]) => ({
  type: 'bulletList',
  content: texts.map((text) => ({ type: 'listItem', content: [line(text)] })),
})

/** With the caret in this text, or the first node of this type selected. */
function stateOf(blocks: object[], at: string): EditorState {
  const { doc } = toEditor(schema, { type: 'doc', content: blocks })
  const state = EditorState.create({ doc })
  let tr: Transaction | undefined
  doc.descendants((node, pos) => {
    if (tr) return
    if (node.text === at) tr = state.tr.setSelection(TextSelection.create(doc, pos + 1))
    else if (node.type.name === at) tr = state.tr.setSelection(NodeSelection.create(doc, pos))
  })
  return state.apply(tr ?? state.tr)
}

/** The document in short: `a [b c]`. */
function short(state: EditorState): string {
  const say = (value: unknown): string => {
    const { type, text, content = [] } = value as { type: string; text?: string; content?: unknown[] }
    if (text) return text
    const inner = content.map(say).join(' ')
    return type === 'paragraph' ? inner || '_' : content.length > 0 ? `[${inner}]` : type
  }
  state.doc.check()
  return (fromEditor(state.doc, new WeakMap()) as { content: unknown[] }).content.map(say).join(' ')
}
const after = (state: EditorState, tr: Transaction | null) => short(tr ? state.apply(tr) : state)

describe('a block is moved', () => {
  const move = (blocks: object[], at: string, step: -1 | 1) => {
    const state = stateOf(blocks, at)
    return after(state, moveBlock(state, step))
  }

  test.each<[string, object[], string, -1 | 1, string]>([
    ['up', [line('a'), spacer, line('b')], 'b', -1, 'a b spacer'],
    ['down', [line('a'), spacer, line('b')], 'a', 1, 'spacer a b'],
    ['as a whole, if it is selected', [line('a'), section(line('b'))], 'section', -1, '[b] a'],
    ['not past the ends', [line('a'), line('b')], 'a', -1, 'a b'],
    ['out of what holds it', [line('a'), section(line('b'), line('c'))], 'b', -1, 'a b [c]'],
    ['but not so that this is empty', [line('a'), section(line('b'))], 'b', -1, 'a [b]'],
    ['as an item of its list', [list('a', 'b')], 'b', -1, '[[b] [a]]'],
    ['not out of its list', [line('x'), list('a', 'b')], 'a', -1, 'x [[a] [b]]'],
  ])('%s', (_what, blocks, at, step, wanted) => expect(move(blocks, at, step)).toBe(wanted))

  test('and the caret goes with it', () => {
    const state = stateOf([line('a'), line('bcd')], 'bcd')
    const tr = moveBlock(state, -1)
    expect(tr?.selection.$from.parent.textContent).toBe('bcd')
    expect(tr?.selection.$from.parentOffset).toBe(1)
  })
})

test('a block is dropped where it fits, and leaves nothing empty behind', () => {
  const state = stateOf([line('a'), section(line('b'))], 'paragraph')
  const [a, b] = [
    { node: state.doc.child(0), pos: 0 },
    { node: state.doc.child(1).child(0), pos: 4 },
  ]
  expect(after(state, moveTo(state, a, 4))).toBe('[a b]')
  expect(after(state, moveTo(state, b, 0))).toBe('b a [_]')
  expect(moveTo(state, a, 3)).toBeNull()
  expect(moveTo(state, { node: state.doc.child(1), pos: 3 }, 4)).toBeNull()
})

test('a block takes the place of an empty line, and stands after any other', () => {
  const rule = schema.node('horizontalRule')
  const put = (blocks: object[], at: string) => {
    const state = stateOf(blocks, at)
    return after(state, insertBlock(state, rule))
  }
  expect(put([line('a'), { type: 'paragraph' }], 'none')).toBe('a horizontalRule _')
  expect(put([{ type: 'paragraph' }, line('a')], 'none')).toBe('horizontalRule a')
  expect(put([section(line('a')), line('b')], 'a')).toBe('[a horizontalRule] b')
  expect(put([spacer], 'spacer')).toBe('spacer horizontalRule')
})

test('a block is deleted, with what would be empty without it; and doubled', () => {
  const remove = (blocks: object[], at: string) => {
    const state = stateOf(blocks, at)
    const spot = pathAt(state).at(-1)
    return spot ? after(state, removeBlock(state, spot)) : ''
  }
  expect(remove([line('a'), line('b')], 'a')).toBe('b')
  expect(remove([line('a')], 'a')).toBe('_')
  expect(remove([section(spacer), line('b')], 'spacer')).toBe('[_] b')
  expect(remove([list('a'), line('b')], 'listItem')).toBe('b')
  const state = stateOf([section(line('a'))], 'section')
  const spot = pathAt(state).at(-1)
  expect(spot && after(state, duplicateBlock(state, spot))).toBe('[a] [a]')
})

test('an attribute is changed beside those that are not known, and what is selected stays so', () => {
  const state = stateOf([{ type: 'button', attrs: { text: 'a', own: [1] } }], 'button')
  const tr = changeAttrs(state, 0, { text: undefined, url: 'https://a.example' })
  expect(fromEditor(tr?.doc.firstChild ?? state.doc, new WeakMap())).toEqual({
    type: 'button',
    attrs: { own: [1], url: 'https://a.example' },
  })
  expect(tr?.selection).toBeInstanceOf(NodeSelection)
})

describe('the blocks on offer', () => {
  const labels = (query: string) => findBlocks([...blockItems, slotItem], query).map(({ label }) => label)

  test('twenty, and each is a block that the editor knows as it is', () => {
    expect(blockItems).toHaveLength(20)
    for (const { block } of [...blockItems, slotItem]) {
      const { doc } = toEditor(schema, { type: 'doc', content: [block] })
      expect(doc.firstChild?.type.name).toBe((block as { type: string }).type)
      expect(() => doc.check()).not.toThrow()
    }
  })

  test('by name first, then by other words', () => {
    expect(labels('')).toHaveLength(21)
    expect(labels('he')).toEqual(['Heading 1', 'Heading 2', 'Heading 3'])
    expect(labels('heading 2')).toEqual(['Heading 2'])
    expect(labels('list')).toEqual(['Bullet list', 'Ordered list', 'Repeat'])
    expect(labels('cta')).toEqual(['Button'])
    expect(labels('nothing like it')).toEqual([])
  })

  test('every one has a name, and a condition unless it is a part of another', () => {
    for (const name of Object.keys(schema.nodes).filter((it) => !/^(doc|text|hardBreak|opaque.*)$/.test(it))) {
      expect(blockName(name)).not.toBe(name)
      expect(fieldsOf(name).some((field) => field.name === 'showIfKey')).toBe(name !== 'column')
    }
    expect(fieldsOf('poll-of-somebody').map(({ name }) => name)).toEqual(['showIfKey'])
  })
})

describe('the variables on offer', () => {
  const lines = { name: 'lines', about: '', type: 'array', items: [{ name: 'sku', about: '', type: 'string' }] }
  const known = [
    {
      name: 'payload.items',
      about: '',
      type: 'array',
      items: [{ name: '', about: 'the item', type: 'object' }, lines],
    },
    { name: 'step.events', about: '', type: 'array', items: [{ name: 'who', about: '', type: 'string' }] },
    { name: 'subscriber.firstName', about: '', type: 'string' },
  ]
  const first = (...repeats: string[]) => variablesInside(repeats, known).map(({ name }) => name)

  test('inside a repeat its item comes first, by the names that documents use for lists', () => {
    const names = known.map(({ name }) => name)
    expect(first()).toEqual(names)
    expect(first('payload.items')).toEqual(['current', 'current.lines', ...names])
    expect(first('items')).toEqual(first('payload.items'))
    expect(first('payload.items | reverse')).toEqual(first('payload.items'))
    expect(first('steps.any.events')).toEqual(['current.who', ...names])
    expect(first('payload.items', 'current.lines')).toEqual(['current.sku', ...names])
    expect(first('payload.unknown')).toEqual(['current', ...names])
    const state = stateOf([{ type: 'repeat', attrs: { each: 'payload.items' }, content: [line('a')] }], 'a')
    expect(variablesAt(state, known)[1]?.name).toBe('current.lines')
    expect(listsAmong(known).map(({ name }) => name)).toEqual(['payload.items', 'step.events'])
  })

  test('what begins with the word first; what nobody knows can be typed', () => {
    const found = (query: string) => findVariables(known, query).map(({ name }) => name)
    expect(found('')).toHaveLength(3)
    expect(found('first')).toEqual(['subscriber.firstName', 'first'])
    expect(found('payload.items')).toEqual(['payload.items'])
    expect(found('payload.other')).toEqual(['payload.other'])
    expect(found('.')).toEqual(known.map(({ name }) => name))
  })
})
