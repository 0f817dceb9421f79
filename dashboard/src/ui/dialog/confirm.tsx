import { useState, useSyncExternalStore } from 'react'
import { Button } from '../button.tsx'
import { Field, Input } from '../form/form.tsx'
import { Dialog } from './dialog.tsx'

type Question = {
  title: string
  text: React.ReactNode
  /** What the button says: the verb, e.g. "Revoke key". */
  action: string
  danger?: boolean
  /** For what cannot be undone: this word must be typed first. */
  typeToConfirm?: string
}
type Asked = Question & { answer(yes: boolean): void }
let asked: Asked | null = null
const listeners = new Set<() => void>()

function set(next: Asked | null) {
  asked = next
  for (const listener of listeners) listener()
}

/** `if (await confirm({title, text, action: 'Delete', danger: true})) …` */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    set({
      ...question,
      answer: (yes) => {
        set(null)
        resolve(yes)
      },
    })
  })
}

export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
  return question && <ConfirmDialog {...question} />
}

function ConfirmDialog({ title, text, action, danger, typeToConfirm, answer }: Asked) {
  const [typed, setTyped] = useState('')
  const ready = !typeToConfirm || typed === typeToConfirm
  return (
    <Dialog
      open
      size="sm"
      title={title}
      onClose={() => answer(false)}
      footer={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button kind={danger ? 'danger' : 'primary'} disabled={!ready} onClick={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="text-muted">{text}</div>
        {typeToConfirm && (
          <Field label={`Type ${typeToConfirm} to confirm`}>
            <Input value={typed} onText={setTyped} autoFocus />
          </Field>
        )}
      </div>
    </Dialog>
  )
}
