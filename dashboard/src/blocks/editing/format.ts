import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import type { EditorState } from '@tiptap/pm/state'
import { attrsOf, keptOf, textOf, withAttrs } from '../schema/stored.ts'
import { pathAt } from './places.ts'

/** What the toolbar shows and does. */

// Where each type says its side.
const sideNames: Record<string, string> = {
  paragraph: 'textAlign',
  heading: 'textAlign',
  footer: 'textAlign',
  button: 'alignment',
  image: 'alignment',
  logo: 'alignment',
  section: 'align',
}

function aligned(state: EditorState): { node: Node; pos: number }[] {
  const { from, to, empty } = state.selection
  const found: { node: Node; pos: number }[] = []
  if (!empty) {
    state.doc.nodesBetween(from, to, (node, pos) => {
      if (sideNames[node.type.name] && pos >= from - 1) found.push({ node, pos })
    })
  }
  const own = pathAt(state).findLast(({ node }) => sideNames[node.type.name])
  return found.length > 0 ? found : own ? [own] : []
}

export function sideAt(state: EditorState): string | null {
  const first = aligned(state)[0]
  return first ? textOf(attrsOf(first.node)[sideNames[first.node.type.name] ?? '']) || 'left' : null
}

export function setSide(editor: Editor, side: string): void {
  const { tr } = editor.state
  for (const { node, pos } of aligned(editor.state)) {
    tr.setNodeMarkup(pos, undefined, withAttrs(node, { [sideNames[node.type.name] ?? '']: side }))
  }
  // Else what is selected as a whole would not be any more.
  tr.setSelection(editor.state.selection.map(tr.doc, tr.mapping))
  editor.view.dispatch(tr)
}

export const lineTypes = [
  { value: 'paragraph', label: 'Text' },
  { value: 'heading-1', label: 'Heading 1' },
  { value: 'heading-2', label: 'Heading 2' },
  { value: 'heading-3', label: 'Heading 3' },
  { value: 'footer', label: 'Footer' },
  { value: 'codeBlock', label: 'Code' },
]

/** Empty where there is no line. */
export function lineTypeAt(state: EditorState): string {
  const parent = firstLine(state)
  if (!parent) return ''
  const name = parent.type.name
  return name === 'heading' ? `heading-${textOf(attrsOf(parent).level) || 1}` : name
}

function firstLine({ doc, selection }: EditorState): Node | undefined {
  let found: Node | undefined
  doc.nodesBetween(selection.from, selection.to, (node) => {
    if (node.isTextblock) found ??= node
  })
  return found
}

/** What else the line says, as its side and its condition, stays. */
export function setLineType(editor: Editor, value: string): void {
  const [name = '', level] = value.split('-')
  const { state } = editor
  const type = state.schema.nodes[name]
  if (!type) return
  const { from, to } = state.selection
  const attrs = (node: Node) => withAttrs(node, { level: level ? Number(level) : undefined })
  editor.view.dispatch(state.tr.setBlockType(from, to, type, attrs))
}

export function colorAt(editor: Editor): string {
  const { storedMarks, selection } = editor.state
  const marks = storedMarks ?? (selection.empty ? selection.$from.marks() : (firstMarks(editor.state) ?? []))
  const mark = marks.find(({ type }) => type.name === 'textStyle')
  return mark ? textOf(attrsOf(mark).color) : ''
}

function firstMarks(state: EditorState) {
  const { from, to } = state.selection
  let found: Node['marks'] | undefined
  state.doc.nodesBetween(from, to, (node) => {
    if (node.isText) found ??= node.marks
  })
  return found
}

export function setColor(editor: Editor, color: string): void {
  if (color) editor.commands.setMark('textStyle', { kept: keptOf({ color }) })
  else editor.commands.unsetMark('textStyle')
}

export const linkAt = (editor: Editor) => textOf(attrsOf({ attrs: editor.getAttributes('link') }).href)

/** Of what is selected, or of the link that the caret is in; without either the address itself becomes the text. */
export function setLink(editor: Editor, href: string): void {
  const chain = editor.chain().focus().extendMarkRange('link')
  if (!href) {
    chain.unsetMark('link').run()
    return
  }
  const before = { attrs: editor.getAttributes('link') }
  const mark = withAttrs(before, { href, isUrlVariable: undefined })
  if (editor.state.selection.empty && !linkAt(editor)) {
    chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: mark }] }).run()
  } else chain.setMark('link', mark).run()
}
