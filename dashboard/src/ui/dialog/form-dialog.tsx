import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'

/** A small form to fill in and send: Enter sends it as the button does, Escape and Cancel leave it. */
export function FormDialog({
  title,
  action,
  busy,
  disabled = false,
  danger = false,
  size = 'sm',
  onSubmit,
  onClose,
  children,
}: {
  title: string
  /** What the button says. */
  action: string
  busy: boolean
  disabled?: boolean
  danger?: boolean
  size?: 'sm' | 'md'
  onSubmit(): void
  onClose(): void
  children: ReactNode
}) {
  return (
    <Dialog
      open
      size={size}
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled} onClick={onSubmit}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabled) onSubmit()
        }}
      >
        {children}
        {/* With several fields the browser sends by Enter only where there is a button. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
