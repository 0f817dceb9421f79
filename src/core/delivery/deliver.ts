import type { Ctx } from '../../context.ts'
import { createPauses } from '../../lib/chunks.ts'
import { type Env, isDatabaseUnavailable } from '../../store/database.ts'
import { listAttachments } from '../../store/history/attachments.ts'
import { deferMessages } from '../../store/history/attempts.ts'
import { groupsThatFit, withRoomForFiles } from './attachments-in-hand.ts'
import type { Attempt } from './attempt.ts'
import { commitIntents } from './commit-intents.ts'
import { notAfterExpiry, preparePortion, type ReadyTry, toWait } from './prepare-portion.ts'
import { recordSoon, unrecorded } from './record-soon.ts'
import { sendAttempt } from './send-attempt.ts'

// If too many files are being sent, a message with files is tried again after this long.
const filesAgainMs = 2_000

// Messages that are loaded and decided about together, while those before them are being sent.
const portionSize = 40
// What was decided longer ago is decided anew.
const freshMs = 1_000

// Tries are committed together: a worker waits this long for so many places, if it has messages for them.
const [fewestTogether, gatherMs] = [20, 20]
// How often a worker that waits for places looks whether it may go on waiting.
const lookMs = 100
// Long before the engine takes a task for lost. What is left is queued again.
const longestRunMs = 120_000
// Calls that wait for their answers without a worker, of all integrations. Above this, who makes more keeps his.
const mostWithoutWorker = 1_000
// Answers that wait for their record. With more than these, the places of their tries stay taken until they have it: what
// is not recorded is in doubt if the process dies.
const mostUnrecorded = 64

export type Delivered = {
  /** Messages that were not begun. */
  left: string[]
  faults: unknown[]
}

type Options = {
  integrationId?: string
  lane?: string
  released?: boolean
  /** All are begun and wait for their answers. Not called while too many do. */
  onBegun?: () => void
}

/**
 * Delivers messages of one integration, the first choice for them. New tries begin as others are answered, so that its
 * places stay full as long as messages wait; which of them is slow does not matter to the others.
 */
export async function deliverMessages(
  ctx: Ctx,
  env: Env,
  messageIds: readonly string[],
  { integrationId = env.environmentId, lane = 'bulk', released = false, onBegun = () => {} }: Options = {},
): Promise<Delivered> {
  const nowMs = () => ctx.clock().getTime()
  const visit = ctx.health.enter(integrationId, lane, nowMs(), messageIds.length)
  if (!visit) return { left: [...messageIds], faults: [] }
  const endsMs = performance.now() + longestRunMs
  const mayBegin = async () =>
    !ctx.drain.begun &&
    performance.now() < endsMs &&
    ctx.health.mayStay(visit, nowMs()) &&
    // While it is being moved no try begins, so that those under way come to an end.
    !(await isHeld(ctx, env))
  const ids = [...messageIds]
  const left: string[] = []
  const faults: unknown[] = []
  const running = new Set<Promise<unknown>>()
  const committing = new Set<Promise<unknown>>()
  try {
    while (ids.length > 0 && (await mayBegin())) {
      const portion = ids.splice(0, portionSize)
      const ready = await preparePortion(ctx, env, portion, released).catch((error: unknown) => {
        faults.push(error)
        // The tasks that carry them are run again.
        if (isDatabaseUnavailable(error)) ids.length = 0
        return []
      })
      const preparedMs = performance.now()
      while (ready.length > 0) {
        visit.waiting = ids.length + ready.length
        const places = await waitForPlaces(ctx, integrationId, ready.length, mayBegin)
        if (!places) break
        const { stale = [], fresh = [] } = Object.groupBy(ready.splice(0, places.count), (it) =>
          isStale(ctx, it, preparedMs) ? 'stale' : 'fresh',
        )
        ids.unshift(...stale.map(idOf))
        visit.waiting = ids.length + ready.length
        for (const _ of stale) places.give()
        const { committed, ended } = begin(ctx, env, fresh, places)
        committing.add(committed)
        void committed.then(() => committing.delete(committed))
        const one = ended
          .then((notBegun) => left.push(...notBegun))
          .catch((error: unknown) => faults.push(error))
          .finally(() => {
            places.giveAll()
            running.delete(one)
          })
        running.add(one)
      }
      left.push(...ready.map(idOf))
    }
    await Promise.all(committing)
  } finally {
    ctx.health.leave(visit)
  }
  if (ctx.health.callsUnderWay() < mostWithoutWorker) onBegun()
  await Promise.all(running)
  return { left: [...left, ...ids], faults }
}

/** When nobody knows, its tries are refused where they are committed. */
async function isHeld({ database }: Ctx, { environmentId }: Env): Promise<boolean> {
  return (await database.held.find(environmentId).catch(() => null)) !== null
}

const idOf = ({ delivery }: ReadyTry) => delivery.row.id

/** It waited for its place too long, or its integration stopped working meanwhile. */
function isStale(ctx: Ctx, { candidate, isProbe }: ReadyTry, preparedMs: number): boolean {
  if (performance.now() - preparedMs > freshMs) return true
  return !isProbe && ctx.health.isHeld(candidate.id, ctx.clock().getTime())
}

