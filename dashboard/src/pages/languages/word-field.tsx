import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { toFault } from '../../api/fault.ts'
import { Badge } from '../../ui/badge.tsx'
import { useReadOnly } from '../../ui/form/read-only.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { WordCell } from './rows.ts'

type WordFieldProps = {
  wordKey: string
  cell: WordCell
  /** '': the text is taken away. */
  onSave(text: string): Promise<void>
}

/** One text in one language. Opened by a click or Enter; Enter and leaving it save, Escape does not. */
export function WordField({ wordKey, cell, onSave }: WordFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isReadOnly = useReadOnly()
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = (returns: boolean) => {
    // Whoever went on to another field meanwhile stays there.
    const isHere = box.current?.contains(document.activeElement)
    setTyped(null)
    setFault(undefined)
    if (returns && isHere) setTimeout(() => button.current?.focus())
  }
  const save = async (returns: boolean) => {
    if (busy || typed === null) return
    if (typed === (cell.text ?? '')) return close(returns)
    setBusy(true)
    try {
      await onSave(typed)
      close(returns)
    } catch (error) {
      const found = toFault(error)
      setFault(found.of(`content.${wordKey}`) ?? found.message)
    }
    setBusy(false)
  }
  const name = `${wordKey} in ${cell.locale}`
  if (isReadOnly) {
    return (
      <div className="px-2 py-1.5 break-words whitespace-pre-wrap">
        <Standing cell={cell} />
      </div>
    )
  }
  if (typed === null) {
    return (
      <button
        ref={button}
        type="button"
        onClick={() => setTyped(cell.text ?? '')}
        className="block w-full rounded-md px-2 py-1.5 text-left break-words whitespace-pre-wrap hover:bg-hover"
      >
        <span className="sr-only">{name}: </span>
        <Standing cell={cell} />
      </button>
    )
  }
  return (
    <div ref={box} className="relative">
      <Area
        id={id}
        label={name}
        value={typed}
        fault={fault}
        readOnly={busy}
        placeholder={cell.instead?.text}
        onText={(text) => {
          setTyped(text)
          setFault(undefined)
        }}
        onBlur={() => void save(false)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void save(true)
          }
          if (event.key === 'Escape') {
            event.stopPropagation()
            close(true)
          }
        }}
      />
      {busy && (
        <span role="status" className="absolute top-2 right-2 text-muted">
          <Spinner size={14} />
          <span className="sr-only">Saving</span>
        </span>
      )}
      {fault && (
        <p id={`${id}-error`} role="alert" className="px-1 pt-1 text-sm break-words text-bad">
          {fault}
        </p>
      )}
    </div>
  )
}

/** What is there, or what readers get instead of it. */
function Standing({ cell: { text, isMissing, instead } }: { cell: WordCell }) {
  if (text !== null) return text === '' ? <span className="text-faint">empty</span> : text
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {isMissing && <Badge tone="warn">missing</Badge>}
      {instead ? (
        <span className="min-w-0 text-sm text-faint">
          as in <span className="font-mono text-xs">{instead.locale}</span>
        </span>
      ) : (
        !isMissing && <span className="text-faint">–</span>
      )}
    </span>
  )
}

type AreaProps = {
  id: string
  label: string
  value: string
  fault: string | undefined
  readOnly: boolean
  placeholder: string | undefined
  onText(text: string): void
  onBlur(): void
  onKeyDown(event: KeyboardEvent): void
}

/** As high as its text. */
function Area({ id, label, fault, onText, ...rest }: AreaProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    area.current?.focus()
    area.current?.select()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height
  useEffect(() => {
    const { current } = area
    if (!current) return
    current.style.height = '0'
    current.style.height = `${current.scrollHeight + 2}px`
  }, [rest.value])
  return (
    <textarea
      ref={area}
      aria-label={label}
      {...(fault && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
      rows={1}
      spellCheck
      onChange={(event) => onText(event.target.value)}
      className="control resize-none overflow-hidden px-[7px]! py-[5px]!"
      {...rest}
    />
  )
}
