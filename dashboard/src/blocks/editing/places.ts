import type { Node, ResolvedPos } from '@tiptap/pm/model'
import { type EditorState, NodeSelection } from '@tiptap/pm/state'

/** A node of the document, and where it begins. */
export type Spot = { node: Node; pos: number }

/** What the selection stands in, from the outermost block to the innermost; last what is selected itself. */
export function pathAt({ selection }: EditorState): Spot[] {
  const { $from } = selection
  const path = around($from)
  if (selection instanceof NodeSelection) path.push({ node: selection.node, pos: selection.from })
  return path
}

function around($pos: ResolvedPos): Spot[] {
  return Array.from({ length: $pos.depth }, (_, at) => ({ node: $pos.node(at + 1), pos: $pos.before(at + 1) }))
}

/** What can be moved: the innermost block of the selection. The first line of a list's item stands for the item. */
export function movableAt(state: EditorState): Spot | null {
  const path = pathAt(state).filter(({ node }) => node.isBlock)
  const last = path.at(-1)
  const before = path.at(-2)
  const isFirst = before && last && last.pos === before.pos + 1
  return (before?.node.type.name === 'listItem' && isFirst ? before : last) ?? null
}

/** What can be dragged: as above, but a list as a whole, since an item by itself fits nowhere else. */
export function draggableAt($pos: ResolvedPos): Spot | null {
  const blocks = around($pos).filter(({ node }) => node.type.isInGroup('block'))
  const after = $pos.nodeAfter
  if (after?.type.isInGroup('block') && after.isAtom) return { node: after, pos: $pos.pos }
  const inList = blocks.findIndex(({ node }) => node.type.isInGroup('list'))
  return (inList >= 0 ? blocks[inList] : blocks.at(-1)) ?? null
}
