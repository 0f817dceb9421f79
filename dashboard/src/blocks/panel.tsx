import type { Editor } from '@tiptap/core'
import { NodeSelection, type Transaction } from '@tiptap/pm/state'
import { useEditorState } from '@tiptap/react'
import { IconButton } from '../ui/button.tsx'
import type { Variable } from '../ui/form/completion.ts'
import { IfEditable } from '../ui/form/read-only.tsx'
import { AttributeField } from './attribute-field.tsx'
import { changeAttrs, duplicateBlock, moveBlock, removeBlock } from './editing/change.ts'
import { blockName, fieldsOf } from './editing/fields.ts'
import { listsAmong, variablesAt } from './editing/offered.ts'
import { pathAt, type Spot } from './editing/places.ts'
import { Glyph } from './glyph.tsx'
import { nameOf } from './schema/opaque.ts'
import { attrsOf } from './schema/stored.ts'

type PanelProps = { editor: Editor; variables: readonly Variable[] }

/** What is set about the block of the caret, and about what is around it. */
export function Panel({ editor, variables }: PanelProps) {
  const state = useEditorState({ editor, selector: ({ editor: { state } }) => state })
  const path = pathAt(state)
  const chosen = path.at(-1)
  if (!chosen) return null
  const offered = variablesAt(state, variables)
  const fields = fieldsOf(chosen.node.type.name)
  return (
    <section aria-label="The chosen block" className="flex flex-col gap-3 border-t border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Path editor={editor} path={path} />
        <IfEditable>
          <Actions editor={editor} spot={chosen} />
        </IfEditable>
      </div>
      {fields.length > 0 && (
        <div className="grid gap-3 sm:grid-cols-2">
          {fields.map((field) => (
            <AttributeField
              key={`${chosen.node.type.name}-${field.name}`}
              field={field}
              attrs={attrsOf(chosen.node)}
              variables={field.kind === 'list' ? listsAmong(offered) : offered}
              onChange={(changes) => dispatch(editor, changeAttrs(editor.state, chosen.pos, changes))}
            />
          ))}
        </div>
      )}
    </section>
  )
}

function dispatch(editor: Editor, tr: Transaction | null): void {
  if (tr) editor.view.dispatch(tr)
}

const titleOf = ({ node }: Spot) => ('json' in node.attrs ? nameOf(node.attrs.json) : blockName(node.type.name))

/** From the outside to the inside; each can be chosen, as by the mouse in the text. */
function Path({ editor, path }: { editor: Editor; path: readonly Spot[] }) {
  const choose = ({ pos }: Spot) => {
    const { state } = editor
    dispatch(editor, state.tr.setSelection(NodeSelection.create(state.doc, pos)))
  }
  return (
    <nav aria-label="Where it stands" className="flex min-w-0 flex-wrap items-center gap-1 text-sm">
      {path.map((spot, index) => {
        const isLast = index === path.length - 1
        return (
          <span key={spot.pos} className="flex items-center gap-1">
            {index > 0 && (
              <span aria-hidden="true" className="text-faint">
                ›
              </span>
            )}
            <button
              type="button"
              aria-current={isLast || undefined}
              onClick={() => choose(spot)}
              className={`rounded px-1 hover:bg-hover ${isLast ? 'font-semibold' : 'text-muted'}`}
            >
              {titleOf(spot)}
            </button>
          </span>
        )
      })}
    </nav>
  )
}

function Actions({ editor, spot }: { editor: Editor; spot: Spot }) {
  const isBlock = spot.node.isBlock
  const move = (step: -1 | 1) => dispatch(editor, moveBlock(editor.state, step))
  const look = 'inline-flex size-7 items-center justify-center rounded text-muted hover:bg-hover hover:text-ink'
  return (
    <div className="flex items-center">
      {isBlock && (
        <>
          <button type="button" aria-label="Move up" title="Move up (Alt ↑)" className={look} onClick={() => move(-1)}>
            <Glyph name="up" />
          </button>
          <button
            type="button"
            aria-label="Move down"
            title="Move down (Alt ↓)"
            className={look}
            onClick={() => move(1)}
          >
            <Glyph name="down" />
          </button>
          <IconButton
            icon="copy"
            label="Duplicate"
            className="size-7!"
            onClick={() => dispatch(editor, duplicateBlock(editor.state, spot))}
          />
        </>
      )}
      <IconButton
        icon="trash"
        label="Delete"
        className="size-7!"
        onClick={() => dispatch(editor, removeBlock(editor.state, spot))}
      />
    </div>
  )
}
