import type { ReactNode } from 'react'
import type { ResourceDiff } from '../../../api/types.ts'
import { counted } from './words.ts'

type ChosenBarProps = {
  all: readonly ResourceDiff[]
  chosen: ReadonlySet<string>
  along: ReadonlySet<string>
  again: ReactNode
  /** The button that publishes, for those who may. */
  children: ReactNode
}

/** Stays in sight at the foot: how much is chosen. Its buttons stand on the left: toasts come up on the right. */
export function ChosenBar({ all, chosen, along, again, children }: ChosenBarProps) {
  const staying = all.filter(({ onlyIfChosen }) => onlyIfChosen).length
  return (
    <section
      aria-label="What is chosen"
      className="sticky bottom-3 z-20 mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-raised px-4 py-2.5 shadow-pop"
    >
      <div className="flex flex-wrap gap-2">
        {children}
        {again}
      </div>
      <p className="text-muted" role="status">
        {children ? `${chosen.size} of ${counted(all.length, 'difference')} chosen` : counted(all.length, 'difference')}
        {along.size > 0 && `, ${along.size} more ${along.size === 1 ? 'goes' : 'go'} along`}
        {staying > 0 && `. ${staying} only there: ${staying === 1 ? 'it stays' : 'they stay'} unless chosen`}
      </p>
    </section>
  )
}
