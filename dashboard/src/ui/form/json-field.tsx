import type { ReactNode } from 'react'
import { Field, Textarea } from './form.tsx'

export type ReadObject = { value: Record<string, unknown> } | { fault: string }

/** The object somebody typed. Nothing typed is an empty one. */
export function readObject(text: string): ReadObject {
  if (!text.trim()) return { value: {} }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: value as Record<string, unknown> }
    }
    return { fault: 'Must be an object: { … }' }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'This is not JSON.' }
  }
}

type JsonFieldProps = {
  label: string
  text: string
  onText(text: string): void
  hint?: ReactNode
  error?: string | undefined
  rows?: number
  className?: string
}

/** An object as JSON, checked as it is typed. */
export function JsonField({ label, text, onText, hint, error, rows = 5, className }: JsonFieldProps) {
  const read = readObject(text)
  const fault = 'fault' in read ? read.fault : error
  return (
    <Field label={label} hint={hint} error={fault} {...(className && { className })}>
      <Textarea rows={rows} value={text} onText={onText} className="font-mono text-xs! leading-5!" placeholder="{ }" />
    </Field>
  )
}
