import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { IconButton } from '../button.tsx'
import { type Completion, completionAt, insertAt, type Variable } from './completion.ts'
import { Field, Input, Textarea } from './form.tsx'
import { IfEditable } from './read-only.tsx'
import { type Listbox, useListbox } from './use-listbox.ts'

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
  const shared = { ...rest, ...completion.listbox.textbox, ...completion.handlers, value, onText }
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error} {...(required && { required })}>
        {rows ? <Textarea rows={rows} className="font-mono text-sm" {...shared} /> : <Input {...shared} />}
      </Field>
      <IfEditable>
        <IconButton
          icon="braces"
          label={`Insert a variable into ${label}`}
          onClick={completion.openAll}
          className="absolute -top-1.5 right-0 !size-7"
        />
      </IfEditable>
      <Suggestions {...completion} />
    </div>
  )
}

function useCompletion(value: string, onText: (value: string) => void, variables: readonly Variable[]) {
  const box = useRef<TextBox>(null)
  const [found, setFound] = useState<Completion | null>(null)
  const items = found?.items ?? []
  const listbox = useListbox({
    label: 'Suggestions',
    items,
    open: found !== null,
    firstActive: true,
    chooseKeys: ['Tab'],
    onChoose: (item) => item && choose(item),
    onClose: () => show(null),
  })
  const show = (next: Completion | null) => {
    setFound(next)
    listbox.reset()
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
  const choose = ({ name }: Variable) => {
    const caret = box.current?.selectionStart ?? value.length
    const next = insertAt(value, found?.from ?? caret, caret, name)
    put(next.text, next.caret)
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
  const handlers = { onInput: look, onSelect: follow, onFocus: follow, onBlur: () => show(null) }
  return { items, listbox, openAll, handlers }
}

function Suggestions({ items, listbox }: { items: readonly Variable[]; listbox: Listbox }) {
  if (!listbox.isShown) return null
  return (
    <div
      {...listbox.list}
      className="absolute inset-x-0 top-full z-30 mt-1 max-h-64 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-pop"
    >
      {items.map(({ name, about, type }, index) => (
        <div
          key={name}
          {...listbox.option(index)}
          className={`flex cursor-pointer items-baseline justify-between gap-3 rounded px-2 py-1 ${index === listbox.active ? 'bg-accent-soft' : 'hover:bg-hover'}`}
        >
          <span className="min-w-0 truncate font-mono text-xs">{name}</span>
          <span className="shrink-0 text-xs text-muted">{type ? `${type} · ${about}` : about}</span>
        </div>
      ))}
    </div>
  )
}
