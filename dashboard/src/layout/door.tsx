import { type ReactNode, useEffect, useRef } from 'react'
import { BrandMark } from './nav.tsx'

type DoorProps = {
  title: string
  description?: ReactNode
  /** Under the card. */
  below?: ReactNode
  children?: ReactNode
}

/** The frame of the pages before one is in. At a step without a field the focus is on its heading, so that it is read. */
export function Door({ title, description, below, children }: DoorProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(true)
  useEffect(() => {
    document.title = `${title} · Tidings`
    const isFirst = first.current
    first.current = false
    if (!isFirst && (document.activeElement === null || document.activeElement === document.body))
      heading.current?.focus()
  }, [title])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex justify-center">
          <BrandMark />
        </div>
        <div className="rounded-xl border border-line bg-surface p-6 shadow-card">
          <h1 ref={heading} tabIndex={-1} className="text-lg outline-none">
            {title}
          </h1>
          {description && <div className="mt-1 text-muted">{description}</div>}
          {children}
        </div>
        {below && <div className="mt-4 text-center text-sm text-balance text-muted">{below}</div>}
      </div>
    </main>
  )
}
