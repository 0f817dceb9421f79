import type { Ctx } from '../../context.ts'
import { type Db, type Env, envOf } from '../../store/database.ts'
import {
  checkJobs,
  type EventToCheck,
  findNextEnvironment,
  listEventsToCheck,
  listKeysToCheck,
  listMissingAttempts,
  listNotificationsToCheck,
  listSomeNotificationsToCheck,
  type NotificationToCheck,
} from '../../store/history/conservation-rows.ts'
import { listOldWeeks } from '../../store/history/retention.ts'
import { attemptId } from '../delivery/attempt.ts'
import { jobId } from '../pipeline/plan-steps.ts'
import { getWorkflows } from '../workflows/workflow.ts'

/** Rows of `table` that belong to `of` are missing; a number below 0: there are more than were promised. */
export type Loss = { environmentId: string; table: string; of: string; missing: number }

/** How far the comparison has come. `large`: within the event after `after`, the notifications up to here. */
export type ConservationPlace = {
  environmentId: string
  stage: 'keys' | 'events'
  after: string | null
  large?: { after: string; found: number }
}

export type CheckedPage = { next: ConservationPlace | null; losses: Loss[] }

type Scope = {
  ctx: Ctx
  env: Env
  oldest: Date
  messagesFrom: Date
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

const keysPerPage = 2_000
const eventsPerPage = 500
const notificationsPerPage = 2_000
const dayMs = 24 * 3_600_000
// The clock of the node that drops old history may be ahead of ours.
const marginMs = 3_600_000

/**
 * Compares one page of what was promised with the rows that are there: a transactionId promises its event, an event's
 * count of people its notifications, the workflow's version their jobs, a job its messages, a message its attempts.
 * `place` null: from the beginning. `next` null: all was looked at.
 */
export async function checkConservation(
  ctx: Ctx,
  place: ConservationPlace | null,
  messagesFrom: Date,
): Promise<CheckedPage> {
  const { db } = ctx.database
  const at = place ?? (await firstPlace(db, null))
  if (!at) return { next: null, losses: [] }
  const env = envOf(at.environmentId)
  const oldest = await findOldest(ctx)
  const scope: Scope = { ctx, env, oldest, messagesFrom, read: (work) => ctx.database.read(env, work) }
  // What departed left rows behind that nobody keeps any more; one that arrives has not all of its rows yet.
  const isHeld = (await ctx.database.held.find(at.environmentId)) !== null
  const page = isHeld ? { next: null, losses: [] } : await checkPage(scope, at)
  return page.next ? page : { ...page, next: await firstPlace(db, at.environmentId) }
}

function checkPage(scope: Scope, at: ConservationPlace): Promise<CheckedPage> {
  return at.stage === 'keys' ? checkKeys(scope, at) : checkEvents(scope, at)
}

async function firstPlace(db: Db, after: string | null): Promise<ConservationPlace | null> {
  const environmentId = await findNextEnvironment(db, after)
  return environmentId ? { environmentId, stage: 'keys', after: null } : null
}

/** Events before this may have lost rows to retention: their week is gone, or is about to go. */
async function findOldest({ database, config, clock }: Ctx): Promise<Date> {
  const now = clock()
  const [week] = await listOldWeeks(database.db, now)
  return new Date(Math.max(now.getTime() - config.retentionDays * dayMs + marginMs, week?.getTime() ?? 0))
}

async function checkKeys({ env, oldest, read }: Scope, at: ConservationPlace): Promise<CheckedPage> {
  const keys = await read((db) => listKeysToCheck(db, env, { after: at.after, oldest, limit: keysPerPage }))
  const last = keys.length === keysPerPage ? keys.at(-1)?.transactionId : undefined
  const losses = keys
    .filter((key) => key.isMissing)
    .map(({ transactionId }) => {
      return { environmentId: env.environmentId, table: 'event', of: `transactionId ${transactionId}`, missing: 1 }
    })
  return { next: last ? { ...at, after: last } : { ...at, stage: 'events', after: null }, losses }
}

async function checkEvents(scope: Scope, at: ConservationPlace): Promise<CheckedPage> {
  const { env, oldest } = scope
  const events = await scope.read((db) => listEventsToCheck(db, env, { after: at.after, oldest, limit: eventsPerPage }))
  const [first] = events
  if (!first) return { next: null, losses: [] }
  if (first.notified > notificationsPerPage) return checkLarge(scope, at, first)
  const page = takePage(events)
  const done = page.length === events.length && events.length < eventsPerPage
  const next = done ? null : { ...at, after: page.at(-1)?.id ?? null }
  // One that is still being expanded is looked at in the next round.
  const complete = page.filter((event) => !event.isOpen)
  if (complete.length === 0) return { next, losses: [] }
  const ids = complete.map((event) => event.id)
  const notifications = await scope.read((db) => listNotificationsToCheck(db, env, ids))
  const found = Map.groupBy(notifications, (it) => it.event_id)
  return {
    next,
    losses: [
      ...complete.flatMap((event) => eventLosses(scope, event, found.get(event.id)?.length ?? 0)),
      ...(await notificationLosses(scope, notifications)),
    ],
  }
}

/** As many events as make one page of notifications. */
function takePage(events: readonly EventToCheck[]): EventToCheck[] {
  let room = notificationsPerPage
  const end = events.findIndex((event) => {
    room -= event.notified
    return room < 0
  })
  return end === -1 ? [...events] : events.slice(0, end)
}

async function checkLarge(scope: Scope, at: ConservationPlace, event: EventToCheck): Promise<CheckedPage> {
  const over = { environmentId: at.environmentId, stage: at.stage, after: event.id }
  if (event.isOpen) return { next: over, losses: [] }
  const { after, found } = at.large ?? { after: null, found: 0 }
  const limit = notificationsPerPage
  const notifications = await scope.read((db) =>
    listSomeNotificationsToCheck(db, scope.env, event.id, { after, limit }),
  )
  const losses = await notificationLosses(scope, notifications)
  const sum = found + notifications.length
  const last = notifications.length === limit ? notifications.at(-1)?.id : undefined
  if (last) return { next: { ...at, large: { after: last, found: sum } }, losses }
  return { next: over, losses: [...losses, ...eventLosses(scope, event, sum)] }
}

function eventLosses({ env }: Scope, { id, notified, hasKey }: EventToCheck, found: number): Loss[] {
  const { environmentId } = env
  const of = `event ${id}`
  return [
    ...(hasKey ? [] : [{ environmentId, table: 'event_key', of, missing: 1 }]),
    ...(found === notified ? [] : [{ environmentId, table: 'notification', of, missing: notified - found }]),
  ]
}

async function notificationLosses(
  { env, messagesFrom, read }: Scope,
  notifications: readonly NotificationToCheck[],
): Promise<Loss[]> {
  const { environmentId } = env
  const workflows = await read((db) => getWorkflows(db, env, notifications))
  const owners = new Map(
    notifications.flatMap((it) =>
      (workflows.of(it)?.steps ?? []).map((step) => [jobId(it.id, step.stepId), it.id] as const),
    ),
  )
  const unknown = notifications.filter((it) => !workflows.of(it))
  const jobs = await read((db) => checkJobs(db, env, [...owners.keys()], messagesFrom))
  const attempts = new Map(
    jobs.flatMap(({ messageId, attempts }) =>
      Array.from({ length: attempts ?? 0 }, (_, n) => [attemptId(messageId ?? '', n + 1), messageId] as const),
    ),
  )
  const missingAttempts = await read((db) => listMissingAttempts(db, env, [...attempts.keys()]))
  return [
    ...unknown.map((it) => ({ table: 'workflow_version', of: `notification ${it.id}` })),
    ...jobs.filter((job) => !job.hasJob).map((job) => ({ table: 'job', of: `notification ${owners.get(job.id)}` })),
    ...jobs
      .filter((job) => job.hasJob && job.attempts === null)
      .map((job) => ({ table: 'message', of: `job ${job.id}` })),
    ...[...missingAttempts].map((id) => ({ table: 'attempt', of: `message ${attempts.get(id)}` })),
  ].map((loss) => ({ environmentId, ...loss, missing: 1 }))
}
