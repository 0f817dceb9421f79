import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { toFault } from '../../../api/fault.ts'
import type { PublishedEnvironment } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { SkeletonLines } from '../../../ui/spinner.tsx'
import { PlanSteps } from './plan-steps.tsx'
import { stepsOf } from './words.ts'

export type PlanInput = { dryRun: boolean; note?: string; fingerprint?: string }

type PlanDialogProps = {
  title: string
  action: string
  /** What this is, and what it does besides. */
  about: ReactNode
  danger?: boolean
  /** Of the difference that was looked at; absent: of what is tried now. */
  fingerprint?: string
  queryKey: readonly unknown[]
  run(input: PlanInput): Promise<PublishedEnvironment>
  doneTitle: string
  doneLink?(publicationId: string): ReactNode
  onDone(): Promise<unknown>
  onClose(): void
  /** When it was done and read; else as if it was closed. */
  onFinished?(): void
}

/** Tried first, so that it says exactly what will happen; then done, and what happened. */
export function PlanDialog({ title, action, about, danger = false, run, onDone, onClose, ...rest }: PlanDialogProps) {
  const [note, setNote] = useState('')
  const tried = useQuery({
    queryKey: ['publish-dry-run', ...rest.queryKey],
    queryFn: () => run({ dryRun: true, ...(rest.fingerprint && { fingerprint: rest.fingerprint }) }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const doing = useMutation({
    // What was shown, and nothing else.
    mutationFn: (fingerprint: string) => run({ dryRun: false, fingerprint, ...(note.trim() && { note: note.trim() }) }),
    onSuccess: onDone,
  })
  const error = doing.error ?? tried.error
  const plan = tried.data && stepsOf(tried.data)
  if (doing.data) return <Done {...rest} result={doing.data} onClose={rest.onFinished ?? onClose} />
  return (
    <FormDialog
      size="md"
      title={title}
      action={action}
      danger={danger}
      busy={doing.isPending}
      disabled={!plan || plan.done.length === 0}
      onSubmit={() => tried.data && doing.mutate(tried.data.fingerprint)}
      onClose={onClose}
    >
      <div className="text-muted">{about}</div>
      {error && <FaultNote fault={toFault(error)} />}
      {!plan && !error && <SkeletonLines lines={3} />}
      {plan && (
        <>
          <div>
            <p className="mb-2 font-medium">
              {plan.done.length > 0 ? 'This is what happens. Nothing has changed yet.' : 'Nothing would change.'}
            </p>
            <PlanSteps {...plan} />
          </div>
          {plan.done.length > 0 && (
            <Field label="Note" hint="Why, for whoever reads the history.">
              <Input value={note} onText={setNote} maxLength={1000} autoFocus />
            </Field>
          )}
        </>
      )}
    </FormDialog>
  )
}

type DoneProps = Pick<PlanDialogProps, 'doneTitle' | 'doneLink' | 'onClose'> & { result: PublishedEnvironment }

function Done({ doneTitle, doneLink, result, onClose }: DoneProps) {
  return (
    <Dialog
      open
      title={result.publicationId ? doneTitle : 'Nothing had to change'}
      onClose={onClose}
      footer={
        <>
          {result.publicationId && doneLink?.(result.publicationId)}
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <PlanSteps {...stepsOf(result)} />
    </Dialog>
  )
}
