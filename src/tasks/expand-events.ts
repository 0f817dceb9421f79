import type { Ctx } from '../context.ts'
import { countExpanded } from '../core/count-outcomes.ts'
import { enqueueDepartures, enqueueResumes } from '../core/departures.ts'
import { laneOf } from '../core/lane.ts'
import { traceExpansion } from '../core/numbers/trace-spans.ts'
import { happenedToPage } from '../core/numbers-happened.ts'
import { advance, type HistoryPage, type Start } from '../core/pipeline/advance.ts'
import { settleWindows } from '../core/pipeline/decide-windows.ts'
import type { Recipient } from '../core/pipeline/recipients.ts'
import { saveReached } from '../core/pipeline/save-recipients.ts'
import { type EventPage, nextPage } from '../core/pipeline/take-recipients.ts'
import { outcomesKnown } from '../core/pipeline/when.ts'
import { getWorkflows } from '../core/workflows/workflow.ts'
import { defineTask } from '../engine/define-task.ts'
import { type Db, type Env, envOf } from '../store/database.ts'
import { type EventRow, findOpenEvents, moveEventCursors } from '../store/history/events.ts'
import { insertHistory } from '../store/history/history.ts'
import { listNotificationsById } from '../store/history/notifications.ts'
import { addTallies } from '../store/history/tallies.ts'

// Recipients written by one transaction.
const pageSize = 300
// How long one task goes on with a large event before it queues the rest behind what others brought meanwhile.
const sliceMs = 500

/**
 * Recipients to notifications, page by page. A page (its rows and the events' cursors) is one transaction: done wholly or
 * not at all, and never twice, because the cursor must stand where the page began.
 */
export default defineTask({
  name: 'expand-events',
  batchSize: 3,
  workers: { critical: 1, transactional: 1, bulk: 9 },
  split: ({ environmentId, eventIds }) => (eventIds as string[]).map((id) => ({ environmentId, eventIds: [id] })),
  async run(ctx, tasks, { again }) {
    // What failed before does one page and queues the rest as a new task: that is progress, and is seen as such.
    const until = again ? 0 : performance.now() + sliceMs
    for (const [environmentId, ofEnvironment] of Map.groupBy(tasks, (task) => task.environmentId)) {
      const eventIds = ofEnvironment.flatMap((task) => task.eventIds as string[])
      await expandEvents(ctx, envOf(environmentId), eventIds, until)
    }
  },
})

/** `goesOn`: of the last event there is more, and whoever wrote the page takes it up. */
type Pages = { pages: readonly EventPage[]; goesOn: boolean }

async function expandEvents(ctx: Ctx, env: Env, eventIds: readonly string[], until: number): Promise<void> {
  const events = await ctx.database.read(env, (db) => findOpenEvents(db, env, eventIds))
  const failures: unknown[] = []
  while (events.length > 0) {
    const taken = await takePages(ctx, env, events, until)
    const failed = await writeOrBisect(ctx, env, taken)
    const large = taken.goesOn ? taken.pages.at(-1) : undefined
    const written = large && !failed.has(large.event.id) ? large : undefined
    if (written) await expandLarge(ctx, env, behind(written), until).catch((error) => failures.push(error))
    failures.push(...failed.values())
  }
  // What could be done is done; the engine tries the rest again.
  if (failures.length > 0) throw failures[0]
}

/**
 * An event of many pages, for as long as there is time. While one page is written the next is read, planned, rendered and
 * written as far as its cursor, which moves when the one before has committed.
 */
async function expandLarge(ctx: Ctx, env: Env, event: EventRow, until: number): Promise<void> {
  let before: Promise<void> = Promise.resolve()
  for (let at: EventRow | undefined = event; at; ) {
    const taken: Pages = await takePages(ctx, env, [at], until)
    const write = prepareAndWrite(ctx, env, taken, before)
    write.catch(() => {}) // awaited in the next turn, perhaps after it has failed
    await before
    before = write
    const [page] = taken.pages
    at = taken.goesOn && page ? behind(page) : undefined
  }
  await before
}

function behind({ event, progress }: EventPage): EventRow {
  return { ...event, expand_cursor: progress.after }
}

/** One event that cannot be expanded must not hold up those that share its page. Answers what failed, by event. */
async function writeOrBisect(ctx: Ctx, env: Env, { pages, goesOn }: Pages): Promise<Map<string, unknown>> {
  try {
    await prepareAndWrite(ctx, env, { pages, goesOn })
    return new Map()
  } catch (error) {
    if (pages.length <= 1) return new Map(pages.map(({ event }) => [event.id, error]))
    const half = Math.ceil(pages.length / 2)
    return new Map([
      ...(await writeOrBisect(ctx, env, { pages: pages.slice(0, half), goesOn: false })),
      ...(await writeOrBisect(ctx, env, { pages: pages.slice(half), goesOn })),
    ])
  }
}

/** As many events as fit one page, taken off the list; one that is larger than a page is the last of it. */
async function takePages(ctx: Ctx, env: Env, events: EventRow[], until: number): Promise<Pages> {
  const pages: EventPage[] = []
  for (let room = pageSize; room > 0; ) {
    const event = events.shift()
    if (!event) break
    const page = await ctx.database.read(env, (db) => nextPage(db, env, event, room))
    pages.push(page)
    room -= Math.max(page.reached.length, 1)
  }
  return { pages, goesOn: pages.at(-1)?.progress.state === 'accepted' && performance.now() < until }
}

/** Where another worker has one of these events in hand, nothing is written: what it does is done, or is swept up later. */
async function prepareAndWrite(ctx: Ctx, env: Env, { pages, goesOn }: Pages, before?: Promise<void>): Promise<void> {
  const now = ctx.clock()
  const starts = await toStarts(ctx, env, pages, now)
  const advanceMs = ctx.clock().getTime()
  const history = await advance(ctx, env, starts, now)
  // Those of this page, each once; whom an earlier page reached is taken off when the rows are written.
  const notified = Map.groupBy(history.notifications, (it) => it.event_id)
  const progress = pages.map((page) => ({ ...page.progress, notified: notified.get(page.event.id)?.length ?? 0 }))
  const unfinished = goesOn ? [] : pages.filter(({ progress }) => progress.state === 'accepted')
  // What is counted and gathered must see whom the page before reached.
  if (history.throttles.length > 0 || history.digests.length > 0) await before
  await ctx.database.write(env, async (db) => {
    const { page, goOn } = await settleWindows(db, env, await withoutKnown(db, env, history), now)
    const known = await insertHistory(db, env, page, now)
    await addTallies(db, env, happenedToPage(page, known), now)
    const next = unfinished.map(({ event }) => ({ environmentId: env.environmentId, eventIds: [event.id] }))
    await ctx.engine.enqueue(db, 'expand-events', 'bulk', next)
    await enqueueDepartures(
      ctx,
      db,
      env,
      page.messages.filter((message) => message.delivery === 'open' && !known.has(message.notification_id)),
    )
    await enqueueResumes(ctx, db, env, [...goOn, ...outcomesKnown(page)])
    await before
    const moved = await moveEventCursors(db, env, progress)
    if (moved !== pages.length) throw new Error('the events of this page are in other hands')
    countExpanded(ctx, db, { pages, written: page, known, startedMs: now.getTime() })
  })
  traceExpansion(ctx, pages, starts, { startMs: now.getTime(), advanceMs })
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
