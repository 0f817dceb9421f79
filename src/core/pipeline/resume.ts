import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { detail } from '../../store/history/detail.ts'
import { type EventRow, findEvents, lockEventStates } from '../../store/history/events.ts'
import type { JobStatus, NewJob } from '../../store/history/history.ts'
import { listMessageMarks } from '../../store/history/messages.ts'
import {
  type JobRow,
  listJobsById,
  listNotificationsById,
  type Notification,
} from '../../store/history/notifications.ts'
import { listDigestedEvents } from '../../store/history/windows.ts'
import { holdNotifications } from '../../store/sends/door.ts'
import { listSubscribersById, listSubscribersByInternalId } from '../../store/subscribers.ts'
import { answersOf } from '../bridge/answer.ts'
import { traceResumption } from '../numbers/trace-spans.ts'
import { withContexts } from '../values/contexts.ts'
import { getWorkflows, type Step, type Workflow } from '../workflows/workflow.ts'
import { advance, toHistoryPage } from './advance.ts'
import { enqueueResumptions, laneOf } from './enqueue.ts'
import type { Mark, Start } from './plan.ts'
import { jobId } from './plan-steps.ts'
import type { Recipient } from './recipients.ts'
import { actorIdOf } from './take-recipients.ts'
import { writePage } from './write-page.ts'

// Templates see at most this many gathered events; the count is exact.
const mostEvents = 100

/** Continues notifications whose next step waited. The waiting jobs are the guard: a second run finds none. */
export async function resumeNotifications(ctx: Ctx, env: Env, notificationIds: readonly string[]): Promise<void> {
  const now = ctx.clock()
  const { starts, toCancel, held } = await ctx.database.read(env, (db) => loadStarts(db, env, notificationIds))
  if (held.length > 0) await holdPaused(ctx, env, held, now)
  if (starts.length === 0 && toCancel.length === 0) return
  const planned = await advance(ctx, env, starts, now)
  const canceled = toCancel.map(({ job, ...its }) => ({ job: toCanceled(job, now), ...its }))
  await writePage(ctx, env, planned, { kind: 'resumption', events: starts.map(({ event }) => event), canceled }, now)
  traceResumption(ctx, starts, now.getTime())
}

/** Notifications of paused events go on when their events do. What was let go on meanwhile goes on. */
async function holdPaused(ctx: Ctx, env: Env, held: Loaded['held'], now: Date): Promise<void> {
  await ctx.database.write(env, async (db) => {
    const eventIds = held.map(({ eventId }) => eventId)
    const states = await lockEventStates(db, env, eventIds)
    const isPaused = ({ eventId }: { eventId: string }) => states.get(eventId) === 'paused'
    await holdNotifications(db, env, held.filter(isPaused), now)
    const goOn = held.filter((it) => !isPaused(it)).map(({ id }) => id)
    await enqueueResumptions(ctx, db, env, goOn)
  })
}

/** Ends the steps of these notifications that still wait for an earlier one: nobody will go on with them. */
export async function cancelWaitingSteps(ctx: Ctx, env: Env, ids: readonly string[], now: Date): Promise<void> {
  const canceled = await ctx.database.read(env, async (db) => {
    const notifications = await listNotificationsById(db, env, [...new Set(ids)])
    const { jobs } = await loadJobs(db, env, notifications)
    return notifications.flatMap((it) => waitingJobs(it, jobs.get(it.id) ?? []))
  })
  const nothing = toHistoryPage([], [], new Map(), now)
  const jobs = canceled.map(({ job, ...its }) => ({ job: toCanceled(job, now), ...its }))
  if (jobs.length > 0) await writePage(ctx, env, nothing, { kind: 'resumption', events: [], canceled: jobs }, now)
}

/** The event was canceled or the subscriber deleted: steps not begun will not run. */
function toCanceled(job: JobRow, now: Date): NewJob {
  return {
    id: job.id,
    notification_id: job.notification_id,
    step_index: job.step_index,
    type: job.type,
    status: 'canceled',
    provider_id: null,
    message_ids: null,
    details: [detail(now, 'Warning', 'The event was canceled, its subscriber deleted, or the step given up')],
    run_at: null,
    merged_into: null,
    extensions: 0,
  }
}

/** `toCancel`: waiting jobs of canceled events and of deleted subscribers. */
type Loaded = {
  starts: Start[]
  /** By notification. */
  jobs: ReadonlyMap<string, readonly JobRow[]>
  toCancel: { job: JobRow; workflowId: string; eventId: string }[]
  /** Of paused events. */
  held: { id: string; eventId: string }[]
}

