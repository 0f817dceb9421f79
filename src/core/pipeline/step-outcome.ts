import type { Ctx } from '../../context.ts'
import { lanes } from '../../engine/lanes.ts'
import { orderedId } from '../../lib/deterministic-id.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { detail } from '../../store/history/detail.ts'
import type { Detail, JobStatus, NewJob, NewMessage } from '../../store/history/history.ts'
import { toInAppMessage } from '../inbox/in-app-message.ts'
import type { Candidate } from '../integrations/candidates.ts'
import { addAmount } from '../workflows/next-time.ts'
import type { Planned, Start } from './plan.ts'
import type { Target } from './plan-send.ts'
import { toSendContent } from './send-content.ts'

// When a message counts as lost and is queued again. Long, because a message in a long queue is not lost.
const lostAfterMs = 30 * 60_000
const timeToLiveMs = 24 * 3_600_000

type Rendered = Awaited<ReturnType<Ctx['renderer']['render']>>[number]
export type StepResult = {
  status: JobStatus
  details: Detail[]
  messages: NewMessage[]
  providerId: string | null
  runAt?: Date
  extensions?: number
}

export function stoppedOutcome(now: Date): StepResult {
  const why = 'An earlier step failed and stops the rest'
  return { status: 'canceled', details: [detail(now, 'Warning', why)], messages: [], providerId: null }
}

/** What a step's plan and rendered text come to. */
export function decideOutcome(item: Planned, rendered: Rendered | undefined, now: Date): StepResult {
  const { plan } = item
  switch (plan.kind) {
    case 'skip': {
      // Stored although nothing is sent: whoever looks for the message finds why.
      const messages = plan.errorId ? [toUnsentMessage(item, plan.errorId, plan.why)] : []
      return { status: 'skipped', details: [detail(now, 'Warning', plan.why)], messages, providerId: null }
    }
    case 'fail':
      return { status: 'failed', details: [detail(now, 'Failed', plan.why)], messages: [], providerId: null }
    case 'ask':
      return {
        status: 'pending',
        details: [detail(now, 'Pending', 'The bridge is asked')],
        messages: [],
        providerId: null,
      }
    case 'custom':
      return {
        status: 'completed',
        details: [detail(now, 'Success', 'The bridge gave a result')],
        messages: [],
        providerId: null,
      }
    case 'wait':
    case 'digest':
    case 'throttle':
      // Digest and throttle are decided in the transaction that writes them.
      return { status: 'pending', details: [], messages: [], providerId: null }
    case 'stop':
      return stoppedOutcome(now)
    case 'defer': {
      const details = [
        detail(now, 'Pending', `Held back by the subscriber's schedule until ${plan.until.toISOString()}`),
      ]
      return { status: 'delayed', details, messages: [], providerId: null, runAt: plan.until, extensions: 1 }
    }
    case 'delay': {
      const details = [detail(now, 'Pending', `Step delayed until ${plan.until.toISOString()}`)]
      return { status: 'delayed', details, messages: [], providerId: null, runAt: plan.until }
    }
    case 'in_app':
      return inAppOutcome(item, rendered, now)
    case 'send':
      return sendOutcome(item, plan.targets, plan.first, rendered, now)
  }
}

function inAppOutcome(item: Planned, rendered: Rendered | undefined, now: Date): StepResult {
  const message: NewMessage = {
    ...emptyMessage(item, 'in_app', 'in_app', 'platform'),
    ...(rendered?.ok ? { ...toInAppMessage(item.step, rendered.fields), status: 'sent' } : renderFault(rendered)),
  }
  const begin = startDetails(now, 'Platform Inbox', 'platform')
  const end = rendered?.ok
    ? detail(now, 'Success', 'Message sent', { providerId: 'platform' })
    : notRendered(now, message)
  return {
    status: rendered?.ok ? 'completed' : 'failed',
    details: [...begin, end],
    messages: [message],
    providerId: 'platform',
  }
}

