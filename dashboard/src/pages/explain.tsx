import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { toFault } from '../api/fault.ts'
import type { Activity } from '../api/types.ts'
import { useFilters } from '../lib/filters.ts'
import { paths } from '../lib/paths.ts'
import { Card } from '../ui/card.tsx'
import { Empty, FaultNote } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonLines } from '../ui/spinner.tsx'
import { type Asked, type Draft, type DraftFaults, draftOf, emptyDraft, readDraft } from './explain/draft.ts'
import { ExplainForm } from './explain/form.tsx'
import { Result } from './explain/result.tsx'
import { samplePayload } from './workflow/preview/sample-payload.ts'

type Name = 'notificationId' | 'workflow' | 'subscriber' | 'topic'
const description = 'Why would, or did, this person get this? Nothing is sent and nothing is kept.'

export default function Explain() {
  const [filters, setFilters] = useFilters<Name>()
  const { notificationId } = filters
  const event = useQuery({
    queryKey: ['live', 'event', notificationId],
    queryFn: ({ signal }) =>
      api.get('/v1/notifications/{notificationId}', { path: { notificationId: notificationId ?? '' }, signal }),
    enabled: Boolean(notificationId),
  })
  const back = notificationId ? { href: paths.event(notificationId), label: 'Event' } : undefined
  const from = (): Draft => ({
    ...emptyDraft,
    ...(filters.workflow && { workflow: filters.workflow }),
    ...(filters.subscriber && { subscriber: filters.subscriber }),
    ...(filters.topic && { topic: filters.topic, kind: 'topic' as const }),
  })
  return (
    <Page title="Explain" description={description} {...(back && { back })}>
      {event.error && <FaultNote fault={toFault(event.error)} onRetry={() => void event.refetch()} />}
      {notificationId && event.isPending && <SkeletonLines lines={8} />}
      {notificationId && event.data && (
        <Explainer key={notificationId} start={draftOf(event.data)} happened={event.data} />
      )}
      {!notificationId && (
        <Explainer
          start={from()}
          onAsk={({ workflow, kind, subscriber, topic }) =>
            setFilters({
              workflow,
              subscriber: kind === 'person' ? subscriber.trim() : undefined,
              topic: kind === 'topic' ? topic.trim() : undefined,
            })
          }
        />
      )}
    </Page>
  )
}

type ExplainerProps = { start: Draft; happened?: Activity; onAsk?: (draft: Draft) => void }

/** The question on one side, the answer on the other. A question that is whole when it comes is asked at once. */
function Explainer({ start, happened, onAsk }: ExplainerProps) {
  const [typed, setTyped] = useState(start)
  const [faults, setFaults] = useState<DraftFaults>({})
  const sample = useSampleText(happened ? '' : typed.workflow)
  // Until somebody writes a payload it is the sample of the workflow.
  const [hasOwnPayload, setOwnPayload] = useState(false)
  const draft = !hasOwnPayload && sample ? { ...typed, payload: sample } : typed
  const change = (next: Draft) => {
    if (next.payload !== draft.payload) setOwnPayload(true)
    setTyped(next)
  }
  const [asked, setAsked] = useState<Asked | null>(() => (happened ? askedOf(start) : null))
  const atOnce = useRef(!happened && askedOf(start) !== null)
  useEffect(() => {
    if (!atOnce.current || !sample) return
    atOnce.current = false
    setAsked(askedOf({ ...start, payload: sample }))
  }, [sample, start])
  const answer = useQuery({
    queryKey: ['explain', asked],
    queryFn: asked ? () => api.post('/v1/events/explain', { body: asked }) : skipToken,
    // It is about now: never from memory, and never by itself while somebody reads it.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const ask = () => {
    const read = readDraft(draft)
    setFaults('faults' in read ? read.faults : {})
    if (!('asked' in read)) return
    onAsk?.(draft)
    if (JSON.stringify(read.asked) === JSON.stringify(asked)) void answer.refetch()
    else setAsked(read.asked)
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <Card title="The event">
        <ExplainForm draft={draft} faults={faults} busy={answer.isFetching} onChange={change} onAsk={ask} />
      </Card>
      {/* Who comes from an event wants the answer: on a phone it stands above the form. */}
      <div className={`min-w-0 ${happened ? 'order-first lg:order-none' : ''}`} aria-live="polite">
        {!asked && <NotAsked />}
        {answer.error && <FaultNote fault={toFault(answer.error)} onRetry={() => void answer.refetch()} />}
        {asked && answer.isPending && <SkeletonLines lines={6} />}
        {asked && answer.data && !answer.error && (
          <Result explanation={answer.data} workflow={asked.name} {...(happened && { happened })} />
        )}
      </div>
    </div>
  )
}

function askedOf(draft: Draft): Asked | null {
  const read = readDraft(draft)
  return 'asked' in read ? read.asked : null
}

/** A payload that the workflow can be asked about; nothing before it is known, `{}` for a workflow that is gone. */
function useSampleText(workflowId: string): string {
  const { data, error } = useQuery({
    queryKey: ['workflows', 'sample', workflowId],
    queryFn: ({ signal }) => api.get('/v2/workflows/{workflowId}', { path: { workflowId }, signal }),
    enabled: Boolean(workflowId),
    retry: false,
  })
  if (error) return emptyDraft.payload
  return data ? JSON.stringify(samplePayload(data), null, 2) : ''
}

function NotAsked() {
  return (
    <Card>
      <Empty icon="explain" title="Ask about one event">
        Choose a workflow and a person. You see for each step whether it would be sent, through which integration, and
        if not, why not: preferences, conditions, missing addresses, suppressions, hours of rest. To ask about something
        that has happened, open it in Activity and press Explain.
      </Empty>
    </Card>
  )
}
