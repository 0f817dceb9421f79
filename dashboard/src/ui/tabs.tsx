import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react'

type TabsProps<Id extends string> = {
  label: string
  items: readonly { id: Id; label: ReactNode }[]
  value: NoInfer<Id>
  onChange(id: NoInfer<Id>): void
  children?: ReactNode
}

/** Tabs with their panel. `children` is what the chosen tab shows. */
export function Tabs<Id extends string>({ label, items, value, onChange, children }: TabsProps<Id>) {
  const id = useId()
  // On a phone the chosen tab may lie outside the row.
  useEffect(() => {
    const tab = document.getElementById(`${id}-${value}`)
    const row = tab?.parentElement
    if (!tab || !row) return
    const [place, frame] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
    if (place.left < frame.left || place.right > frame.right) row.scrollLeft += place.left - frame.left - 40
  }, [id, value])
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const at = items.findIndex((item) => item.id === value)
    const next = items[(at + step + items.length) % items.length]
    if (!next) return
    onChange(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  return (
    <div className="min-w-0">
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="flex gap-5 overflow-x-auto shadow-[inset_0_-1px_var(--color-line)]"
      >
        {items.map((item) => (
          <button
            key={item.id}
            id={`${id}-${item.id}`}
            type="button"
            role="tab"
            aria-selected={item.id === value}
            aria-controls={`${id}-panel`}
            tabIndex={item.id === value ? 0 : -1}
            onClick={() => onChange(item.id)}
            className={`border-b-2 pt-1 pb-2 font-medium whitespace-nowrap transition-colors focus-visible:outline-offset-[-2px] ${
              item.id === value ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink'
            }`}
          >
            {item.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`} className="pt-4">
        {children}
      </div>
    </div>
  )
}

/** A few exclusive choices in one row, e.g. 1 h · 24 h · 7 d. */
export function Segments<Id extends string>({ label, items, value, onChange }: Omit<TabsProps<Id>, 'children'>) {
  return (
    <fieldset className="inline-flex rounded-md border border-line-strong bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          aria-pressed={item.id === value}
          onClick={() => onChange(item.id)}
          className={`h-6.5 rounded px-2 text-sm font-medium whitespace-nowrap transition-colors ${
            item.id === value ? 'bg-neutral-soft text-ink' : 'text-muted hover:text-ink'
          }`}
        >
          {item.label}
        </button>
      ))}
    </fieldset>
  )
}
