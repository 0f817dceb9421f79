import type { Editor, Range } from '@tiptap/core'
import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useId, useRef, useState } from 'react'
import type { Variable } from '../ui/form/completion.ts'
import { IfEditable, useReadOnly } from '../ui/form/read-only.tsx'
import './blocks.css'
import { type BlockItem, blockItems, findBlocks, slotItem } from './editing/catalogue.ts'
import { insertBlock } from './editing/change.ts'
import { DragHandle } from './editing/drag-handle.ts'
import { Keys } from './editing/keys.ts'
import { type MenuRow, type MenuStore, makeMenuStore, menuExtension } from './editing/menus.ts'
import { findVariables, variablesAt } from './editing/offered.ts'
import { Paste } from './editing/paste.ts'
import { Placeholder } from './editing/placeholder.ts'
import { CaretMenu } from './menu.tsx'
import { Panel } from './panel.tsx'
import { fromEditor, type Originals, toEditor } from './schema/convert.ts'
import { schemaExtensions } from './schema/extensions.ts'
import { keptOf, readDocument, type Stored } from './schema/stored.ts'
import { Toolbar } from './toolbar.tsx'

export type BlockEditorProps = {
  /** What it is called for screen readers. */
  label: string
  /** The document as JSON; nothing is an empty one. */
  value: string
  onChange(value: string): void
  variables: readonly Variable[]
  /** Keys of translations, offered as `t.<key>`. */
  translations?: readonly string[]
  /** For layouts: offers a block that stands for the mail. */
  slot?: boolean
  error?: string | undefined
}

const empty: Stored = { type: 'doc', content: [{ type: 'paragraph' }] }

/** Writes a document of blocks (docs/templates.md). Begins anew when it is given another document than it gave. */
export default function BlockEditor(props: BlockEditorProps) {
  // What it gave and has not been given back yet: whoever types fast is ahead of the page.
  const given = useRef({ values: [props.value], count: 0 })
  const { values, count } = given.current
  const at = values.indexOf(props.value)
  given.current = at < 0 ? { values: [props.value], count: count + 1 } : { values: values.slice(at), count }
  const onChange = (value: string) => {
    given.current.values.push(value)
    props.onChange(value)
  }
  return <Writing key={given.current.count} {...props} onChange={onChange} />
}

function Writing({ label, value, onChange, variables, translations = [], slot = false, error }: BlockEditorProps) {
  const id = useId()
  const isReadOnly = useReadOnly()
  const [store] = useState(makeMenuStore)
  const translated = translations.map((key) => ({ name: `t.${key}`, about: 'translation' }))
  // The editor lives longer than what it was made with.
  const current = useRef({ variables: [...variables, ...translated], slot, onChange })
  current.current = { variables: [...variables, ...translated], slot, onChange }
  const [extensions] = useState(() => [
    ...schemaExtensions,
    ...[Keys, DragHandle, Placeholder, Paste, menusOf(store, () => current.current)],
  ])
  const originals = useRef<Originals>(new WeakMap())
  const editor = useEditor({
    extensions,
    // The page's policy allows no style elements; blocks.css has what is needed.
    injectCSS: false,
    editable: !isReadOnly,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-readonly': String(isReadOnly),
        'aria-label': label,
        'aria-autocomplete': 'list',
        ...(error && { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }),
      },
    },
    onBeforeCreate({ editor }) {
      const opened = toEditor(editor.schema, readDocument(value) ?? empty)
      originals.current = opened.originals
      Object.assign(editor.options, { content: opened.doc })
    },
    onUpdate: ({ editor }) => current.current.onChange(JSON.stringify(fromEditor(editor.state.doc, originals.current))),
  })
  // Somebody may protect the environment while it is open. The editor takes this only when it is told.
  useEffect(() => {
    if (editor.isEditable === isReadOnly) editor.setEditable(!isReadOnly, false)
  }, [editor, isReadOnly])
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className={`min-w-0 rounded-md border bg-surface ${error ? 'border-bad' : 'border-line-strong'}`}>
        <IfEditable>
          <Toolbar editor={editor} />
        </IfEditable>
        <EditorContent editor={editor} className="block-page" />
        <Panel editor={editor} variables={current.current.variables} />
      </div>
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
      <CaretMenu editor={editor} store={store} />
    </div>
  )
}

type Offered = { variables: readonly Variable[]; slot: boolean }

function menusOf(store: MenuStore, offered: () => Offered) {
  return menuExtension(store, {
    blocks: (query) => findBlocks(offered().slot ? [slotItem, ...blockItems] : blockItems, query).map(blockRow),
    variables: (query, editor) => findVariables(variablesAt(editor.state, offered().variables), query).map(variableRow),
  })
}

function blockRow({ label, about, glyph, block }: BlockItem): MenuRow {
  return { id: label, label, detail: about, glyph, choose: (editor, range) => putBlock(editor, range, block) }
}

function putBlock(editor: Editor, range: Range, block: object): void {
  editor.commands.deleteRange(range)
  const { doc } = toEditor(editor.schema, { type: 'doc', content: [block] })
  const tr = doc.firstChild && insertBlock(editor.state, doc.firstChild)
  if (tr) editor.view.dispatch(tr)
  editor.view.focus()
}

function variableRow({ name, about, type }: Variable): MenuRow {
  const choose = (editor: Editor, range: Range) => {
    const variable = { type: 'variable', attrs: { kept: keptOf({ id: name }) } }
    editor.chain().focus().insertContentAt(range, variable).run()
  }
  return { id: name, label: name, detail: type ? `${type} · ${about}` : about, choose }
}
