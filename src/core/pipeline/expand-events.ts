import type { Ctx } from '../../context.ts'
import type { Env } from '../../store/database.ts'
import { type EventRow, findOpenEvents } from '../../store/history/events.ts'
import { traceExpansion } from '../numbers/trace-spans.ts'
import { nextPageOfSend } from '../sends/begin-send.ts'
import { judgeSubscriptions } from '../topics/judge-subscriptions.ts'
import { withContexts } from '../values/contexts.ts'
import { getWorkflows } from '../workflows/workflow.ts'
import { advance } from './advance.ts'
import { laneOf } from './enqueue.ts'
import type { Start } from './plan.ts'
import type { Recipient } from './recipients.ts'
import { saveRecipients, type Via } from './save-recipients.ts'
import type { EventPage } from './take-recipients.ts'
import { writePage } from './write-page.ts'

// Recipients written by one transaction.
export const pageSize = 300

/** `callerContinues`: the last event has more recipients, and `expandLarge` continues with it. */
type Pages = { pages: readonly EventPage[]; callerContinues: boolean }

/**
 * Turns recipients into notifications, page by page. A page (rows and cursors) is one transaction. It cannot be written
 * twice, because the cursor must still be where the page began. `until`: a time of `performance.now()`, after
 * which the rest of a large event becomes a new task.
 */
export async function expandEvents(ctx: Ctx, env: Env, eventIds: readonly string[], until: number): Promise<void> {
  const events = await ctx.database.read(env, async (db) =>
    withContexts(db, env, await findOpenEvents(db, env, eventIds)),
  )
  const failures: unknown[] = []
  while (events.length > 0) {
    const taken = await takePages(ctx, env, events, until)
    const failed = await expandOrBisect(ctx, env, taken)
    const large = taken.callerContinues ? taken.pages.at(-1) : undefined
    const written = large && !failed.has(large.event.id) ? large : undefined
    if (written) await expandLarge(ctx, env, withMovedCursor(written), until).catch((error) => failures.push(error))
    failures.push(...failed.values())
  }
  // The rest is done; the engine tries the failed events again.
  if (failures.length > 0) throw failures[0]
}

/**
 * Expands an event of many pages while there is time. While one page is written, the next is already prepared, and if no
 * person can be in both it is written too, but commits second.
 */
async function expandLarge(ctx: Ctx, env: Env, event: EventRow, until: number): Promise<void> {
  let before: Promise<void> = Promise.resolve()
  for (let at: EventRow | undefined = event; at; ) {
    const taken: Pages = await takePages(ctx, env, [at], until)
    const write = expandPages(ctx, env, taken, before)
    write.catch(() => {}) // awaited in the next turn; until then a failure must not count as unhandled
    await before
    before = write
    const [page] = taken.pages
    at = taken.callerContinues && page ? withMovedCursor(page) : undefined
  }
  await before
}

function withMovedCursor({ event, progress, send }: EventPage): EventRow {
  const moved = { ...event, expand_cursor: progress.after, notified_count: event.notified_count + progress.notified }
  return send ? { ...moved, send_counted: send.counted, canary_until: send.canary_until } : moved
}

/** Takes as many events off the list as fit into one page. An event larger than a page comes last. */
async function takePages(ctx: Ctx, env: Env, events: EventRow[], until: number): Promise<Pages> {
  const pages = await ctx.database.read(env, async (db) => {
    const taken: EventPage[] = []
    let room = pageSize
    for (const event of events) {
      if (room <= 0) break
      const page = await nextPageOfSend(db, env, event, room, ctx.clock())
      taken.push(page)
      room -= Math.max(page.reached.length, 1)
    }
    return taken
  })
  events.splice(0, pages.length)
  return { pages, callerContinues: pages.at(-1)?.progress.state === 'accepted' && performance.now() < until }
}

/** On failure splits the page: one faulty event must not hold up the others. Returns failures by event. */
async function expandOrBisect(ctx: Ctx, env: Env, { pages, callerContinues }: Pages): Promise<Map<string, unknown>> {
  try {
    await expandPages(ctx, env, { pages, callerContinues }, null)
    return new Map()
  } catch (error) {
    if (pages.length <= 1) return new Map(pages.map(({ event }) => [event.id, error]))
    const half = Math.ceil(pages.length / 2)
    return new Map([
      ...(await expandOrBisect(ctx, env, { pages: pages.slice(0, half), callerContinues: false })),
      ...(await expandOrBisect(ctx, env, { pages: pages.slice(half), callerContinues })),
    ])
  }
}

/** Writes nothing if another worker moved one of the cursors first. That worker, or the sweep, finishes the event. */
async function expandPages(
  ctx: Ctx,
  env: Env,
  { pages, callerContinues }: Pages,
  before: Promise<void> | null,
): Promise<void> {
  const now = ctx.clock()
  const starts = await toStarts(ctx, env, pages, now)
  const advanceMs = ctx.clock().getTime()
  const planned = await advance(ctx, env, starts, now)
  await writePage(ctx, env, planned, { kind: 'expansion', pages, callerContinues, before }, now)
  traceExpansion(ctx, pages, starts, { startMs: now.getTime(), advanceMs })
}

const newStart = { states: [], startedAt: null, digest: null }

/** One for each person of the pages. Those who are given with a profile are saved. */
export async function toStarts(
  ctx: Ctx,
  env: Env,
  pages: readonly EventPage[],
  now: Date,
  via: Via = ctx.database,
): Promise<Start[]> {
  const events = pages.map(({ event }) => event)
  const workflows = await via.read(env, (db) => getWorkflows(db, env, events))
  const { subscribers, actors } = await saveRecipients(ctx, env, pages, now, via)
  const startsOf = pages.map(({ event, reached }) => {
    const workflow = workflows.of(event)
    if (!workflow) throw new Error(`event ${event.id} names a workflow version that does not exist`)
    const seen = new Set<string>()
    const starts = reached.flatMap(({ subscriberId, topicId }): Start[] => {
      const subscriber = subscribers.get(subscriberId)
      // The subscriber was deleted meanwhile, or appears twice in the page.
      if (!subscriber || seen.has(subscriberId)) return []
      seen.add(subscriberId)
      const actor = actors.get(event.id) ?? null
      const lane = laneOf(workflow, event.recipients as Recipient[] | null)
      return [{ event, workflow, subscriber, actor, topicIds: topicId ? [topicId] : null, lane, ...newStart }]
    })
    return { event, starts }
  })
  // Most events name people: those cost no further read.
  if (!pages.some(({ reached }) => reached.some(({ topicId }) => topicId))) return startsOf.flatMap((it) => it.starts)
  return via.read(env, async (db) => {
    const judged: Start[] = []
    for (const { event, starts } of startsOf) judged.push(...(await judgeSubscriptions(db, env, event, starts)))
    return judged
  })
}
