import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, ApiFault as Fault, toFault } from '../../api/fault.ts'

/** `total`: how many people it should reach, as far as the server counts them. */
export type To = { everybody: true } | { topicKey: string }
export type SendState = {
  status: 'ready' | 'sending' | 'running' | 'done'
  transactionId?: string
  total: number
  capped: boolean
  reached: number
  fault: ApiFault | null
}
type Event = { name: string; payload: Record<string, unknown> }
type Watched = { workflowId: string; from: string; before: number }

const pollMs = 1000
// Nothing more came for so many looks, and nothing waits: that was all.
const quietLooks = 3

/** Triggers once, then watches how many have been notified. The numbers are the workflow's, from this moment on. */
export function useSend(to: To) {
  const [state, setState] = useState<SendState>({ status: 'ready', total: 0, capped: false, reached: 0, fault: null })
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  const send = async (event: Event) => {
    setState((old) => ({ ...old, status: 'sending', fault: null }))
    try {
      const { total, capped } = await countRecipients(to)
      const from = await minuteBefore()
      const before = await readNotified(event.name, from)
      const { transactionId } = await trigger(to, event)
      const started: SendState = { status: 'running', transactionId, total, capped, reached: 0, fault: null }
      setState(started)
      await watch({ workflowId: event.name, from, before }, started, setState, () => gone.current)
    } catch (error) {
      setState((old) => ({ ...old, status: old.transactionId ? 'done' : 'ready', fault: toFault(error) }))
    }
  }
  return { state, send }
}

async function trigger(to: To, { name, payload }: Event): Promise<{ transactionId: string }> {
  const result =
    'everybody' in to
      ? await api.post('/v1/events/trigger/broadcast', { body: { name, payload } })
      : await api.post('/v1/events/trigger', {
          body: { name, payload, to: { type: 'Topic', topicKey: to.topicKey } },
        })
  if (result.status === 'processed' && result.transactionId) return { transactionId: result.transactionId }
  const why = result.error?.join(' ') || result.status.replaceAll('_', ' ')
  throw new Fault(200, { code: result.status, message: `Not sent: ${why}` })
}

async function countRecipients(to: To): Promise<{ total: number; capped: boolean }> {
  const query = { limit: 1 }
  const { totalCount, totalCountCapped } =
    'everybody' in to
      ? await api.get('/v2/subscribers', { query })
      : await api.get('/v2/topics/{topicKey}/subscriptions', { path: { topicKey: to.topicKey }, query })
  return { total: totalCount, capped: totalCountCapped }
}

/** By the server's clock: this one may go wrong. */
async function minuteBefore(): Promise<string> {
  const { at } = await api.get('/v1/numbers/now')
  return new Date(Date.parse(at) - 60_000).toISOString()
}

async function readNotified(workflowId: string, from: string): Promise<number> {
  const { totals } = await api.get('/v1/numbers', { query: { workflowId, from, step: 'minute' } })
  return totals.notified
}

async function watch(
  { workflowId, from, before }: Watched,
  started: SendState,
  onState: (state: SendState) => void,
  isGone: () => boolean,
) {
  let now = started
  for (let quiet = 0; !isGone() && quiet < quietLooks; ) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    const count = (await readNotified(workflowId, from)) - before
    const { waiting } = await api.get('/v1/numbers/now')
    quiet = count === now.reached && waiting.events === 0 ? quiet + 1 : 0
    now = { ...now, reached: count }
    if (!isGone()) onState(now)
    if (!now.capped && count >= now.total) break
  }
  if (!isGone()) onState({ ...now, status: 'done' })
}
