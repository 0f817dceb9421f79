import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { findEvents } from '../../store/history/events.ts'
import { hasUnfinished } from '../../store/sends/count-rows.ts'
import { releaseHeld } from '../../store/sends/door.ts'
import { addSendTallies, foldSendTallies, listSendTotals, type SendTotal } from '../../store/sends/send-tallies.ts'
import { changeSend, lockSendIfFree, type SendChange, type SendRow } from '../../store/sends/sends.ts'
import { enqueueDeliveries, enqueueResumptions } from '../pipeline/enqueue.ts'
import { readSendBounds } from './bounds.ts'
import { cancelPortion } from './cancel-send.ts'
import { leftOutOf } from './end-canceled-send.ts'
import { type Judged, judgeSend } from './judge-send.ts'
import { openEvent, resumeSend } from './resume-send.ts'
import { lockForChange, stopSend } from './stop-send.ts'

// What was held and goes on, by one transaction.
const releasedAtOnce = 1_000
// If the task of what was let go on is lost, a timer looks at it after this.
const againAfterMs = 30 * 60_000
// Steps that wait for days are looked for now and then: to find none, all are read.
const lookAgainMs = 30_000
// Of what is not counted nothing tells that it came to its end.
const lookAgainUncountedMs = 2_000
// Of the first people so many may be left, for whom there are retries, when the others are judged.
const restOfCanary = 0.05

/** What is to be done with the door closed. */
type Act = { kind: 'stop'; reason: string; text: string } | { kind: 'resume' } | { kind: 'open' }
/** When it was looked at last. */
type Seen = { waiting: number; eventState: string }
type Watched = { send: SendRow; act: Act | null; more: boolean }

/** Adds up what happened to a send, judges it, and does what its state asks for. Returns whether there is more at once. */
export async function watchSend(ctx: Ctx, env: Env, id: string): Promise<boolean> {
  const now = ctx.clock()
  const watched = await ctx.database.write(env, async (db) => {
    const send = await lockSendIfFree(db, env, id)
    return send && lookAt(ctx, db, env, send, now)
  })
  if (!watched) return false
  const { send, act, more } = watched
  if (!act) return more
  const ifSince = send.since
  await ctx.database.write(env, async (db) => {
    switch (act.kind) {
      case 'stop':
        return stopSend(ctx, db, env, id, { reason: act.reason, text: act.text, by: null, ifSince }, now)
      case 'resume':
        return resumeSend(ctx, db, env, id, { reason: null, text: null, by: null, ifSince }, now)
      case 'open': {
        const locked = await lockForChange(db, env, id, now)
        if (locked?.send.state === 'running') await openEvent(ctx, db, env, locked)
        return null
      }
    }
  })
  return more
}

async function lookAt(ctx: Ctx, db: Db, env: Env, send: SendRow, now: Date): Promise<Watched> {
  if (send.counted) await foldSendTallies(db, env, send.id)
  const totals = (await listSendTotals(db, env, [send.id])).get(send.id) ?? []
  const nothing = { send, act: null, more: false }
  switch (send.state) {
    case 'canceled':
    case 'paused':
      return nothing
    case 'done':
      // Dead letters are sent again.
      if (waitingOf(totals) > 0) await changeSend(db, env, send, { state: 'running', reason: null }, { now })
      return nothing
    case 'canceling':
      return { ...nothing, more: await cancelPortion(ctx, db, env, send, now) }
    case 'running':
    case 'canary':
    case 'waiting': {
      const [event] = await findEvents(db, env, [send.id])
      if (!event || event.state === 'canceled') {
        const left_out = event ? await leftOutOf(db, env, send, true) : null
        await changeSend(db, env, send, { state: event ? 'canceled' : 'done', left_out }, { now })
        return nothing
      }
      const more = await release(ctx, db, env, send, now)
      const judgement = send.bounds && judgeSend(totals, send.judged as Judged, send.bounds)
      if (judgement?.verdict) return { send, act: { kind: 'stop', ...judgement.verdict }, more }
      const judged = { ...(send.judged as object), ...judgement?.judged }
      const total = event.state === 'expanded' ? event.notified_count : send.total
      return { ...(await moveOn(db, env, send, { judged, total }, event.state, totals, now)), more }
    }
  }
}

/** Its next state, if it has come to that. `found`: what was learnt of it now. */
async function moveOn(
  db: Db,
  env: Env,
  send: SendRow,
  found: Pick<SendRow, 'judged' | 'total'>,
  eventState: string,
  totals: readonly SendTotal[],
  now: Date,
): Promise<{ send: SendRow; act: Act | null }> {
  const to = async (change: SendChange) => {
    return { send: await changeSend(db, env, send, { ...found, ...change }, { now }), act: null }
  }
  const later = (ms: number) => new Date(now.getTime() + ms)
  const again = later(send.counted ? lookAgainMs : lookAgainUncountedMs)
  const waiting = waitingOf(totals)
  switch (send.state) {
    case 'waiting': {
      const isTime = send.resumes_at !== null && send.resumes_at <= now
      return isTime ? { send, act: { kind: 'resume' } } : to({ look_at: send.resumes_at })
    }
    case 'canary': {
      if (eventState === 'expanded') return to({ state: 'running', reason: null, canary_until: null })
      const isLeft = waiting > Math.floor((send.canary_people ?? 0) * restOfCanary)
      if (eventState !== 'held' || isLeft) return to({ look_at: again })
      const { goesOn, goesOnAfterSeconds } = await readSendBounds(db, env)
      return to({ state: 'waiting', resumes_at: goesOn === 'time' ? later(goesOnAfterSeconds * 1_000) : null })
    }
    default: {
      // It went on while the last page of its first people was being written.
      if (eventState === 'held') return { send, act: { kind: 'open' } }
      const before = (send.judged as { seen?: Seen }).seen
      const seen = { waiting, eventState }
      const judged = { ...(found.judged as object), seen }
      if (eventState !== 'expanded') return to({ judged, look_at: again })
      const isNews = waiting === 0 && (before?.waiting !== 0 || before.eventState !== eventState)
      const isDue = isNews || (send.look_at !== null && send.look_at <= now)
      if (!isDue) return to({ judged })
      if (await hasUnfinished(db, env, send.id)) return to({ judged, look_at: again })
      // Messages of people who were deleted are gone, and were not sent.
      const gone = totals.filter(({ outcome, n }) => outcome === 'waiting' && n !== 0)
      await addSendTallies(
        db,
        env,
        gone.map(({ channel, outcome, n }) => ({ sendId: send.id, channel, outcome, n: -n })),
        now,
      )
      return to({ state: 'done', reason: null, reason_text: null })
    }
  }
}

/** Brings back what came while it stood still. */
async function release(ctx: Ctx, db: Db, env: Env, send: SendRow, now: Date): Promise<boolean> {
  const again = new Date(now.getTime() + againAfterMs)
  const released = await releaseHeld(db, env, send.id, { now, again, most: releasedAtOnce })
  if (released.messages.length > 0) await enqueueDeliveries(ctx, db, env, released.messages)
  await enqueueResumptions(ctx, db, env, released.notificationIds, 'bulk')
  return released.taken === releasedAtOnce
}

function waitingOf(totals: readonly SendTotal[]): number {
  return totals.reduce((sum, { outcome, n }) => (outcome === 'waiting' ? sum + n : sum), 0)
}
