import { useLocation } from '@tanstack/react-router'
import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react'
import { addressOf, pageElsewhere } from '../lib/address.ts'
import { useFollow } from '../lib/follow.ts'
import { paths } from '../lib/paths.ts'
import { type ShownEnvironment, useSession } from '../lib/session.ts'
import { Anchor } from '../ui/anchor.tsx'
import { useModal } from '../ui/dialog/dialog.tsx'
import { EnvironmentDot, EnvironmentMarks } from '../ui/environment.tsx'
import { useListbox } from '../ui/form/use-listbox.ts'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { listPaths } from './nav-items.ts'

const buttonId = 'environment-switcher'

/** Which environment this is; opens the list of the others. */
export function SwitcherButton({ environment, onOpen }: { environment: ShownEnvironment; onOpen(): void }) {
  return (
    <button
      id={buttonId}
      type="button"
      aria-haspopup="dialog"
      title="Switch the environment (v)"
      onClick={onOpen}
      className="flex h-8 min-w-0 items-center gap-2 rounded-md border border-transparent px-2 hover:border-line-strong hover:bg-hover"
    >
      <EnvironmentDot color={environment.color} />
      <span className="sr-only">Environment</span>
      <span className="truncate font-medium">{environment.name}</span>
      <EnvironmentMarks environment={environment} />
      <Icon name="updown" size={14} className="text-faint" />
    </button>
  )
}

// As many are seen at one glance; with more, the field that finds one is shown.
const fewAtMost = 6

/** Another environment, at the same list if this is one. Typing finds, also where the field is not shown. */
export function Switcher({ onClose }: { onClose(): void }) {
  const element = useRef<HTMLDialogElement>(null)
  useModal(element, true)
  const { environment, environments } = useSession()
  const { pathname } = useLocation()
  const follow = useFollow()
  const [text, setText] = useState('')
  const found = environments.filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(text.toLowerCase()))
  const listbox = useListbox({
    label: 'Environments',
    items: found,
    open: true,
    firstActive: true,
    followsPointer: true,
    onChoose: (chosen) => {
      if (!chosen) return
      onClose()
      if (chosen.id !== environment.id) follow(addressOf(chosen.slug, pageElsewhere(pathname, listPaths)))
    },
  })
  const isShort = environments.length <= fewAtMost
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without us; the click is one on the backdrop.
    <dialog
      ref={element}
      aria-label="Switch the environment"
      style={usePlace()}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
      className="m-0 w-80 max-w-[calc(100vw-1.5rem)] overflow-hidden rounded-lg border border-line bg-raised shadow-pop backdrop:bg-transparent!"
    >
      <input
        {...listbox.combobox}
        data-autofocus
        aria-label="Find an environment"
        placeholder="Find an environment"
        value={text}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value)
          listbox.reset()
        }}
        className={isShort ? 'sr-only' : 'h-10 w-full border-b border-line bg-transparent px-3.5 outline-none'}
      />
      <div {...listbox.list} className="max-h-[50vh] overflow-y-auto p-1.5">
        {found.map((it, index) => (
          <div
            key={it.id}
            {...listbox.option(index)}
            className={`flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 ${index === listbox.active ? 'bg-accent-soft' : ''}`}
          >
            <EnvironmentDot color={it.color} />
            <span className="min-w-0 truncate">{it.name}</span>
            <EnvironmentMarks environment={it} />
            {it.id === environment.id && (
              <span className="ml-auto text-accent">
                <Icon name="check" />
                <span className="sr-only">you are here</span>
              </span>
            )}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-4 pb-3 text-muted">No environment “{text}”.</p>}
      <div className="flex items-center justify-between gap-3 border-t border-line px-4 py-2 text-sm text-muted">
        <Anchor href={paths.environments} onClick={onClose} className="rounded hover:text-ink hover:underline">
          All environments
        </Anchor>
        <Kbd keys="v" />
      </div>
    </dialog>
  )
}

/** Under its button, which stands elsewhere on a phone. */
function usePlace(): CSSProperties {
  const [left, setLeft] = useState(12)
  useLayoutEffect(() => {
    const button = document.getElementById(buttonId)?.getBoundingClientRect()
    // A phone has room for it only from the edge.
    if (button && window.innerWidth >= 640) setLeft(button.left)
  }, [])
  return { top: 50, left }
}
