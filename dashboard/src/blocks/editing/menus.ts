import { type Editor, Extension, type Range } from '@tiptap/core'
import type { ResolvedPos } from '@tiptap/pm/model'
import { PluginKey } from '@tiptap/pm/state'
import { Suggestion, type SuggestionMatch, type SuggestionProps } from '@tiptap/suggestion'
import { walk } from '../../ui/form/listbox-keys.ts'

export type MenuRow = {
  id: string
  label: string
  detail: string
  glyph?: string
  choose(editor: Editor, range: Range): void
}
/** The open menu: what it offers, and where. */
export type Menu = {
  label: string
  rows: readonly MenuRow[]
  active: number
  walked: boolean
  at: DOMRect
  range: Range
}

/** What `/` and `{{` opened. React looks at it; the editor changes it. */
export type MenuStore = {
  get(): Menu | null
  set(menu: Menu | null): void
  subscribe(listener: () => void): () => void
}

export function makeMenuStore(): MenuStore {
  let menu: Menu | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => menu,
    set: (next) => {
      menu = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Opener = {
  label: string
  key: PluginKey
  /** What was typed before the caret: all of it, and what of it is searched for. */
  match: RegExp
  inCode: boolean
  rows(query: string, editor: Editor): readonly MenuRow[]
}

const slash = /(?:^|\s)(\/([^\s/][^/]{0,20}|))$/
const braces = /(\{\{\s?([\p{L}\p{N}_.-]{0,60}))$/u

export function menuExtension(
  store: MenuStore,
  rows: { blocks: Opener['rows']; variables: Opener['rows'] },
): Extension {
  const openers: Opener[] = [
    { label: 'Blocks', key: new PluginKey('blocks'), match: slash, inCode: false, rows: rows.blocks },
    { label: 'Variables', key: new PluginKey('variables'), match: braces, inCode: true, rows: rows.variables },
  ]
  return Extension.create({
    name: 'menus',
    // Before the keys of lists and lines.
    priority: 2_000,
    addProseMirrorPlugins() {
      return openers.map((opener) => suggestion(this.editor, store, opener))
    },
  })
}

function suggestion(editor: Editor, store: MenuStore, { label, key, match, inCode, rows }: Opener) {
  const show = ({ query, range, clientRect }: SuggestionProps) => {
    const found = rows(query, editor)
    const at = clientRect?.()
    store.set(found.length > 0 && at ? { label, rows: found, active: 0, walked: false, at, range } : null)
  }
  return Suggestion({
    editor,
    pluginKey: key,
    char: '/',
    decorationClass: 'block-typed',
    findSuggestionMatch: ({ $position }) => typedBefore($position, match),
    allow: ({ state, range }) => inCode || !state.doc.resolve(range.from).parent.type.spec.code,
    render: () => ({
      onStart: show,
      onUpdate: show,
      onExit: () => store.set(null),
      onKeyDown: ({ event }) => pressed(editor, store, event.key),
    }),
  })
}

export function typedBefore($position: ResolvedPos, pattern: RegExp): SuggestionMatch {
  const text = $position.nodeBefore?.isText ? ($position.nodeBefore.text ?? '') : ''
  const found = pattern.exec(text)
  if (!found) return null
  const [, typed = '', query = ''] = found
  return { range: { from: $position.pos - typed.length, to: $position.pos }, query, text: typed }
}

/** Whether the key was one of the menu's. */
function pressed(editor: Editor, store: MenuStore, key: string): boolean {
  const menu = store.get()
  if (!menu) return false
  const next = walk(menu, key, menu.rows.length)
  if (next) store.set({ ...menu, ...next })
  else if (key === 'Enter' || key === 'Tab') menu.rows[menu.active]?.choose(editor, menu.range)
  else return false
  return true
}
