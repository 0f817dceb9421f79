import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** Why something cannot be done here, above what it is about. `action`: where it can be. */
export function Notice({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
    >
      <Icon name="lock" className="mt-0.5 self-start text-muted sm:self-center" />
      <p className="min-w-0 flex-1 basis-72">{children}</p>
      {action}
    </section>
  )
}
