import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toFault } from '../../api/fault.ts'
import type { WebhookEndpoint } from '../../api/types.ts'
import { usePause } from '../../lib/use-pause.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input, Select } from '../../ui/form/form.tsx'
import { Progress } from '../../ui/progress.tsx'
import { toast } from '../../ui/toast.tsx'
import { isoOf, toField } from './filter.ts'
import { type Count, countReplay, eventsWords, replayAll, type Span, sendSpan, type Which } from './replay.ts'

type ReplaySpanProps = {
  endpoint: WebhookEndpoint
  /** Of the filter of the list, if it has one. */
  began: string | undefined
  onClose(): void
  onDone(): void
}

const whichChoice = [
  { value: 'failed', label: 'What was given up' },
  { value: 'all', label: 'Everything, also what arrived' },
]
const dayMs = 86_400_000

/** The events of a span of time once more. It says how many before anything is sent. */
export function ReplaySpan({ endpoint, began, onClose, onDone }: ReplaySpanProps) {
  const [opened] = useState(() => new Date())
  const [draft, setDraft] = useState(() => ({
    since: toField(began ? new Date(began) : new Date(opened.getTime() - dayMs)),
    until: '',
    which: 'failed' as Which,
  }))
  const span = { ...draft, since: isoOf(draft.since) ?? '', until: isoOf(draft.until) ?? opened.toISOString() }
  const { count, fault } = useCount(endpoint._id, span)
  const { replay, done } = useReplaySpan(endpoint, span, () => {
    onDone()
    onClose()
  })
  const ask = async () => {
    if (!count || count.n === 0) return
    if (await confirm(questionOf(endpoint, draft.which, count))) replay.mutate()
  }
  return (
    <FormDialog
      title="Replay a time range"
      action={count && count.n > 0 ? `Replay ${eventsWords(count)}` : 'Replay'}
      busy={replay.isPending}
      disabled={!count || count.n === 0}
      onSubmit={() => void ask()}
      onClose={onClose}
    >
      {fault && <FaultNote fault={fault} />}
      <Field label="From">
        <Input type="datetime-local" value={draft.since} onText={(since) => setDraft({ ...draft, since })} autoFocus />
      </Field>
      <Field label="Until" hint="Empty: until now.">
        <Input type="datetime-local" value={draft.until} onText={(until) => setDraft({ ...draft, until })} />
      </Field>
      <Field label="Which">
        <Select
          value={draft.which}
          options={whichChoice}
          onText={(which) => setDraft({ ...draft, which: which === 'all' ? 'all' : 'failed' })}
        />
      </Field>
      <p role="status" className="text-muted">
        {countWords(count, draft.which)}
      </p>
      {replay.isPending && (
        <Progress label="Replaying" value={done} max={count?.n ?? 1} note={eventsWords({ n: done, capped: false })} />
      )}
    </FormDialog>
  )
}

function useCount(endpointId: string, span: Span) {
  const settled = usePause(JSON.stringify(span))
  const asked: Span = JSON.parse(settled)
  const { data, error } = useQuery({
    queryKey: ['webhook-replay-count', endpointId, settled],
    queryFn: ({ signal }) => countReplay(endpointId, asked, signal),
    enabled: asked.since !== '',
    staleTime: 0,
  })
  // A count of another span says nothing about this one.
  const isOfThis = settled === JSON.stringify(span) && !error && span.since !== ''
  return { count: isOfThis ? data : undefined, fault: error && toFault(error) }
}

function useReplaySpan(endpoint: WebhookEndpoint, span: Span, onEnd: () => void) {
  const [done, setDone] = useState(0)
  const replay = useMutation({
    mutationFn: () => replayAll(sendSpan(endpoint._id, span), setDone),
    onSuccess: (n) => {
      const rest = endpoint.status === 'disabled' ? 'wait until the endpoint is enabled' : 'on their way again'
      toast.ok(`Replayed: ${eventsWords({ n, capped: false })} ${rest}`)
      onEnd()
    },
    onError: toast.fault,
  })
  return { replay, done }
}

function countWords(count: Count | undefined, which: Which): string {
  if (!count) return 'Counting…'
  if (count.n === 0)
    return which === 'failed' ? 'Nothing was given up in this time.' : 'Nothing has ended in this time.'
  return `${eventsWords(count)} will be sent again.`
}

function questionOf({ status }: WebhookEndpoint, which: Which, count: Count) {
  const again = which === 'all' ? ' Those that arrived come a second time: your server knows them by their id.' : ''
  const waits = status === 'disabled' ? ' The endpoint is disabled: they wait until it is enabled.' : ''
  return {
    title: `Replay ${eventsWords(count)}?`,
    text: `Each is sent with the same webhook-id and the same body as before.${again}${waits}`,
    action: 'Replay',
  }
}
