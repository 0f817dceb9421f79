import type { ReactNode } from 'react'
import type { ApiFault } from '../api/fault.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

type EmptyProps = { icon?: IconName; title: string; children?: ReactNode; action?: ReactNode }

/** Nothing there yet: what this place is for, and the next step. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      {icon && (
        <div className="mb-4 flex size-10 items-center justify-center rounded-lg border border-line bg-bg text-muted">
          <Icon name={icon} size={18} />
        </div>
      )}
      <p className="text-base font-semibold">{title}</p>
      {children && <div className="mt-1 max-w-md text-muted">{children}</div>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

/** Something could not be read or done: the server's own words, and a way on. */
export function FaultNote({ fault, onRetry }: { fault: ApiFault; onRetry?: () => void }) {
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-md border border-bad/40 bg-bad-soft px-3 py-2.5 text-bad"
    >
      <Icon name="warn" className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="break-words">{fault.message}</p>
        {fault.requestId && fault.status >= 500 && (
          <p className="mt-0.5 font-mono text-xs">Request {fault.requestId}</p>
        )}
      </div>
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
