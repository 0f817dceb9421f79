import type { Editor } from '@tiptap/core'
import { useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Menu, MenuStore } from './editing/menus.ts'

/** What `/` or `{{` offers, under the caret. The focus stays in the text; keys walk through the list. */
export function CaretMenu({ editor, store }: { editor: Editor; store: MenuStore }) {
  const menu = useSyncExternalStore(store.subscribe, store.get)
  const id = useId()
  useSaid(editor, id, menu)
  useEffect(() => {
    if (menu?.walked) document.getElementById(`${id}-${menu.active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, menu])
  return menu && <Rows key={`${menu.label}-${menu.range.from}`} id={id} menu={menu} editor={editor} store={store} />
}

/** Screen readers hear in the text which one is active. */
function useSaid(editor: Editor, id: string, menu: Menu | null): void {
  const isSaid = useRef(false)
  useEffect(() => {
    // There is no text to say it in before it is drawn; a menu is open only after that.
    if ((!menu && !isSaid.current) || editor.isDestroyed) return
    isSaid.current = menu !== null
    const { dom } = editor.view
    const said = { 'aria-controls': menu && `${id}-list`, 'aria-activedescendant': menu && `${id}-${menu.active}` }
    for (const [name, value] of Object.entries(said)) value ? dom.setAttribute(name, value) : dom.removeAttribute(name)
  }, [editor, id, menu])
}

type RowsProps = { id: string; menu: Menu; editor: Editor; store: MenuStore }

function Rows({ id, menu, editor, store }: RowsProps) {
  const list = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ left: 0, top: 0 })
  const { at } = menu
  useLayoutEffect(() => {
    const box = list.current
    if (!box) return
    const isBelow = at.bottom + box.offsetHeight + 8 < window.innerHeight || at.top < box.offsetHeight
    setPlace({
      left: Math.max(8, Math.min(at.left, window.innerWidth - box.offsetWidth - 8)),
      top: isBelow ? at.bottom + 6 : at.top - box.offsetHeight - 6,
    })
  }, [at.left, at.top, at.bottom])
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      // It scrolls, so it can be focused; while it is open, Tab chooses.
      tabIndex={0}
      aria-label={menu.label}
      style={place}
      className="fixed z-40 max-h-72 w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-pop"
    >
      {menu.rows.map((row, index) => (
        <div
          key={row.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === menu.active}
          onMouseDown={(event) => {
            event.preventDefault()
            row.choose(editor, menu.range)
          }}
          onMouseMove={() => index !== menu.active && store.set({ ...menu, active: index, walked: false })}
          className={`flex cursor-pointer items-center gap-2.5 rounded px-2 py-1.5 ${index === menu.active ? 'bg-accent-soft' : ''}`}
        >
          {row.glyph && (
            <span
              aria-hidden="true"
              className="flex size-7 shrink-0 items-center justify-center rounded border border-line bg-surface font-mono text-xs text-muted"
            >
              {row.glyph}
            </span>
          )}
          <span className={`min-w-0 flex-1 truncate ${row.glyph ? '' : 'font-mono text-xs'}`}>{row.label}</span>
          <span className="max-w-[55%] min-w-0 truncate text-xs text-muted">{row.detail}</span>
        </div>
      ))}
    </div>
  )
}
