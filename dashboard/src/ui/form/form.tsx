import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useId,
} from 'react'
import { useReadOnly } from './read-only.tsx'

type FieldLinks = { id?: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }
const FieldContext = createContext<FieldLinks>({})

type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  required?: boolean
  /** The label is there for screen readers only. */
  hideLabel?: boolean
  className?: string
  children: ReactNode
}

/** Label, control, hint and what is wrong with it. The control inside (`Input`, `Select`, …) finds its links itself. */
export function Field({ label, hint, error, required, hideLabel, className, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const links: FieldLinks = {
    id,
    ...(describedBy && { 'aria-describedby': describedBy }),
    ...(error && { 'aria-invalid': true }),
  }
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${className ?? ''}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium text-ink'}>
        {label}
        {required && <span className="ml-1 font-normal text-faint">(required)</span>}
      </label>
      <FieldContext value={links}>{children}</FieldContext>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

type OnText = { onText?: (value: string) => void }

export function Input({
  onText,
  onChange,
  className,
  placeholder,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & OnText) {
  const links = useContext(FieldContext)
  const isReadOnly = useReadOnly()
  return (
    <input
      {...links}
      readOnly={isReadOnly}
      // An example would be taken for what is set.
      placeholder={isReadOnly ? undefined : placeholder}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        onChange?.(event)
        onText?.(event.target.value)
      }}
      className={`control h-8 ${className ?? ''}`}
      data-autofocus={rest.autoFocus}
      {...rest}
    />
  )
}

export function Textarea({
  onText,
  onChange,
  className,
  rows = 4,
  placeholder,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & OnText) {
  const links = useContext(FieldContext)
  const isReadOnly = useReadOnly()
  return (
    <textarea
      {...links}
      readOnly={isReadOnly}
      placeholder={isReadOnly ? undefined : placeholder}
      rows={rows}
      spellCheck={false}
      onChange={(event) => {
        onChange?.(event)
        onText?.(event.target.value)
      }}
      className={`control resize-y py-1.5 ${className ?? ''}`}
      data-autofocus={rest.autoFocus}
      {...rest}
    />
  )
}

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'children'> &
  OnText & { options: readonly (string | { value: string; label: string; disabled?: boolean })[] }

export function Select({ options, onText, onChange, className, disabled, ...rest }: SelectProps) {
  const links = useContext(FieldContext)
  return (
    <select
      {...links}
      disabled={useReadOnly() || disabled}
      onChange={(event) => {
        onChange?.(event)
        onText?.(event.target.value)
      }}
      className={`control h-8 pr-1 ${className ?? ''}`}
      {...rest}
    >
      {options.map((option) => {
        const one = typeof option === 'string' ? { value: option, label: option } : option
        return (
          <option key={one.value} value={one.value} disabled={one.disabled}>
            {one.label}
          </option>
        )
      })}
    </select>
  )
}

type SwitchProps = {
  label: string
  checked: boolean
  onChange(checked: boolean): void
  disabled?: boolean
  hideLabel?: boolean
  hint?: ReactNode
  /** What it is called for screen readers, where the label alone says too little. */
  name?: string
}

export function Switch({ label, checked, onChange, disabled, hideLabel, hint, name }: SwitchProps) {
  const id = useId()
  const isReadOnly = useReadOnly()
  return (
    <div className="flex items-start gap-2.5">
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        {...(name ? { 'aria-label': name } : { 'aria-labelledby': id })}
        disabled={disabled || isReadOnly}
        onClick={() => onChange(!checked)}
        className={`relative mt-px h-[18px] w-8 shrink-0 rounded-full transition-colors disabled:opacity-50 ${checked ? 'bg-accent' : 'bg-faint'}`}
      >
        <span
          className={`absolute top-0.5 left-0.5 size-3.5 rounded-full bg-surface transition-transform ${checked ? 'translate-x-3.5' : ''}`}
        />
      </button>
      <div className={hideLabel ? 'sr-only' : ''}>
        <span id={id} className="text-base">
          {label}
        </span>
        {hint && <p className="text-sm text-muted">{hint}</p>}
      </div>
    </div>
  )
}

export function Checkbox({
  label,
  hideLabel,
  partly = false,
  className,
  disabled,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hideLabel?: boolean
  /** Of a box for several: some of them are chosen. */
  partly?: boolean
}) {
  const mark = (input: HTMLInputElement | null) => {
    if (input) input.indeterminate = partly
  }
  return (
    <label className={`inline-flex items-center gap-2 ${className ?? ''}`}>
      <input
        ref={mark}
        type="checkbox"
        disabled={useReadOnly() || disabled}
        className="size-4 accent-accent"
        {...rest}
      />
      <span className={hideLabel ? 'sr-only' : ''}>{label}</span>
    </label>
  )
}
