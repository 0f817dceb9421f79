import { useSyncExternalStore } from 'react'
import { toFault } from '../api/fault.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

type Note = { id: number; tone: 'ok' | 'warn' | 'bad'; text: string }
let notes: readonly Note[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Note[]) {
  notes = next
  for (const listener of listeners) listener()
}
const dismiss = (id: number) => set(notes.filter((note) => note.id !== id))

function add(tone: Note['tone'], text: string) {
  lastId += 1
  const id = lastId
  set([...notes.slice(-2), { id, tone, text }])
  setTimeout(() => dismiss(id), tone === 'ok' ? 4000 : 9000)
}

/** `toast.ok('Saved')` · `toast.warn('Saved, but …')` · `toast.fault(error)` */
export const toast = {
  ok: (text: string) => add('ok', text),
  warn: (text: string) => add('warn', text),
  fault: (error: unknown) => add('bad', toFault(error).message),
}

const colours = { ok: 'text-ok', warn: 'text-warn', bad: 'text-bad' }

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notes,
  )
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2"
    >
      {shown.map((note) => (
        <div
          key={note.id}
          className="pointer-events-auto flex items-start gap-2.5 rounded-lg border border-line bg-raised py-2 pr-1.5 pl-3 shadow-pop"
        >
          <Icon name={note.tone === 'ok' ? 'check' : 'warn'} className={`mt-1.5 ${colours[note.tone]}`} />
          <p className="min-w-0 flex-1 py-1 break-words">{note.text}</p>
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(note.id)} />
        </div>
      ))}
    </div>
  )
}
