import type { Ctx } from '../../context.ts'
import { insertCalls } from '../../store/bridge/calls.ts'
import { afterCommit, type Db, type Env } from '../../store/database.ts'
import type { Hint } from '../../store/hints.ts'
import { type EventRow, lockEvent, lockEventStates, moveEventCursors } from '../../store/history/events.ts'
import {
  insertHistory,
  insertMessages,
  type JobStatus,
  type NewJob,
  recordPendingJobs,
  waitBriefly,
} from '../../store/history/history.ts'
import { listNotificationsById } from '../../store/history/notifications.ts'
import { insertSend, noteCanaryWritten } from '../../store/sends/sends.ts'
import { tellOfCompleted } from '../../store/webhooks/tell.ts'
import { type Occurrence, outcomeOfMessage, outcomeOfStep, recordOccurrences } from '../numbers/occurrences.ts'
import { observeExpansion, observeSent } from '../numbers/stage-times.ts'
import { decideWindows } from './decide-windows.ts'
import { enqueueDeliveries, enqueueExpansion, enqueueResumptions } from './enqueue.ts'
import type { HistoryPage } from './plan.ts'
import type { EventPage } from './take-recipients.ts'
import { outcomesKnown } from './when.ts'

export type Origin = Expansion | Acceptance | Resumption

/** New notifications of some events; the events' cursors move in the same transaction. */
export type Expansion = {
  kind: 'expansion'
  pages: readonly EventPage[]
  /** The last event has more recipients and the caller continues with it: no task is queued. */
  callerContinues: boolean
  /** The write of the page before, of the same event: this one commits after it. Null: there is none at the same time. */
  before: Promise<void> | null
}

/** New notifications of events that the same transaction accepts. */
export type Acceptance = { kind: 'acceptance'; pages: readonly EventPage[]; accepted: readonly Occurrence[] }

/** Steps that waited, and those that are over because their event was canceled or their subscriber deleted. */
export type Resumption = {
  kind: 'resumption'
  /** As they were when the steps were planned: a cancel since then means that nothing is written. */
  events: readonly Pick<EventRow, 'id' | 'state' | 'send_counted'>[]
  canceled: readonly CanceledJob[]
}
export type CanceledJob = { job: NewJob; workflowId: string; eventId: string }

/**
 * Writes a page in one transaction: windows, rows, numbers, next tasks and cursors. The guard is the events' cursors,
 * or the jobs that must still be pending: if another worker was faster, it throws and nothing is written.
 */
export async function writePage(ctx: Ctx, env: Env, planned: HistoryPage, origin: Origin, now: Date): Promise<void> {
  // Throttles and digests count people, so the page before must be committed. And who is in both pages is written by one
  // of them, while the other waits: the transaction that is waited for must not itself wait for the other to commit.
  if (origin.kind === 'expansion' && (hasWindows(planned) || mayOverlap(origin))) await origin.before
  await ctx.database.write(env, (db) => writePageIn(ctx, db, env, planned, origin, now))
}

/** In the caller's transaction. */
export async function writePageIn(
  ctx: Ctx,
  db: Db,
  env: Env,
  planned: HistoryPage,
  origin: Origin,
  now: Date,
): Promise<void> {
  if (origin.kind === 'resumption') await expectUnchanged(db, env, origin)
  if (origin.kind === 'expansion' && origin.before) await waitBriefly(db)
  const fresh = await withoutKnown(db, env, planned, origin)
  const decided = await decideWindows(db, env, fresh, now)
  const { written, known } = await writeRows(db, env, decided.page, origin, now)
  if (origin.kind === 'resumption') await tellOfCompleted(db, env, endedIn(written), now)
  // Before what happens to them is counted.
  if (origin.kind === 'expansion') await beginSends(ctx, db, env, origin)
  await recordOccurrences(ctx, db, env, toOccurrences(written, origin), now)
  await enqueueDeliveries(
    ctx,
    db,
    env,
    written.messages.filter((message) => message.delivery === 'open'),
  )
  await enqueueResumptions(ctx, db, env, [...decided.letThrough, ...outcomesKnown(written)])
  await askBridge(ctx, db, env, written, now)
  if (origin.kind === 'expansion') await moveCursors(ctx, db, env, withoutNotifications(fresh, known), origin)
  observeStages(ctx, db, written, origin, now)
  afterCommit(db, () => {
    ctx.hints.tell(toHints(env, written))
    for (const { run_at } of written.jobs) if (run_at !== null) ctx.timers.ringAt(new Date(run_at))
  })
}

