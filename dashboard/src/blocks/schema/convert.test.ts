import { getSchema } from '@tiptap/core'
import { Node } from '@tiptap/pm/model'
import { EditorState } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import { blockDocuments } from '../../../../test/samples/block-documents.ts'
import { fromEditor, toEditor } from './convert.ts'
import { schemaExtensions } from './extensions.ts'
import { readDocument, type Stored } from './stored.ts'

const schema = getSchema(schemaExtensions)
const doc = (...content: unknown[]): Stored => ({ type: 'doc', content })
const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, ...(marks.length > 0 && { marks }) })
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })

/** Opened and saved, once as it is and once as if every node had been touched. */
function saved(stored: Stored) {
  const { doc, originals } = toEditor(schema, stored)
  doc.check()
  const touched = Node.fromJSON(schema, doc.toJSON())
  touched.check()
  return { text: JSON.stringify(fromEditor(doc, originals)), touched: fromEditor(touched, new WeakMap()) }
}

/** The order of marks means nothing, and neighbours with the same marks are one text. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, key === 'content' ? joined(inner) : plain(inner)])
  const out = Object.fromEntries(entries)
  if (Array.isArray(out.marks))
    out.marks = (out.marks as { type: string }[]).toSorted((a, b) => (a.type < b.type ? -1 : 1))
  return out
}

function joined(content: Record<string, unknown>[]): unknown[] {
  const list: Record<string, unknown>[] = []
  for (const node of content) {
    const last = list.at(-1)
    const isSame = last?.type === 'text' && node.type === 'text' && !last.marks && !node.marks
    if (isSame) last.text = `${last.text}${node.text}`
    else list.push(plain(node) as Record<string, unknown>)
  }
  return list
}

describe('a stored document is opened and saved unchanged', () => {
  test('there are ten of them', () => expect(Object.keys(blockDocuments)).toHaveLength(10))

  test.each(Object.entries(blockDocuments))('%s', (_name, { document }) => {
    const { text, touched } = saved(document as Stored)
    expect(text).toBe(JSON.stringify(document))
    expect(plain(touched)).toEqual(plain(document))
  })

  test.each<[string, Stored]>([
    ['a block of another editor', doc({ type: 'poll', attrs: { of: [1] }, content: [paragraph(text('Kept'))] })],
    [
      'an unknown attribute',
      doc({ ...paragraph(text('x')), attrs: { id: 'a-1', deep: { is: [true, null] } }, extra: 1 }),
    ],
    ['something unknown in a line', doc(paragraph(text('Hi '), { type: 'mention', attrs: { id: 7 } }, text('!')))],
    [
      'unknown marks, several of them',
      doc(paragraph(text('x', { type: 'comment', attrs: { n: 1 } }, { type: 'comment' }))),
    ],
    ['an old name of the item', doc({ type: 'repeat', content: [paragraph({ type: 'payloadValue' })] })],
    ['a line that stands by itself', doc(text('No paragraph'), { type: 'variable', attrs: { id: 'payload.x' } })],
    ['blocks inside a line', doc(paragraph({ type: 'image', attrs: { src: 'https://a.example/i.png' } }))],
    ['a list with something else in it', doc({ type: 'bulletList', content: [paragraph(text('no item'))] })],
    ['columns without columns', doc({ type: 'columns', content: [] }, { type: 'column', content: [paragraph()] })],
    ['a button with content', doc({ type: 'button', attrs: { text: 'a' }, content: [paragraph()] })],
    ['keys of the document', { ...doc(paragraph(text('x'))), version: 3, attrs: { theme: 'a' } }],
    ['marks of a variable', doc(paragraph({ type: 'variable', attrs: { id: 'a' }, marks: [{ type: 'bold' }] }))],
    ['our own names for what is unknown', doc({ type: 'opaqueBlock', attrs: { json: 1 } })],
  ])('%s', (_name, document) => {
    const { text, touched } = saved(document)
    expect(text).toBe(JSON.stringify(document))
    expect(plain(touched)).toEqual(plain(document))
  })

  test('what is empty, or no node at all, stays as it was as long as nobody touches it', () => {
    for (const document of [doc(), doc({ type: 'section' }, null, 7, paragraph(text(''))), doc({ content: [] })]) {
      expect(saved(document).text).toBe(JSON.stringify(document))
    }
  })
})

test('what is written changes only the block that it is written in', () => {
  const document = doc(
    paragraph(text('Here', { type: 'italic' }, { type: 'bold' })),
    { type: 'poll', attrs: { a: 1 } },
    { ...paragraph(text('There', { type: 'italic' }, { type: 'bold' })), attrs: { own: true } },
  )
  const opened = toEditor(schema, document)
  const state = EditorState.create({ doc: opened.doc })
  const changed = state.apply(state.tr.insertText('!', 5)).doc
  const [first, ...others] = (fromEditor(changed, opened.originals) as { content: object[] }).content
  expect(first).toMatchObject({ content: [{ text: 'Here!' }] })
  expect(JSON.stringify(others)).toBe(JSON.stringify((document.content as object[]).slice(1)))
})

test('a body that is no document is told from one', () => {
  for (const body of ['', '<p>', '{', '[]', '{"type":"page"}', '{"type":"doc"}']) expect(readDocument(body)).toBeNull()
  expect(readDocument('{"type":"doc","content":[]}')).toEqual(doc())
})