function sendOutcome(
  item: Planned,
  targets: Target[],
  first: Candidate,
  rendered: Rendered | undefined,
  now: Date,
): StepResult {
  const { type } = item.step
  const messages = targets.map(({ integration, address, endpointId = null }): NewMessage => {
    const provider = integration?.provider ?? first.provider
    const own = emptyMessage(item, endpointId ?? integration?.id ?? type, type, provider.id)
    const blank = { ...own, address, endpoint_id: endpointId }
    const integrationId = integration?.id ?? first.id
    if (!rendered?.ok) return { ...blank, ...renderFault(rendered), integration_id: integrationId }
    return {
      ...blank,
      ...toSendContent(rendered.fields, item.answered),
      status: 'warning',
      error_id: 'delivery_pending',
      error_text: 'Not sent yet',
      delivery: 'open',
      integration_id: integrationId,
      priority: lanes[item.start.lane],
      retry_at: new Date(now.getTime() + lostAfterMs).toISOString(),
      expires_at: expiry(item.start, now).toISOString(),
    }
  })
  const begin = startDetails(now, first.provider.displayName, first.provider.id)
  const [message] = messages
  return {
    status: rendered?.ok ? 'queued' : 'failed',
    details: rendered?.ok || !message ? begin : [...begin, notRendered(now, message)],
    messages,
    providerId: first.provider.id,
  }
}

/** With a ttl: counted from what started the step, not from when we planned it, because late messages are of no use. */
function expiry({ workflow, startedAt, event }: Start, now: Date): Date {
  const { ttl } = workflow
  if (!ttl) return new Date(now.getTime() + timeToLiveMs)
  return addAmount(startedAt ?? uuid7Time(event.id), ttl.amount, ttl.unit, 'UTC')
}

function startDetails(now: Date, displayName: string, providerId: string): Detail[] {
  return [
    detail(now, 'Queued', 'Step queued'),
    detail(now, 'Success', `${displayName} provider was selected`, { providerId }),
    detail(now, 'Success', 'Message created'),
  ]
}

function notRendered(now: Date, { error_text, provider_id }: NewMessage): Detail {
  return detail(now, 'Failed', 'Message content could not be rendered', {
    ...(provider_id !== null && { providerId: provider_id }),
    ...(error_text !== null && { raw: error_text }),
  })
}

function renderFault(rendered: Rendered | undefined): Pick<NewMessage, 'status' | 'error_id' | 'error_text'> {
  const fault = rendered?.ok === false ? rendered : { reason: 'template_error', message: 'was not rendered' }
  return { status: 'error', error_id: fault.reason, error_text: fault.message }
}

function toUnsentMessage(item: Planned, errorId: string, why: string): NewMessage {
  return { ...emptyMessage(item, 'none', item.step.type, null), status: 'warning', error_id: errorId, error_text: why }
}

/** `target` tells the messages of one step apart. */
function emptyMessage(item: Planned, target: string, channel: string, providerId: string | null): NewMessage {
  const { start, notification, index, id } = item
  return {
    // From times that are already committed (the event's, or the end of the wait), so that a second run makes the same
    // id.
    id: orderedId(start.startedAt ?? start.event.id, start.event.id, 'message', id, target),
    event_id: start.event.id,
    notification_id: notification.id,
    job_id: id,
    subscriber_id: start.subscriber.id,
    workflow_id: start.workflow.id,
    workflow_version: start.workflow.version,
    step_index: index,
    transaction_id: start.event.transaction_id,
    channel,
    provider_id: providerId,
    status: 'sent',
    error_id: null,
    error_text: null,
    subject: null,
    content: '',
    cta: {},
    avatar: null,
    data: null,
    context_keys: notification.context_keys,
    delivery: null,
    integration_id: null,
    endpoint_id: null,
    address: null,
    envelope: null,
    priority: null,
    retry_at: null,
    expires_at: null,
  }
}

export function toJob(item: Planned, outcome: StepResult, now: Date): NewJob {
  const { id, notification, step, index, variant, plan } = item
  const isDone = !['skip', 'wait', 'ask', 'stop', 'defer'].includes(plan.kind) && outcome.status !== 'canceled'
  const chosen = variant !== null && isDone ? [detail(now, 'Success', `Variant ${variant} applies`)] : []
  return {
    id,
    notification_id: notification.id,
    step_index: index,
    type: step.type,
    status: outcome.status,
    provider_id: outcome.providerId,
    message_ids: outcome.messages.length > 0 ? outcome.messages.map((message) => message.id) : null,
    details: [...chosen, ...outcome.details],
    run_at: outcome.runAt?.toISOString() ?? null,
    merged_into: null,
    extensions: outcome.extensions ?? 0,
  }
}
