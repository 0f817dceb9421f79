import { Fragment, type Node } from '@tiptap/pm/model'
import { type EditorState, NodeSelection, Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { type Values, withAttrs } from '../schema/stored.ts'
import { movableAt, pathAt, type Spot } from './places.ts'

/** Changes of the document, each as one transaction; null where there is nothing to change. */

/** One place up or down among its neighbours; at the end of what holds it, out of it. */
export function moveBlock(state: EditorState, step: -1 | 1): Transaction | null {
  const moved = movableAt(state)
  if (!moved) return null
  const $pos = state.doc.resolve(moved.pos)
  const index = $pos.index()
  const neighbour = $pos.parent.maybeChild(index + step)
  if (neighbour) return swap(state, moved, step < 0 ? moved.pos - neighbour.nodeSize : moved.pos, step, neighbour)
  const canLeave = $pos.depth > 0 && $pos.parent.childCount > 1 && $pos.parent.type.name !== 'listItem'
  const outer = canLeave ? $pos.node(-1) : null
  const at = $pos.depth > 0 ? $pos.index(-1) + (step > 0 ? 1 : 0) : 0
  if (!outer?.canReplaceWith(at, at, moved.node.type)) return null
  const target = step < 0 ? $pos.before() : $pos.after()
  return placed(state, moved, target)
}

/** Both change places in one step, which undo takes back as one. */
function swap(state: EditorState, { node, pos }: Spot, from: number, step: number, neighbour: Node): Transaction {
  const pair = Fragment.from(step < 0 ? [node, neighbour] : [neighbour, node])
  const tr = state.tr.replaceWith(from, from + pair.size, pair)
  return follow(state, tr, pos, step < 0 ? from : from + neighbour.nodeSize)
}

/** Where it was dropped; null where it is already, or cannot be. */
export function moveTo(state: EditorState, moved: Spot, target: number): Transaction | null {
  const end = moved.pos + moved.node.nodeSize
  if (target >= moved.pos && target <= end) return null
  const $target = state.doc.resolve(target)
  const { index: at, parent } = { index: $target.index(), parent: $target.parent }
  if (!parent.canReplaceWith(at, at, moved.node.type)) return null
  const { parent: from } = state.doc.resolve(moved.pos)
  const tr = state.tr
  const { paragraph } = state.schema.nodes
  // What it leaves is never empty.
  if (from.childCount === 1 && paragraph) tr.replaceWith(moved.pos, end, paragraph.create())
  else tr.delete(moved.pos, end)
  const place = tr.mapping.map(target)
  tr.insert(place, moved.node)
  return tr.setSelection(NodeSelection.create(tr.doc, place))
}

function placed(state: EditorState, { node, pos }: Spot, target: number): Transaction {
  const tr = state.tr.delete(pos, pos + node.nodeSize)
  const at = tr.mapping.map(target)
  return follow(state, tr.insert(at, node), pos, at)
}

/** The selection goes where its block went. */
function follow({ selection }: EditorState, tr: Transaction, before: number, after: number): Transaction {
  const by = after - before
  const next =
    selection instanceof NodeSelection
      ? NodeSelection.create(tr.doc, selection.from + by)
      : TextSelection.between(tr.doc.resolve(selection.anchor + by), tr.doc.resolve(selection.head + by))
  return tr.setSelection(next).scrollIntoView()
}

/** A block instead of the empty line that the selection is in, else after the block of the selection. */
export function insertBlock(state: EditorState, block: Node): Transaction | null {
  const { $from } = state.selection
  const at = pathAt(state)
    .filter(({ node }) => node.type.isInGroup('block'))
    .at(-1)
  const isEmptyLine = $from.parent.isTextblock && $from.parent.content.size === 0
  const start = at ? (isEmptyLine ? at.pos : at.pos + at.node.nodeSize) : state.doc.content.size
  const end = at && isEmptyLine ? start + at.node.nodeSize : start
  const tr = state.tr.replaceWith(start, end, block)
  return tr.setSelection(inside(tr.doc, start)).scrollIntoView()
}

/** Into the first line of a block, or around the block if it has none. */
function inside(doc: Node, pos: number): Selection {
  const node = doc.nodeAt(pos)
  if (!node || node.isAtom) return NodeSelection.create(doc, pos)
  return Selection.findFrom(doc.resolve(pos + 1), 1) ?? NodeSelection.create(doc, pos)
}

/** Undefined takes an attribute away. What is selected stays selected. */
export function changeAttrs(state: EditorState, pos: number, changes: Values): Transaction | null {
  const node = state.doc.nodeAt(pos)
  if (!node) return null
  const { selection } = state
  const tr = state.tr.setNodeMarkup(pos, undefined, withAttrs(node, changes))
  if (selection instanceof NodeSelection) tr.setSelection(NodeSelection.create(tr.doc, selection.from))
  return tr
}

/** Takes it out. What must hold something gets an empty line, or goes with it. */
export function removeBlock(state: EditorState, { node, pos }: Spot): Transaction {
  const $pos = state.doc.resolve(pos)
  const { parent } = $pos
  const { paragraph } = state.schema.nodes
  const end = pos + node.nodeSize
  if (parent.inlineContent || parent.childCount > 1) return near(state.tr.delete(pos, end), pos)
  if (paragraph && parent.canReplaceWith(0, 1, paragraph)) {
    return near(state.tr.replaceWith(pos, end, paragraph.create()), pos + 1)
  }
  return removeBlock(state, { node: parent, pos: $pos.before() })
}

function near(tr: Transaction, pos: number): Transaction {
  return tr.setSelection(Selection.near(tr.doc.resolve(Math.min(pos, tr.doc.content.size)))).scrollIntoView()
}

/** The same once more, below it. */
export function duplicateBlock(state: EditorState, { node, pos }: Spot): Transaction {
  const after = pos + node.nodeSize
  const tr = state.tr.insert(after, node)
  return tr.setSelection(inside(tr.doc, after)).scrollIntoView()
}