/** Null: it may wait no longer. */
async function waitForPlaces(
  ctx: Ctx,
  id: string,
  wanted: number,
  mayBegin: () => Promise<boolean>,
): Promise<Places | null> {
  let gatheredMs: number | undefined
  while (await mayBegin()) {
    const free = ctx.health.freePlaces(id, ctx.clock().getTime())
    if (free > 0) gatheredMs ??= performance.now() + gatherMs
    const isOver = gatheredMs !== undefined && performance.now() >= gatheredMs
    if (free >= Math.min(wanted, fewestTogether) || (free > 0 && isOver)) {
      return takePlaces(ctx, id, Math.min(free, wanted))
    }
    await isFreeWithin(ctx, id, free > 0 ? gatherMs : lookMs)
  }
  return null
}

function isFreeWithin(ctx: Ctx, id: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void ctx.health.whenFree(id).then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

type Places = { count: number; give(): void; giveAll(): void }

function takePlaces(ctx: Ctx, id: string, count: number): Places {
  const takenMs = ctx.clock().getTime()
  let left = count
  const give = (calls: number) => {
    left -= calls
    if (calls > 0) ctx.health.give(id, takenMs, calls)
  }
  ctx.health.take(id, takenMs, count)
  return { count, give: () => give(1), giveAll: () => give(left) }
}

type Sending = {
  /** Also when it failed. */
  committed: Promise<unknown>
  /** The messages that were not begun because the process is stopping, or the environment is being moved. */
  ended: Promise<string[]>
}

/** Commits these tries and sends them. */
function begin(ctx: Ctx, env: Env, ready: readonly ReadyTry[], places: Places): Sending {
  const { light = [], heavy = [] } = Object.groupBy(ready, (it) =>
    it.delivery.attachmentBytes > 0 ? 'heavy' : 'light',
  )
  const groups = groupsThatFit(heavy, bytesOf, ({ delivery }) => delivery.row.event_id)
  const withFiles = groups.map((group) => sendWithFiles(ctx, env, group, places))
  const attempts = commitIntents(ctx, env, light)
  const sent = attempts.then((begun) => send(ctx, env, begun, places)).then(() => [])
  return {
    // Files in memory need a worker until they are sent.
    committed: Promise.allSettled([attempts, ...withFiles]),
    ended: allEnded([sent, ...withFiles]),
  }
}

async function allEnded(parts: readonly Promise<string[]>[]): Promise<string[]> {
  const ended = await Promise.allSettled(parts)
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return ended.flatMap((end) => (end.status === 'fulfilled' ? end.value : []))
}

const bytesOf = ({ delivery }: ReadyTry) => delivery.attachmentBytes

/**
 * Messages of one event. Their tries are committed when there is room for its files, not before. Returns those that were
 * not begun because the process is stopping.
 */
async function sendWithFiles(ctx: Ctx, env: Env, group: readonly ReadyTry[], places: Places): Promise<string[]> {
  const ids = group.map(({ delivery }) => delivery.row.id)
  const bytes = group.reduce((sum, it) => sum + bytesOf(it), 0)
  const eventIds = group.slice(0, 1).map(({ delivery }) => delivery.row.event_id)
  let left: string[] = []
  const hadRoom = await withRoomForFiles(bytes, async () => {
    if (ctx.drain.begun || (await isHeld(ctx, env))) {
      left = ids
      return
    }
    const files = await ctx.database.read(env, (db) => listAttachments(db, env, eventIds))
    const attachments = [...files.values()].flat()
    const tries = group.map((it) => ({ ...it, delivery: { ...it.delivery, attachments } }))
    await send(ctx, env, await commitIntents(ctx, env, tries), places)
  })
  if (hadRoom) return left
  const againAt = ctx.clock().getTime() + filesAgainMs
  const waits = group.map(({ delivery: { row } }) => toWait(row, notAfterExpiry(againAt, row.expires_at)))
  await ctx.database.write(env, (db) => deferMessages(db, env, waits))
  return []
}

/** Sends these tries. Each gives its place back when it is answered, whatever becomes of the others. */
async function send(ctx: Ctx, env: Env, attempts: readonly Attempt[], places: Places): Promise<void> {
  const faults: unknown[] = []
  const running: Promise<void>[] = []
  // Writing the request of a large mail takes a tenth of a second.
  const pause = createPauses()
  for (const attempt of attempts) {
    await pause()
    running.push(sendAndRecord(ctx, env, attempt, places).catch((error: unknown) => void faults.push(error)))
  }
  await Promise.all(running)
  if (faults.length > 0) throw faults[0]
}

async function sendAndRecord(ctx: Ctx, env: Env, attempt: Attempt, places: Places): Promise<void> {
  const ending = await sendAttempt(ctx, env, attempt)
  const isBehind = unrecorded(ctx, env) >= mostUnrecorded
  if (!isBehind) places.give()
  try {
    await recordSoon(ctx, env, ending)
  } finally {
    if (isBehind) places.give()
  }
}
