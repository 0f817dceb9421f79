import { Extension } from '@tiptap/core'
import { NodeSelection, Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { moveTo } from './change.ts'
import { draggableAt, type Spot } from './places.ts'

/** A handle beside the block under the pointer: it drags the block, and a click selects it. */
export const DragHandle = Extension.create({
  name: 'dragHandle',
  addProseMirrorPlugins: () => [
    new Plugin({
      view: (view) => {
        const [handle, drop] = [followPointer(view), showDrop(view)]
        return {
          update: handle.update,
          destroy: () => {
            handle.destroy()
            drop.destroy()
          },
        }
      },
      props: {
        handleDrop(view, event) {
          const moved = draggedIn(view)
          const target = moved && targetAt(view, event)
          const tr = target && moveTo(view.state, moved, target.pos)
          if (tr) view.dispatch(tr.setMeta('uiEvent', 'drop'))
          return moved !== null
        },
      },
    }),
  ],
})

/** The block that is being dragged: by its handle, or by itself if it has no text. */
function draggedIn(view: EditorView): Spot | null {
  const { selection } = view.state
  const isBlock = view.dragging && selection instanceof NodeSelection && selection.node.type.isInGroup('block')
  return isBlock ? { node: selection.node, pos: selection.from } : null
}

/** Before or after the block under the pointer, by the half of it that the pointer is in. */
function targetAt(view: EditorView, event: MouseEvent): { pos: number; top: number; box: DOMRect } | null {
  const spot = spotAt(view, event) ?? lastSpot(view)
  const element = spot && view.nodeDOM(spot.pos)
  if (!spot || !(element instanceof HTMLElement)) return null
  const box = element.getBoundingClientRect()
  const isAfter = event.clientY > box.top + box.height / 2
  return { pos: isAfter ? spot.pos + spot.node.nodeSize : spot.pos, top: isAfter ? box.bottom + 4 : box.top - 6, box }
}

function lastSpot({ state: { doc } }: EditorView): Spot | null {
  return doc.lastChild && { node: doc.lastChild, pos: doc.content.size - doc.lastChild.nodeSize }
}

/** A line where the block would go. */
function showDrop(view: EditorView) {
  const line = document.createElement('div')
  line.className = 'block-drop'
  const hide = () => line.remove()
  const onOver = (event: DragEvent) => {
    const frame = view.dom.parentElement
    const moved = draggedIn(view)
    const target = moved && targetAt(view, event)
    if (!target || !frame || !moveTo(view.state, moved, target.pos)) return hide()
    const around = frame.getBoundingClientRect()
    if (line.parentElement !== frame) frame.append(line)
    line.style.top = `${target.top - around.top + frame.scrollTop}px`
    line.style.left = `${target.box.left - around.left}px`
    line.style.width = `${target.box.width}px`
  }
  const ends = ['dragleave', 'drop', 'dragend'] as const
  view.dom.addEventListener('dragover', onOver)
  for (const name of ends) view.dom.addEventListener(name, hide)
  return {
    destroy: () => {
      view.dom.removeEventListener('dragover', onOver)
      for (const name of ends) view.dom.removeEventListener(name, hide)
      hide()
    },
  }
}

// Of the handle and the room left of the blocks, as in blocks.css.
const handleWidth = 22

function followPointer(view: EditorView) {
  const handle = makeHandle()
  let spot: Spot | null = null
  const hide = () => {
    handle.hidden = true
    spot = null
  }
  const onMove = (event: MouseEvent) => {
    if (event.buttons !== 0) return
    spot = spotAt(view, event)
    const element = spot && view.nodeDOM(spot.pos)
    if (element instanceof HTMLElement) putBeside(view, handle, element)
    else hide()
  }
  const onLeave = (event: MouseEvent) => event.relatedTarget !== handle && hide()
  const select = () => {
    if (!spot) return
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, spot.pos)))
    view.focus()
  }
  handle.addEventListener('click', select)
  handle.addEventListener('dragstart', (event) => {
    select()
    if (spot) startDrag(view, event)
  })
  handle.addEventListener('dragend', () => {
    view.dragging = null
    hide()
  })
  view.dom.addEventListener('mousemove', onMove)
  view.dom.addEventListener('mouseleave', onLeave)
  return {
    // Another document: what it stood beside may be elsewhere.
    update: (_view: EditorView, { doc }: { doc: unknown }) => doc !== view.state.doc && hide(),
    destroy: () => {
      view.dom.removeEventListener('mousemove', onMove)
      view.dom.removeEventListener('mouseleave', onLeave)
      handle.remove()
    },
  }
}

/** What holds the text is known only when it is drawn: until then it is elsewhere. */
function putBeside(view: EditorView, handle: HTMLElement, element: HTMLElement): void {
  const frame = view.dom.parentElement
  if (!frame) return
  if (handle.parentElement !== frame) frame.append(handle)
  const [place, around] = [element.getBoundingClientRect(), frame.getBoundingClientRect()]
  handle.hidden = false
  handle.style.top = `${place.top - around.top + frame.scrollTop}px`
  handle.style.left = `${Math.max(place.left - around.left - handleWidth, 2)}px`
}

function startDrag(view: EditorView, { dataTransfer }: DragEvent): void {
  const { selection } = view.state
  const slice = selection.content()
  const { dom, text } = view.serializeForClipboard(slice)
  if (!dataTransfer) return
  dataTransfer.clearData()
  dataTransfer.setData('text/html', dom.innerHTML)
  dataTransfer.setData('text/plain', text)
  dataTransfer.effectAllowed = 'move'
  const element = view.nodeDOM(selection.from)
  if (element instanceof Element) dataTransfer.setDragImage(element, 0, 0)
  view.dragging = { slice, move: true }
}

function makeHandle(): HTMLElement {
  const handle = document.createElement('button')
  handle.type = 'button'
  handle.className = 'block-handle'
  handle.draggable = true
  handle.hidden = true
  // By keys it is Escape and Alt with an arrow.
  handle.tabIndex = -1
  handle.title = 'Drag to move; click to select'
  handle.setAttribute('aria-label', 'Move this block')
  handle.textContent = '⠿'
  return handle
}

/** Also left of the blocks, where the handle is. */
function spotAt(view: EditorView, { clientX, clientY }: MouseEvent): Spot | null {
  const box = view.dom.getBoundingClientRect()
  const left = Math.min(Math.max(clientX, box.left + handleWidth + 10), box.right - 4)
  const found = view.posAtCoords({ left, top: clientY })
  if (!found) return null
  if (found.inside >= 0) {
    const node = view.state.doc.nodeAt(found.inside)
    if (node?.type.isInGroup('block') && (node.isAtom || !node.isTextblock)) return { node, pos: found.inside }
  }
  return draggableAt(view.state.doc.resolve(found.pos))
}
