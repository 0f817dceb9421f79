import type { ErrorComponentProps } from '@tanstack/react-router'
import { toFault } from '../api/fault.ts'
import { Button, ButtonLink } from './button.tsx'
import { Empty } from './empty.tsx'

/** A page that could not be drawn. */
export function Failure({ error, reset }: ErrorComponentProps) {
  const fault = toFault(error)
  // The code of a page is replaced by an update while the page is open.
  const stale = /dynamically imported module|Importing a module/.test(fault.message)
  return (
    <div className="mx-auto max-w-xl py-16" role="alert">
      <Empty
        icon="warn"
        title={stale ? 'Tidings was updated' : 'This page could not be shown'}
        action={
          <Button kind="primary" onClick={() => (stale ? location.reload() : reset())}>
            {stale ? 'Load the new version' : 'Try again'}
          </Button>
        }
      >
        {stale ? 'The page you asked for is of a newer version than this one.' : fault.message}
      </Empty>
    </div>
  )
}

export function NotFound() {
  return (
    <div className="mx-auto max-w-xl py-16">
      <Empty icon="search" title="There is no such page" action={<ButtonLink href="/">To the overview</ButtonLink>}>
        The address may be mistyped, or what it showed is gone.
      </Empty>
    </div>
  )
}
