import { Extension } from '@tiptap/core'
import { gapCursor } from '@tiptap/pm/gapcursor'
import { history, redo, undo } from '@tiptap/pm/history'
import { NodeSelection, Selection } from '@tiptap/pm/state'
import { insertBlock, moveBlock } from './change.ts'

/** What keys do besides writing: undo, move, leave a block. */
export const Keys = Extension.create({
  name: 'keys',
  addProseMirrorPlugins: () => [history({ depth: 200 }), gapCursor()],
  addKeyboardShortcuts() {
    const { editor } = this
    const run = (command: typeof undo) => () => command(editor.state, editor.view.dispatch)
    const move = (step: -1 | 1) => () => {
      const tr = moveBlock(editor.state, step)
      if (tr) editor.view.dispatch(tr)
      // Also where it cannot go any further: the browser would walk in its history.
      return true
    }
    // Of itself the browser does not go past a variable at the beginning or end of the page.
    const goTo = (side: 'atStart' | 'atEnd') => () => {
      const { state, view } = editor
      view.dispatch(state.tr.setSelection(Selection[side](state.doc)).scrollIntoView())
      return true
    }
    return {
      'Mod-Home': goTo('atStart'),
      'Mod-End': goTo('atEnd'),
      'Mod-z': run(undo),
      'Mod-Shift-z': run(redo),
      'Mod-y': run(redo),
      'Alt-ArrowUp': move(-1),
      'Alt-ArrowDown': move(1),
      Escape: () => editor.commands.selectParentNode(),
      Enter: () => {
        const { state, view } = editor
        const { selection } = state
        const { paragraph } = state.schema.nodes
        if (!paragraph) return false
        // A line after a block that holds none.
        if (selection instanceof NodeSelection && selection.node.isBlock) {
          const tr = insertBlock(state, paragraph.create())
          if (tr) view.dispatch(tr)
          return true
        }
        const { $from, empty } = selection
        const isTitle = ['heading', 'footer'].includes($from.parent.type.name)
        if (!isTitle || !empty || $from.parentOffset < $from.parent.content.size) return false
        // What follows a heading is a plain line, without its level and its condition.
        return editor.chain().splitBlock().updateAttributes('paragraph', { kept: null }).run()
      },
    }
  },
})
