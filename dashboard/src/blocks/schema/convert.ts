import type { Mark, Node, Schema } from '@tiptap/pm/model'
import { isObject, isStored, type Kept, type Stored, type Values } from './stored.ts'

/** Where the stored document was not touched, it is saved word for word: by the editor's node of each of its nodes. */
export type Originals = WeakMap<Node, unknown>
type Opened = { schema: Schema; originals: Originals }
type Place = 'blocks' | 'line' | 'items' | 'columns' | 'nothing'

/** What stands inside each type that the editor knows (docs/templates.md). */
const inside: Record<string, Place> = {
  doc: 'blocks',
  section: 'blocks',
  column: 'blocks',
  repeat: 'blocks',
  for: 'blocks',
  show: 'blocks',
  blockquote: 'blocks',
  listItem: 'blocks',
  paragraph: 'line',
  heading: 'line',
  footer: 'line',
  codeBlock: 'line',
  htmlCodeBlock: 'line',
  bulletList: 'items',
  orderedList: 'items',
  columns: 'columns',
  ...Object.fromEntries(
    ['button', 'image', 'logo', 'spacer', 'horizontalRule', 'linkCard', 'variable', 'hardBreak', 'inlineImage'].map(
      (name) => [name, 'nothing'],
    ),
  ),
}
const inLine = new Set(['text', 'variable', 'hardBreak', 'inlineImage'])
const onlyIn: Record<string, Place> = { listItem: 'items', column: 'columns', doc: 'nothing' }
const marks = new Set(
  'bold italic underline strike code subscript superscript link textStyle highlight'.split(' ') as string[],
)

export function toEditor(schema: Schema, stored: Stored): { doc: Node; originals: Originals } {
  const opened = { schema, originals: new WeakMap<Node, unknown>() }
  return { doc: known(opened, stored), originals: opened.originals }
}

/** A node whose type is known, and stands where it may. */
function known(opened: Opened, stored: Stored): Node {
  const { type, content, ...kept } = stored
  const place = inside[type] ?? 'nothing'
  const list = Array.isArray(content) ? content : []
  const children = list.flatMap((child) => toNode(opened, child, place))
  const { paragraph } = opened.schema.nodes
  if (place === 'blocks' && children.length === 0 && paragraph) children.push(paragraph.create())
  const rest: Values = Array.isArray(content) || content === undefined ? kept : { ...kept, content }
  const attrs = { kept: Object.keys(rest).length > 0 ? (rest as Kept) : null }
  const node =
    type === 'for'
      ? opened.schema.node('repeat', { ...attrs, as: 'for' }, children)
      : opened.schema.node(type, attrs, children)
  opened.originals.set(node, stored)
  return node
}

function toNode(opened: Opened, value: unknown, place: Place): Node[] {
  if (isStored(value) && value.type === 'text' && place === 'line') {
    const made = textNode(opened, value)
    if (made !== null) return made
  } else if (isStored(value) && fits(value, place)) {
    if (!inLine.has(value.type)) return [known(opened, value)]
    const { marks: given, ...rest } = value
    const list = marksOf(opened, given)
    if (list) {
      const node = known(opened, rest as Stored).mark(list)
      opened.originals.set(node, value)
      return [node]
    }
  }
  const node = opened.schema.node(place === 'line' ? 'opaqueInline' : 'opaqueBlock', { json: value })
  opened.originals.set(node, value)
  return [node]
}

/** Whether the type is known here, and the whole of what is inside it is what such a block is made of. */
function fits({ type, content }: Stored, place: Place): boolean {
  const within = inside[type]
  if (within === undefined) return false
  const wanted = inLine.has(type) ? 'line' : (onlyIn[type] ?? 'blocks')
  if (wanted !== place) return false
  const children: unknown[] = Array.isArray(content) ? content : []
  const isAll = (name: string) => children.length > 0 && children.every((it) => isStored(it) && it.type === name)
  switch (within) {
    case 'nothing':
      return children.length === 0
    case 'items':
      return isAll('listItem')
    case 'columns':
      return isAll('column')
    default:
      return true
  }
}

/** Nothing for a text without words, which an editor cannot hold; null when it cannot be shown as text. */
function textNode(opened: Opened, stored: Stored): Node[] | null {
  const { text, marks: given } = stored
  const list = marksOf(opened, given)
  if (!list) return null
  if (typeof text !== 'string' || text === '') return []
  const node = opened.schema.text(text, list)
  opened.originals.set(node, stored)
  return [node]
}

function marksOf({ schema }: Opened, given: unknown): Mark[] | null {
  if (given === undefined) return []
  if (!Array.isArray(given) || !given.every(isStored)) return null
  return given.map((mark) => {
    const { type, ...kept } = mark
    if (!marks.has(type)) return schema.mark('opaqueMark', { json: mark })
    return schema.mark(type, { kept: Object.keys(kept).length > 0 ? kept : null })
  })
}

/** What is stored. */
export function fromEditor(node: Node, originals: Originals): unknown {
  const original = originals.get(node)
  if (original !== undefined) return original
  if ('json' in node.attrs) return node.attrs.json
  const content = node.children.map((child) => fromEditor(child, originals))
  const kept: unknown = node.attrs.kept
  return {
    type: node.attrs.as ?? node.type.name,
    ...(isObject(kept) && kept),
    ...((content.length > 0 || node.type.name === 'doc') && { content }),
    ...(node.marks.length > 0 && { marks: node.marks.map(storedMark) }),
    ...(node.isText && { text: node.text }),
  }
}

function storedMark({ type, attrs }: Mark): unknown {
  if (type.name === 'opaqueMark') return attrs.json
  return { type: type.name, ...(isObject(attrs.kept) && attrs.kept) }
}
