import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import type { TriggerResult } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { Status } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { PersonPicker } from './preview/person-picker.tsx'
import { PayloadField } from './preview/preview.tsx'
import type { Sample } from './preview/sample.ts'
import { stepIcon } from './steps/step-types.ts'
import type { Editing } from './use-editing.ts'

type TestRunProps = { editing: Editing; sample: Sample; onClose(): void }

/** Triggers the workflow as a program would, for one person, and follows what becomes of it. */
export function TestRun({ editing, sample, onClose }: TestRunProps) {
  const run = useRun(editing, sample)
  const { base, isDirty } = editing
  const label = isDirty ? 'Save and run' : run.transactionId ? 'Run again' : 'Run'
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Test ${base.name}`}
      description="A real event: what the steps send is really sent."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            kind="primary"
            icon="play"
            busy={run.isBusy}
            disabled={!sample.person || Boolean(sample.fault) || !base.active}
            onClick={() => void run.start()}
          >
            {label}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {!base.active && (
          <p className="rounded-md bg-warn-soft px-3 py-2 text-warn">
            The workflow is off: its events are refused. Switch it on first.
          </p>
        )}
        <PersonPicker
          label="To"
          value={sample.person}
          onChange={sample.setPerson}
          hint="An id that nobody has makes a new person; an e-mail address as the id is also where they get mail."
        />
        <PayloadField sample={sample} />
        {run.fault && <FaultNote fault={run.fault} />}
        {run.refused && <Refused result={run.refused} />}
        {run.transactionId && <Outcome transactionId={run.transactionId} />}
      </div>
    </Dialog>
  )
}

function useRun(editing: Editing, sample: Sample) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<ApiFault | null>(null)
  const [result, setResult] = useState<TriggerResult | null>(null)
  const start = async () => {
    setBusy(true)
    setFault(null)
    setResult(null)
    try {
      if (await editing.save()) {
        const { workflowId } = editing.base
        const body = { name: workflowId, to: await recipient(sample.person), payload: sample.payload }
        setResult(await api.post('/v1/events/trigger', { body }))
      }
    } catch (error) {
      setFault(toFault(error))
    }
    setBusy(false)
  }
  const isProcessed = result?.status === 'processed'
  return {
    isBusy,
    // What saving refused is said here too: the bar that says it lies under this dialog.
    fault: fault ?? editing.refusal,
    refused: result && !isProcessed ? result : null,
    transactionId: isProcessed ? result.transactionId : undefined,
    start,
  }
}

/** An address that is nobody's id yet becomes somebody with that address: there is a mail to look at in the first minute. */
async function recipient(person: string): Promise<string | { subscriberId: string; email: string }> {
  if (!person.includes('@')) return person
  const known = await api.get('/v2/subscribers', { query: { subscriberId: person, limit: 1 } })
  return known.data.length > 0 ? person : { subscriberId: person, email: person }
}

const reasons: Record<string, string> = {
  trigger_not_active: 'The workflow is off.',
  no_workflow_steps_defined: 'The workflow has no steps.',
  no_workflow_active_steps_defined: 'All steps of the workflow are off.',
}

function Refused({ result }: { result: TriggerResult }) {
  const said = result.error?.join(' ') || reasons[result.status] || result.status.replaceAll('_', ' ')
  return (
    <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 break-words text-bad">
      The event was refused: {said}
    </div>
  )
}

const done = ['completed', 'failed', 'canceled', 'merged', 'skipped']

/** Asked until every step has its outcome, or waits. */
function Outcome({ transactionId }: { transactionId: string }) {
  const { data } = useQuery({
    queryKey: ['test-run', transactionId],
    queryFn: ({ signal }) => api.get('/v1/notifications', { query: { transactionId, limit: 1 }, signal }),
    refetchInterval: ({ state }) => {
      const jobs = state.data?.data[0]?.jobs
      return jobs && jobs.length > 0 && jobs.every(({ status }) => done.includes(status)) ? false : 1000
    },
  })
  const event = data?.data[0]
  return (
    <section aria-live="polite" className="rounded-md border border-line">
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-2">
        <h3 className="flex items-center gap-2">
          {event ? <Icon name="check" className="text-ok" /> : <Spinner size={14} />}
          {event ? 'Triggered' : 'Accepted, waiting for its steps'}
        </h3>
        {event && (
          <ButtonLink size="sm" icon="activity" href={paths.event(event._id)}>
            Show in activity
          </ButtonLink>
        )}
      </header>
      <ul className="flex flex-col gap-2 px-3 py-2.5">
        {event?.jobs.map((job) => (
          <li key={job._id} className="flex items-start gap-2.5">
            <Icon name={stepIcon(job.type)} size={14} className="mt-1 text-muted" />
            <span className="min-w-0 flex-1">
              <span className="block truncate">{job.step.name ?? job.type}</span>
              {job.status !== 'completed' && (
                <span className="block text-sm break-words text-muted">{job.executionDetails.at(-1)?.detail}</span>
              )}
            </span>
            <Status value={job.status} />
          </li>
        ))}
        {!event && <li className="font-mono text-xs break-all text-muted">{transactionId}</li>}
      </ul>
    </section>
  )
}
