import type { Ctx } from '../context.ts'
import { isPlainObject } from '../lib/canonical-json.ts'
import { deterministicId } from '../lib/deterministic-id.ts'
import type { EventRow } from '../store/events.ts'
import type { Detail, JobStatus, NewJob, NewMessage, NewNotification } from '../store/history.ts'
import type { SubscriberRow } from '../store/subscribers.ts'
import { conditionsPass } from './conditions.ts'
import { inAppFields, toInAppMessage } from './in-app-message.ts'
import { toScopeSubscriber } from './render-scope.ts'
import type { Step, Workflow } from './workflow.ts'

/** One event for one person. */
export type Start = {
  event: EventRow
  workflow: Workflow
  subscriber: SubscriberRow
  actor: SubscriberRow | null
  topicIds: readonly string[] | null
}

export type HistoryPage = { notifications: NewNotification[]; jobs: NewJob[]; messages: NewMessage[] }

type Planned = { start: Start; notification: NewNotification; step: Step; index: number; id: string; plan: Plan }

/** What a step comes to, before anything is rendered or written. */
type Plan =
  | { kind: 'skip'; why: string }
  | { kind: 'fail'; why: string }
  | { kind: 'in_app'; scope: Record<string, unknown> }

/**
 * The heart. Walks the steps of many notifications: plan (conditions), render (no transaction is open), and the rows of
 * the outcome, which the caller writes in one transaction. Every step ends as exactly one job.
 */
export async function advance(ctx: Ctx, starts: readonly Start[], now: Date): Promise<HistoryPage> {
  const planned = starts.flatMap((start) => planSteps(start))
  const rendered = await renderInApp(ctx, planned)
  const page: HistoryPage = { notifications: starts.map(toNotification), jobs: [], messages: [] }
  const stopped = new Set<string>()
  for (const item of planned) {
    const outcome = stopped.has(item.notification.id)
      ? { status: 'canceled' as const, details: [detail(now, 'Warning', 'An earlier step failed and stops the rest')] }
      : settle(item, rendered.get(item.id), now)
    if (outcome.status === 'failed' && item.step.shouldStopOnFail) stopped.add(item.notification.id)
    page.jobs.push(toJob(item, outcome))
    if (outcome.message) page.messages.push(outcome.message)
  }
  return page
}

function toNotification({ event, workflow, subscriber, topicIds }: Start): NewNotification {
  return {
    id: deterministicId(event.id, 'notification', event.id, subscriber.id),
    event_id: event.id,
    transaction_id: event.transaction_id,
    subscriber_id: subscriber.id,
    workflow_id: workflow.id,
    workflow_version: workflow.version,
    topic_ids: topicIds,
    context_keys: event.context_keys,
  }
}

export function jobId(notificationId: string, stepId: string): string {
  return deterministicId(notificationId, 'job', notificationId, stepId)
}

function planSteps(start: Start): Planned[] {
  const notification = toNotification(start)
  const scope = toRenderScope(start)
  return start.workflow.steps.map((step, index) => ({
    start,
    notification,
    step,
    index,
    id: jobId(notification.id, step.stepId),
    plan: planStep(step, scope),
  }))
}

function planStep(step: Step, scope: RenderScope): Plan {
  if (!step.active) return { kind: 'skip', why: 'The step is not active' }
  const conditions = conditionsPass(step.filters, scope)
  if (!conditions.passes) return { kind: 'skip', why: conditions.why }
  switch (step.type) {
    case 'in_app':
      return { kind: 'in_app', scope }
    case 'email':
    case 'sms':
    case 'chat':
    case 'push':
      return { kind: 'skip', why: `No ${step.type} integration can send yet` }
    case 'delay':
    case 'digest':
    case 'throttle':
      // An active workflow with a waiting step is refused when saved.
      return { kind: 'fail', why: `${step.type} steps are not available yet` }
  }
}

type RenderScope = Record<string, unknown> & { subscriber: Record<string, unknown>; payload: Record<string, unknown> }

function toRenderScope({ event, subscriber, actor }: Start): RenderScope {
  return {
    subscriber: toScopeSubscriber(subscriber),
    payload: isPlainObject(event.payload) ? event.payload : {},
    actor: actor ? toScopeSubscriber(actor) : {},
    tenant: event.tenant === null ? {} : { identifier: event.tenant },
    context: isPlainObject(event.context) ? event.context : {},
    step: {},
  }
}

async function renderInApp(ctx: Ctx, planned: readonly Planned[]) {
  const items = planned.flatMap((item) =>
    item.plan.kind === 'in_app' ? { id: item.id, templates: inAppFields(item.step), scope: item.plan.scope } : [],
  )
  const results = items.length > 0 ? await ctx.renderer.render(items) : []
  return new Map(items.map((item, index) => [item.id, results[index]]))
}

type Rendered = Awaited<ReturnType<Ctx['renderer']['render']>>[number]
type Outcome = { status: JobStatus; details: Detail[]; message?: NewMessage }

function settle(item: Planned, rendered: Rendered | undefined, now: Date): Outcome {
  const { plan } = item
  switch (plan.kind) {
    case 'skip':
      return { status: 'skipped', details: [detail(now, 'Warning', plan.why)] }
    case 'fail':
      return { status: 'failed', details: [detail(now, 'Failed', plan.why)] }
    case 'in_app': {
      const failed = !rendered?.ok
      const message = toMessage(item, rendered)
      const selected = detail(now, 'Success', 'Platform Inbox provider was selected', 'platform')
      const begin = [detail(now, 'Queued', 'Step queued'), selected, detail(now, 'Success', 'Message created')]
      const end = failed
        ? detail(now, 'Failed', 'Message content could not be rendered', 'platform', message.error_text ?? undefined)
        : detail(now, 'Success', 'Message sent', 'platform')
      return { status: failed ? 'failed' : 'completed', details: [...begin, end], message }
    }
  }
}

function toMessage(item: Planned, rendered: Rendered | undefined): NewMessage {
  const { start, notification, step, index, id } = item
  const content = rendered?.ok ? toInAppMessage(step, rendered.fields) : emptyMessage
  return {
    // The time is the event's, which is committed: run again, the step makes the same message.
    id: deterministicId(start.event.id, 'message', id, 'in_app'),
    event_id: start.event.id,
    notification_id: notification.id,
    job_id: id,
    subscriber_id: start.subscriber.id,
    workflow_id: start.workflow.id,
    workflow_version: start.workflow.version,
    step_index: index,
    transaction_id: start.event.transaction_id,
    channel: 'in_app',
    provider_id: 'platform',
    status: rendered?.ok ? 'sent' : 'error',
    error_id: rendered?.ok ? null : (rendered?.reason ?? 'template_error'),
    error_text: rendered?.ok ? null : (rendered?.message ?? 'was not rendered'),
    ...content,
    context_keys: notification.context_keys,
  }
}

const emptyMessage = { subject: null, content: '', cta: {}, avatar: null, data: null }

function toJob({ id, notification, step, index }: Planned, outcome: Outcome): NewJob {
  return {
    id,
    notification_id: notification.id,
    step_index: index,
    type: step.type,
    status: outcome.status,
    provider_id: outcome.message?.provider_id ?? null,
    message_ids: outcome.message ? [outcome.message.id] : null,
    details: outcome.details,
  }
}

function detail(now: Date, status: Detail['status'], text: string, providerId?: string, raw?: string): Detail {
  return {
    at: now.toISOString(),
    status,
    detail: text,
    ...(providerId !== undefined && { providerId }),
    ...(raw !== undefined && { raw }),
  }
}
