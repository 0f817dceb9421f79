import type { Ctx } from '../context.ts'
import { advance, type Start } from '../core/advance.ts'
import { type EventPage, nextPage } from '../core/expand-page.ts'
import { saveReached } from '../core/save-reached.ts'
import { getWorkflows } from '../core/workflow.ts'
import { defineTask } from '../engine/define-task.ts'
import type { Env } from '../store/database.ts'
import { type EventRow, findOpenEvents, moveEventCursors } from '../store/events.ts'
import { insertHistory } from '../store/history.ts'

// Recipients written by one transaction.
const pageSize = 250

/**
 * Recipients to notifications, page by page. A page (its rows, the events' cursors and the task for the next page) is
 * one transaction: done wholly or not at all, and never twice, because the cursor must stand where the page began.
 */
export default defineTask({
  name: 'expand-events',
  batchSize: 2,
  workers: { critical: 1, transactional: 1, bulk: 2 },
  async run(ctx, tasks) {
    for (const [environmentId, ofEnvironment] of Map.groupBy(tasks, (task) => task.environmentId)) {
      const eventIds = ofEnvironment.flatMap((task) => task.eventIds as string[])
      await expandEvents(ctx, { environmentId, organizationId: '', keyId: '' }, eventIds)
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
  const history = await advance(ctx, await toStarts(ctx, env, pages, now), now)
  const unfinished = pages.filter(({ progress }) => progress.state === 'accepted')
  await ctx.database.write(env, async (db) => {
    const moved = await moveEventCursors(
      db,
      env,
      pages.map((page) => page.progress),
    )
    if (moved !== pages.length) throw new Error('the events of this page are in other hands')
    await insertHistory(db, env, history, now)
    const next = unfinished.map(({ event }) => ({ environmentId: env.environmentId, eventIds: [event.id] }))
    await ctx.engine.enqueue(db, 'expand-events', 'bulk', next)
  })
}

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
      return { event, workflow, subscriber, actor: actors.get(event.id) ?? null, topicIds: topicId ? [topicId] : null }
    })
  })
}
