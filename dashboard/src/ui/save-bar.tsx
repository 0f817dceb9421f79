import type { ReactNode } from 'react'
import type { ApiFault } from '../api/fault.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

type SaveBarProps = {
  isDirty: boolean
  isSaving: boolean
  refusal: ApiFault | null
  onSave(): void
  onDiscard(): void
  /** What is true as long as nothing is saved. */
  children: ReactNode
}

/** At the foot of a page on which something is not saved. Its buttons stand on the left: toasts come up on the right. */
export function SaveBar({ isDirty, isSaving, refusal, onSave, onDiscard, children }: SaveBarProps) {
  if (!isDirty && !refusal) return null
  const more = Object.keys(refusal?.errors ?? {}).length - 1
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-3 z-20 mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-raised px-4 py-2.5 shadow-pop"
    >
      <div className="flex gap-2">
        <Button kind="primary" busy={isSaving} disabled={!isDirty} onClick={onSave}>
          Save
        </Button>
        <Button disabled={isSaving} onClick={onDiscard}>
          Discard
        </Button>
      </div>
      {refusal ? (
        <div role="alert" className="flex min-w-0 flex-1 basis-60 items-start gap-2 text-bad">
          <Icon name="warn" className="mt-0.5" />
          <p className="min-w-0 break-words">
            {refusal.message}
            {more > 0 && ` And ${more} more.`}
          </p>
        </div>
      ) : (
        <p className="text-muted">{children}</p>
      )}
    </section>
  )
}
