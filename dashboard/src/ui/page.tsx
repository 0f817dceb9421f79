import { type ReactNode, useEffect } from 'react'
import type { Permission } from '../lib/may.ts'
import { useSession } from '../lib/session.ts'
import { Anchor } from './anchor.tsx'
import { Icon } from './icon.tsx'
import { MayNotNotice } from './may.tsx'

type PageProps = {
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** The list this page belongs to. */
  back?: { href: string; label: string }
  /** Beside the title: a badge, a switch. */
  beside?: ReactNode
  /** What changing something here needs: who may not is told so. */
  changedBy?: Permission
  children: ReactNode
}

/** The frame of every page: its heading, its actions, the title of the window. */
export function Page({ title, description, actions, back, beside, changedBy, children }: PageProps) {
  const { environment } = useSession()
  useEffect(() => {
    document.title = `${title} · ${environment.name} · Tidings`
  }, [title, environment.name])
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pt-5 pb-16 sm:px-6 sm:pt-7">
      {back && (
        <Anchor
          href={back.href}
          className="mb-2 inline-flex items-center gap-1 rounded text-sm text-muted hover:text-ink"
        >
          <Icon name="left" size={12} />
          {back.label}
        </Anchor>
      )}
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex min-w-0 flex-wrap items-center gap-2.5">
            <h1 className="min-w-0 text-xl break-words">{title}</h1>
            {beside}
          </div>
          {description && <p className="mt-0.5 max-w-2xl text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2 empty:hidden">{actions}</div>}
      </div>
      {changedBy && <MayNotNotice needs={changedBy} />}
      {children}
    </div>
  )
}

/** A row of filters above a list. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className="mb-3 flex flex-wrap items-end gap-2">{children}</div>
}