/** The event first: whoever stops a send locks it before the send, too. */
async function beginSends(ctx: Ctx, db: Db, env: Env, { pages }: Expansion): Promise<void> {
  for (const { send } of pages) {
    if (!send) continue
    await lockEvent(db, env, send.id)
    await insertSend(db, env, send)
    afterCommit(db, () => {
      ctx.metrics.sendsBegun.inc({ as: send.state === 'canary' ? 'canary' : 'all' })
      ctx.sends.ringAt(send.since)
    })
  }
}

/** Unless a throttle or digest before them has ended their steps. */
async function askBridge(ctx: Ctx, db: Db, env: Env, { asks, jobs }: HistoryPage, now: Date): Promise<void> {
  if (asks.length === 0) return
  const waiting = new Set(jobs.flatMap(({ id, status }) => (status === 'pending' ? id : [])))
  const calls = asks.filter(({ jobId }) => waiting.has(jobId))
  await insertCalls(db, env, calls, now)
  if (calls.length > 0) afterCommit(db, () => ctx.bridges.ringAt(now))
}

/** Notifications that may have come to their end. Delays are over before anything is resumed, and may be the last step. */
function endedIn({ notifications, jobs }: HistoryPage): string[] {
  const ended = jobs.filter(({ status }) => isFinished(status)).map((job) => job.notification_id)
  return [...ended, ...notifications.map(({ id }) => id)]
}

function isFinished(status: JobStatus): boolean {
  const outcome = outcomeOfStep(status)
  return outcome !== null && outcome !== 'waiting'
}

function toHints({ environmentId }: Env, { messages }: HistoryPage): Hint[] {
  return messages
    .filter(({ channel, status }) => channel === 'in_app' && status !== 'error')
    .map(({ id, subscriber_id }) => ({ environmentId, subscriberId: subscriber_id, messageId: id }))
}

async function expectUnchanged(db: Db, env: Env, { events }: Resumption): Promise<void> {
  const states = await lockEventStates(
    db,
    env,
    events.map((event) => event.id),
  )
  if (events.some(({ id, state }) => states.get(id) !== state))
    throw new Error('an event was canceled, stopped or let go on meanwhile')
}

/** Whether a person can be in two pages of an event: by id and by a topic, or by two topics. */
function mayOverlap({ pages }: Expansion): boolean {
  return pages.some(({ event }) => Array.isArray(event.recipients) && event.recipients.length > 1)
}

function hasWindows({ throttles, digests }: HistoryPage): boolean {
  return throttles.length > 0 || digests.length > 0
}

/** Removes people whom an earlier page of the event already reached: they are not counted or gathered twice. */
async function withoutKnown(db: Db, env: Env, page: HistoryPage, origin: Origin): Promise<HistoryPage> {
  if (origin.kind !== 'expansion' || !hasWindows(page)) return page
  const ids = page.notifications.map((it) => it.id)
  const known = new Set((await listNotificationsById(db, env, ids)).map((it) => it.id))
  return withoutNotifications(page, known)
}

function withoutNotifications(page: HistoryPage, known: ReadonlySet<string>): HistoryPage {
  if (known.size === 0) return page
  return {
    ...page,
    notifications: page.notifications.filter((it) => !known.has(it.id)),
    jobs: page.jobs.filter((job) => !known.has(job.notification_id)),
    messages: page.messages.filter((message) => !known.has(message.notification_id)),
    throttles: page.throttles.filter((claim) => !known.has(claim.notificationId)),
    digests: page.digests.filter((claim) => !known.has(claim.notificationId)),
    awaiting: page.awaiting.filter((it) => !known.has(it.notificationId)),
    asks: page.asks.filter((it) => !known.has(it.notificationId)),
  }
}

/** `known`: notifications that an earlier page of the event wrote. */
type Written = { written: HistoryPage; known: ReadonlySet<string> }

