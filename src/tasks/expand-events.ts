import type { Ctx } from '../context.ts'
import { advance, type HistoryPage, type Start } from '../core/advance.ts'
import { enqueueDepartures, enqueueResumes } from '../core/departures.ts'
import { type EventPage, nextPage } from '../core/expand-page.ts'
import { laneOf } from '../core/lane.ts'
import type { Recipient } from '../core/recipients.ts'
import { saveReached } from '../core/save-reached.ts'
import { settleWindows } from '../core/settle-windows.ts'
import { outcomesKnown } from '../core/when.ts'
import { getWorkflows } from '../core/workflow.ts'
import { defineTask } from '../engine/define-task.ts'
import { type Db, type Env, envOf } from '../store/database.ts'
import { type EventRow, findOpenEvents, moveEventCursors } from '../store/events.ts'
import { insertHistory } from '../store/history.ts'
import { listNotificationsById } from '../store/notifications.ts'

// Recipients written by one transaction.
const pageSize = 250

/**
 * Recipients to notifications, page by page. A page (its rows, the events' cursors and the task for the next page) is
 * one transaction: done wholly or not at all, and never twice, because the cursor must stand where the page began.
 */
export default defineTask({
  name: 'expand-events',
  batchSize: 2,
  workers: { critical: 1, transactional: 1, bulk: 4 },
  split: ({ environmentId, eventIds }) => (eventIds as string[]).map((id) => ({ environmentId, eventIds: [id] })),
  async run(ctx, tasks) {
    for (const [environmentId, ofEnvironment] of Map.groupBy(tasks, (task) => task.environmentId)) {
      const eventIds = ofEnvironment.flatMap((task) => task.eventIds as string[])
      await expandEvents(ctx, envOf(environmentId), eventIds)
    }
  },
})

async function expandEvents(ctx: Ctx, env: Env, eventIds: readonly string[]): Promise<void> {
  const events = await ctx.database.read(env, (db) => findOpenEvents(db, env, eventIds))
  const failures: unknown[] = []
  while (events.length > 0) {
    const page = await takePage(ctx, env, events)
    events.splice(0, page.length)
    failures.push(...(await writeOrBisect(ctx, env, page)))
  }
  // What could be done is done; the engine tries the rest again.
  if (failures.length > 0) throw failures[0]
}

/** One event that cannot be expanded must not hold up those that share its page. */
async function writeOrBisect(ctx: Ctx, env: Env, page: readonly EventPage[]): Promise<unknown[]> {
  try {
    await writePage(ctx, env, page)
    return []
  } catch (error) {
    if (page.length <= 1) return [error]
    const half = Math.ceil(page.length / 2)
    return [
      ...(await writeOrBisect(ctx, env, page.slice(0, half))),
      ...(await writeOrBisect(ctx, env, page.slice(half))),
    ]
  }
}

/** As many events as fit one page; one that is larger than a page fills it alone and goes on as a task of its own. */
async function takePage(ctx: Ctx, env: Env, events: readonly EventRow[]): Promise<EventPage[]> {
  const pages: EventPage[] = []
  let room = pageSize
  for (const event of events) {
    if (room <= 0) break
    const page = await ctx.database.read(env, (db) => nextPage(db, env, event, room))
    pages.push(page)
    room -= Math.max(page.reached.length, 1)
  }
  return pages
}

/** Where another worker has one of these events in hand, nothing is written: what it does is done, or is swept up later. */
async function writePage(ctx: Ctx, env: Env, pages: readonly EventPage[]): Promise<void> {
  const now = ctx.clock()
  const history = await advance(ctx, env, await toStarts(ctx, env, pages, now), now)
  // Those of this page, each once; whom an earlier page reached is taken off when the rows are written.
  const notified = Map.groupBy(history.notifications, (it) => it.event_id)
  const progress = pages.map((page) => ({ ...page.progress, notified: notified.get(page.event.id)?.length ?? 0 }))
  const unfinished = pages.filter(({ progress }) => progress.state === 'accepted')
  await ctx.database.write(env, async (db) => {
    const moved = await moveEventCursors(db, env, progress)
    if (moved !== pages.length) throw new Error('the events of this page are in other hands')
    const { page, goOn } = await settleWindows(db, env, await withoutKnown(db, env, history), now)
    await insertHistory(db, env, page, now)
    const next = unfinished.map(({ event }) => ({ environmentId: env.environmentId, eventIds: [event.id] }))
    await ctx.engine.enqueue(db, 'expand-events', 'bulk', next)
    await enqueueDepartures(
      ctx,
      db,
      env,
      page.messages.filter((message) => message.delivery === 'open'),
    )
    await enqueueResumes(ctx, db, env, [...goOn, ...outcomesKnown(page)])
  })
}

/** Whom an earlier page of the same event reached is neither counted nor gathered a second time. */
async function withoutKnown(db: Db, env: Env, page: HistoryPage): Promise<HistoryPage> {
  if (page.throttles.length === 0 && page.digests.length === 0) return page
  const ids = page.notifications.map((it) => it.id)
  const known = new Set((await listNotificationsById(db, env, ids)).map((it) => it.id))
  if (known.size === 0) return page
  return {
    // Its notifications stay in, so that the event's count of people is put right.
    ...page,
    jobs: page.jobs.filter((job) => !known.has(job.notification_id)),
    messages: page.messages.filter((message) => !known.has(message.notification_id)),
    throttles: page.throttles.filter((claim) => !known.has(claim.notificationId)),
    digests: page.digests.filter((claim) => !known.has(claim.notificationId)),
  }
}

const fresh = { states: [], startedAt: null, digest: null }

async function toStarts(ctx: Ctx, env: Env, pages: readonly EventPage[], now: Date): Promise<Start[]> {
  const wanted = pages.map(({ event }) => ({ workflowId: event.workflow_id, version: event.workflow_version }))
  const workflows = await ctx.database.read(env, (db) => getWorkflows(db, env, wanted))
  const { subscribers, actors } = await saveReached(ctx, env, pages, now)
  return pages.flatMap(({ event, reached }) => {
    const workflow = workflows.get(`${event.workflow_id}:${event.workflow_version}`)
    if (!workflow) throw new Error(`event ${event.id} names a workflow version that does not exist`)
    const seen = new Set<string>()
    return reached.flatMap(({ subscriberId, topicId }) => {
      const subscriber = subscribers.get(subscriberId)
      // Deleted meanwhile, or reached twice within the page.
      if (!subscriber || seen.has(subscriberId)) return []
      seen.add(subscriberId)
      const actor = actors.get(event.id) ?? null
      const lane = laneOf(workflow, event.recipients as Recipient[] | null)
      return { event, workflow, subscriber, actor, topicIds: topicId ? [topicId] : null, lane, ...fresh }
    })
  })
}