/** Loads the notifications that still have steps to plan, with one query per table. */
export async function loadStarts(db: Db, env: Env, notificationIds: readonly string[]): Promise<Loaded> {
  const notifications = await listNotificationsById(db, env, [...new Set(notificationIds)])
  const eventIds = notifications.map((it) => it.event_id)
  const found = await withContexts(db, env, await findEvents(db, env, eventIds))
  const events = new Map(found.map((event) => [event.id, event]))
  const { workflows, jobs } = await loadJobs(db, env, notifications)
  const subscriberIds = [...new Set(notifications.map((it) => it.subscriber_id))]
  const subscribers = new Map((await listSubscribersByInternalId(db, env, subscriberIds)).map((row) => [row.id, row]))
  const actors = await loadActors(db, env, [...events.values()])
  const digests = await loadDigests(db, env, [...jobs.values()].flat())
  const marks = await loadMarks(db, env, jobs, new Map(notifications.map((it) => [it.id, workflows.of(it)])))

  const loaded: Loaded = { starts: [], jobs, toCancel: [], held: [] }
  for (const it of notifications) {
    const [workflow, event, subscriber] = [workflows.of(it), events.get(it.event_id), subscribers.get(it.subscriber_id)]
    const own = jobs.get(it.id) ?? []
    // A notification that carries a digest of other events too goes on for them.
    const isCanceled = event?.state === 'canceled' && (digests.get(it.id)?.count ?? 1) <= 1
    if (!workflow || !event || !subscriber || isCanceled) {
      loaded.toCancel.push(...waitingJobs(it, own))
      continue
    }
    if (event.state === 'paused') {
      if (own.some((job) => job.status === 'pending')) loaded.held.push({ id: it.id, eventId: event.id })
      continue
    }
    loaded.starts.push({
      event,
      workflow,
      subscriber,
      actor: actors.get(actorIdOf(event) ?? '') ?? null,
      topicIds: it.topic_ids,
      lane: laneOf(workflow, event.recipients as Recipient[] | null),
      states: statesOf(own, workflow.steps.length),
      startedAt: startOf(own, workflow.steps),
      digest: digests.get(it.id) ?? null,
      marks: marks.get(it.id) ?? new Map(),
      ...(workflow.origin === 'external' && { answers: answersOf(own) }),
    })
  }
  return loaded
}

/** By notification. */
async function loadJobs(db: Db, env: Env, notifications: readonly Notification[]) {
  const workflows = await getWorkflows(db, env, notifications)
  const jobIds = notifications.flatMap((it) => (workflows.of(it)?.steps ?? []).map((step) => jobId(it.id, step.stepId)))
  return { workflows, jobs: Map.groupBy(await listJobsById(db, env, jobIds), (job) => job.notification_id) }
}

function waitingJobs({ workflow_id, event_id }: Notification, jobs: readonly JobRow[]): Loaded['toCancel'] {
  return jobs
    .filter((job) => job.status === 'pending')
    .map((job) => ({ job, workflowId: workflow_id, eventId: event_id }))
}

function statesOf(jobs: readonly JobRow[], steps: number): (JobStatus | null)[] {
  const byIndex = new Map(jobs.map((job) => [job.step_index, job.status as JobStatus]))
  return Array.from({ length: steps }, (_, index) => byIndex.get(index) ?? null)
}

/** When the last wait ended: of a delay, a digest, or a step that a waiting one depends on. */
function startOf(jobs: readonly JobRow[], steps: readonly Step[]): Date | null {
  const waiting = jobs.filter((job) => job.status === 'pending')
  const awaited = new Set(waiting.flatMap((job) => steps[job.step_index]?.when?.stepId ?? []))
  const isEnded = (job: JobRow) =>
    (isWait(job) && job.status === 'completed') || awaited.has(steps[job.step_index]?.stepId ?? '')
  const ended = [...waiting, ...jobs.filter(isEnded)]
  return ended.reduce<Date | null>((last, job) => (last && last > job.updated_at ? last : job.updated_at), null)
}

function isWait({ type }: JobRow): boolean {
  return type === 'delay' || type === 'digest'
}

/** Seen and read, for the steps that waiting steps depend on. By notification, then by stepId. */
async function loadMarks(
  db: Db,
  env: Env,
  jobs: ReadonlyMap<string, readonly JobRow[]>,
  workflows: ReadonlyMap<string, Workflow | undefined>,
): Promise<Map<string, Map<string, Mark>>> {
  const asked = [...jobs].flatMap(([notificationId, own]) => {
    const steps = workflows.get(notificationId)?.steps ?? []
    const waiting = own.filter((job) => job.status === 'pending')
    const stepIds = new Set(waiting.flatMap((job) => steps[job.step_index]?.when?.stepId ?? []))
    return own.flatMap((job) => {
      const stepId = steps[job.step_index]?.stepId ?? ''
      return stepIds.has(stepId) ? { notificationId, stepId, messageIds: job.message_ids ?? [] } : []
    })
  })
  const found = await listMessageMarks(
    db,
    env,
    asked.flatMap((it) => it.messageIds),
  )
  const marks = new Map<string, Map<string, Mark>>()
  for (const { notificationId, stepId, messageIds } of asked) {
    const own = messageIds.flatMap((id) => found.get(id) ?? [])
    const mark = { seen: own.some((it) => it.seen), read: own.some((it) => it.read) }
    marks.set(notificationId, (marks.get(notificationId) ?? new Map()).set(stepId, mark))
  }
  return marks
}

async function loadActors(db: Db, env: Env, events: readonly EventRow[]) {
  const ids = [...new Set(events.flatMap((event) => actorIdOf(event) ?? []))]
  const rows = ids.length > 0 ? await listSubscribersById(db, env, ids) : []
  return new Map(rows.map((row) => [row.subscriber_id, row]))
}

async function loadDigests(
  db: Db,
  env: Env,
  jobs: readonly JobRow[],
): Promise<Map<string, NonNullable<Start['digest']>>> {
  const closed = jobs.filter((job) => job.type === 'digest' && job.status === 'completed')
  const ids = [...new Set(closed.map((job) => job.notification_id))]
  const { events, counts } = await listDigestedEvents(db, env, ids, mostEvents)
  return new Map(
    [...Map.groupBy(events, (event) => event.digestOf)].map(([id, gathered]) => [
      id,
      {
        events: gathered.map((event) => event.payload),
        count: counts.get(id) ?? gathered.length,
      },
    ]),
  )
}