async function writeRows(db: Db, env: Env, page: HistoryPage, origin: Origin, now: Date): Promise<Written> {
  switch (origin.kind) {
    case 'expansion':
    case 'acceptance': {
      const known = await insertHistory(db, env, page, now)
      return { written: withoutNotifications(page, known), known }
    }
    case 'resumption': {
      const advanced = page.jobs.filter((job) => job.status !== 'pending')
      const jobs = [...advanced, ...origin.canceled.map(({ job }) => job)]
      const recorded = await recordPendingJobs(db, env, jobs, now)
      if (recorded !== jobs.length) throw new Error('another worker was faster with the steps of these notifications')
      await insertMessages(db, env, page, now)
      // Includes the steps that still wait, so that callers see their states.
      const written = { ...page, jobs: [...page.jobs, ...origin.canceled.map(({ job }) => job)] }
      return { written, known: new Set() }
    }
  }
}

function toOccurrences(written: HistoryPage, origin: Origin): Occurrence[] {
  const workflows = new Map(written.notifications.map((it) => [it.id, it.workflow_id]))
  if (origin.kind === 'resumption') {
    for (const { job, workflowId } of origin.canceled) workflows.set(job.notification_id, workflowId)
  }
  const canceled = origin.kind === 'resumption' ? origin.canceled : []
  const notified = origin.kind === 'resumption' ? [] : written.notifications
  const sends = sendsOf(origin)
  const eventOf = new Map(sends.size > 0 ? written.notifications.map((it) => [it.id, it.event_id]) : [])
  for (const { job, eventId } of canceled) eventOf.set(job.notification_id, eventId)
  const ofSend = (eventId: string | undefined) => (eventId && sends.has(eventId) ? { sendId: eventId } : {})
  return [
    ...(origin.kind === 'acceptance' ? origin.accepted : []),
    ...notified.map(({ workflow_id }): Occurrence => {
      return { of: 'notification', outcome: 'notified', workflowId: workflow_id }
    }),
    ...written.jobs.flatMap((job): Occurrence[] => {
      const outcome = outcomeOfStep(job.status)
      const workflowId = workflows.get(job.notification_id) ?? ''
      const { type, message_ids, notification_id } = job
      const more = ofSend(eventOf.get(notification_id))
      return outcome ? [{ of: 'step', outcome, workflowId, type, hasMessages: message_ids !== null, ...more }] : []
    }),
    ...written.messages.map((message): Occurrence => {
      const { workflow_id: workflowId, channel, provider_id: providerId, event_id } = message
      const outcome = outcomeOfMessage(message) ?? 'opened'
      return { of: 'message', outcome, workflowId, channel, providerId, ...ofSend(event_id) }
    }),
  ]
}

/** Events of which all is counted. */
function sendsOf(origin: Origin): ReadonlySet<string> {
  const ids =
    origin.kind === 'resumption'
      ? [
          ...origin.events.flatMap(({ id, send_counted }) => (send_counted ? id : [])),
          ...origin.canceled.map((it) => it.eventId),
        ]
      : origin.pages.flatMap(({ event, send }) => (send || event.send_counted ? event.id : []))
  return new Set(ids)
}

/**
 * Also queues the rest of an event larger than its page, unless the caller continues with it. The event's count of people
 * is what was planned, without those whom an earlier page reached: `conserve` compares it with the rows.
 */
async function moveCursors(ctx: Ctx, db: Db, env: Env, planned: HistoryPage, origin: Expansion): Promise<void> {
  const { pages, callerContinues, before } = origin
  const unfinished = callerContinues ? [] : pages.filter(({ progress }) => progress.state === 'accepted')
  for (const { event } of unfinished) await enqueueExpansion(ctx, db, env, 'bulk', [event.id])
  await before
  // The event's row is touched here alone, after the page before.
  const notified = Map.groupBy(planned.notifications, (it) => it.event_id)
  const progress = pages.map((page) => ({ ...page.progress, notified: notified.get(page.event.id)?.length ?? 0 }))
  const moved = await moveEventCursors(db, env, progress)
  if (moved !== pages.length) throw new Error('another worker was faster with the events of this page')
  const held = pages.filter((page) => page.progress.state === 'held' && !page.send)
  await noteCanaryWritten(
    db,
    env,
    held.map(({ event }) => event.id),
  )
}

function observeStages(ctx: Ctx, db: Db, written: HistoryPage, origin: Origin, now: Date): void {
  const sent = written.messages.filter((message) => outcomeOfMessage(message) === 'sent')
  observeSent(
    ctx,
    db,
    sent.map(({ id }) => id),
  )
  if (origin.kind === 'resumption') return
  const first = origin.pages.filter(({ progress }) => progress.before === null)
  observeExpansion(
    ctx,
    db,
    first.map(({ event }) => event.id),
    now,
  )
}
