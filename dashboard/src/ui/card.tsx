import type { ReactNode } from 'react'

type CardProps = {
  title?: string
  description?: ReactNode
  actions?: ReactNode
  /** Without inner margin, for tables and lists. */
  flush?: boolean
  className?: string
  children?: ReactNode
}

export function Card({ title, description, actions, flush, className, children }: CardProps) {
  return (
    <section className={`min-w-0 rounded-lg border border-line bg-surface shadow-card ${className ?? ''}`}>
      {(title || actions) && (
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-2.5">
          <div className="min-w-0">
            {title && <h2 className="text-base">{title}</h2>}
            {description && <p className="text-sm text-muted">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  )
}

/** Names and values, one under another: `<Facts items={[['Name', name], …]} />` */
export function Facts({ items }: { items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-6 gap-y-2">
      {items.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
