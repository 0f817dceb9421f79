import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useId, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Field, Input, Textarea } from '../../../ui/form/form.tsx'
import { type Completion, completionAt, insertAt, type Variable } from './variables.ts'

type LiquidFieldProps = {
  label: string
  value: string
  onText(value: string): void
  variables: readonly Variable[]
  /** One line when absent. */
  rows?: number
  hint?: ReactNode
  error?: string | undefined
  required?: boolean
  placeholder?: string
}
type TextBox = HTMLTextAreaElement | HTMLInputElement

/** A field for a Liquid template: names are offered inside `{{`, filters after `|`. */
export function LiquidField({
  label,
  value,
  onText,
  variables,
  rows,
  hint,
  error,
  required,
  ...rest
}: LiquidFieldProps) {
  const completion = useCompletion(value, onText, variables)
  const { found, at, listId } = completion
  const shared = {
    ...rest,
    ...completion.handlers,
    value,
    onText,
    'aria-autocomplete': 'list' as const,
    ...(found && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${at}` }),
  }
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error} {...(required && { required })}>
        {rows ? <Textarea rows={rows} className="font-mono text-sm" {...shared} /> : <Input {...shared} />}
      </Field>
      <IconButton
        icon="braces"
        label={`Insert a variable into ${label}`}
        onClick={completion.openAll}
        className="absolute -top-1.5 right-0 !size-7"
      />
      {found && <Suggestions id={listId} items={found.items} at={at} onChoose={completion.choose} />}
    </div>
  )
}

function useCompletion(value: string, onText: (value: string) => void, variables: readonly Variable[]) {
  const listId = useId()
  const box = useRef<TextBox>(null)
  const [found, setFound] = useState<Completion | null>(null)
  const [at, setAt] = useState(0)
  const show = (next: Completion | null) => {
    setFound(next)
    setAt(0)
  }
  const look = ({ currentTarget: field }: SyntheticEvent<TextBox>) => {
    box.current = field
    show(completionAt(field.value, field.selectionStart ?? 0, variables))
  }
  const put = (text: string, caret: number) => {
    onText(text)
    show(null)
    // After React has written the new text, which moves the caret to its end.
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(caret, caret)
    })
  }
  const choose = (index: number) => {
    const item = found?.items[index]
    if (!item || !found) return
    const caret = box.current?.selectionStart ?? value.length
    const next = insertAt(value, found.from, caret, item.name)
    put(next.text, next.caret)
  }
  const keys = (event: KeyboardEvent<TextBox>) => {
    if (!found) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((at + step + found.items.length) % found.items.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(at)
    else if (event.key === 'Escape') show(null)
    else return
    event.preventDefault()
  }
  const openAll = () => {
    const caret = box.current?.selectionStart ?? value.length
    const text = `${value.slice(0, caret)}{{ ${value.slice(caret)}`
    put(text, caret + 3)
    setFound(completionAt(text, caret + 3, variables))
  }
  const follow = (event: SyntheticEvent<TextBox>) => {
    box.current = event.currentTarget
  }
  const handlers = { onInput: look, onKeyDown: keys, onSelect: follow, onFocus: follow, onBlur: () => show(null) }
  return { found, at, listId, choose, openAll, handlers }
}

type SuggestionsProps = { id: string; items: readonly Variable[]; at: number; onChoose(index: number): void }

function Suggestions({ id, items, at, onChoose }: SuggestionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      className="absolute inset-x-0 top-full z-30 mt-1 max-h-64 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-pop"
    >
      {items.map(({ name, about }, index) => (
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          // Before the field loses the focus, and with it the list.
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(index)
          }}
          className={`flex cursor-pointer items-baseline justify-between gap-3 rounded px-2 py-1 ${index === at ? 'bg-accent-soft' : 'hover:bg-hover'}`}
        >
          <span className="min-w-0 truncate font-mono text-xs">{name}</span>
          <span className="shrink-0 text-xs text-muted">{about}</span>
        </div>
      ))}
    </div>
  )
}
