import { type ReactNode, useState } from 'react'
import { Field, Textarea } from '../../ui/form/form.tsx'
import { parse } from './preview/sample-payload.ts'

type JsonFieldProps<T> = {
  label: string
  hint?: ReactNode
  value: unknown
  /** Undefined: the field was emptied. Not called while the text is no JSON, or not of the kind wanted. */
  onChange(value: T | undefined): void
  accepts(value: unknown): value is T
  wanted: string
  error?: string | undefined
  rows?: number
}

/** A JSON value to type. The text is kept as it is typed for as long as it says the same as the value. */
export function JsonField<T>({ label, hint, value, onChange, accepts, wanted, error, rows }: JsonFieldProps<T>) {
  const stored = value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
  const [typed, setTyped] = useState({ text: stored, of: stored })
  const text = typed.of === stored ? typed.text : stored
  const { value: read, fault } = text.trim() ? parse(text) : {}
  const wrong = fault ?? (text.trim() && !accepts(read) ? wanted : undefined)
  const change = (next: string) => {
    if (!next.trim()) {
      setTyped({ text: next, of: '' })
      return onChange(undefined)
    }
    const { value: changed } = parse(next)
    const fits = accepts(changed)
    setTyped({ text: next, of: fits ? JSON.stringify(changed, null, 2) : stored })
    if (fits) onChange(changed)
  }
  return (
    <Field label={label} hint={hint} error={wrong ?? error}>
      <Textarea
        rows={rows ?? Math.min(16, Math.max(3, text.split('\n').length))}
        className="font-mono text-sm"
        placeholder="{ }"
        value={text}
        onText={change}
      />
    </Field>
  )
}
