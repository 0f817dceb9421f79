import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { createPauses } from '../../lib/chunks.ts'
import { EncryptionKeyUnavailable } from '../../lib/seal.ts'
import { keepBridge, leaveBridge, type NamedBridge } from '../../store/bridge/bridges.ts'
import { dropCalls, findOldestCall, listOverdueCalls, type TakenCall, takeCalls } from '../../store/bridge/calls.ts'
import type { Env } from '../../store/database.ts'
import { enqueueResumptions } from '../pipeline/enqueue.ts'
import { callMs } from './ask.ts'
import { askAbout, askForMs, givenUp } from './ask-about.ts'
import { healthIdOf } from './health-id.ts'
import { type Call, loadCalls } from './load-calls.ts'
import { createRecorder, recordAnswers } from './record-answers.ts'
import { findSigningKey } from './signature.ts'

/** How long a bridge is its worker's without a word. */
export const leaseMs = 30_000
const keepEveryMs = 5_000
// Long before the engine takes its task for lost. What is left is in the rows.
const longestRunMs = 60_000
// A call that nobody recorded by then is made again: it is over, and its answer had time to be written.
const takeoverMs = callMs + 8_000
// Of an environment, in all processes together. A bridge is mostly one small server.
const mostAtOnce = 40
// So many together, and so many times: the rest at the next look.
const [mostGivenUp, mostRounds] = [500, 20]
// Questions are taken and read together: while calls are under way, so many places are waited for, this long.
const [fewestTogether, gatherMs] = [10, 20]
// How often a lane looks for what came meanwhile, while calls of it are under way.
const lookMs = 100
// With more calls under way than this, a lane keeps its worker.
const mostWithoutWorker = 1_000
// After this another worker, which may have the key, can take the lane.
const withoutKeyMs = 5_000

/**
 * Asks the bridge of one environment what is due, some at a time, until nothing is. Nobody else asks it meanwhile.
 * `onBegun`: it needs its worker no longer, so a bridge that hangs leaves it to others.
 */
export async function runLane(ctx: Ctx, env: Env, by: string, onBegun: () => void): Promise<void> {
  const { health } = ctx
  const nowMs = () => ctx.clock().getTime()
  const at = (ms: number) => new Date(nowMs() + ms)
  const keep = () => ctx.database.write(env, (db) => keepBridge(db, env, by, at(leaseMs)))
  const endsMs = performance.now() + longestRunMs
  const id = healthIdOf(env)
  const running = new Set<Promise<void>>()
  const recorder = createRecorder(ctx, env)
  let bridge = await keep()
  if (!bridge) return
  if (health.callsUnderWay() < mostWithoutWorker) onBegun()
  await giveUpOverdue(ctx, env, nowMs())
  let [keptMs, freeAt] = [performance.now(), ctx.clock()]
  const freePlaces = () => Math.min(health.freePlaces(id, nowMs()), mostAtOnce - running.size)
  const begin = (target: NamedBridge, key: Key, call: Call) => {
    const takenMs = nowMs()
    health.take(id, takenMs, 1)
    const one = askAbout(ctx, { url: target.url, key }, call)
      .then(({ ended, outcome }) => {
        if (outcome) health.learn(id, outcome, nowMs(), 'bridge')
        recorder.record(ended)
      })
      // A fault of ours. Nobody awaits this one alone, and an error that nobody takes would end the process; it is asked again.
      .catch((error) =>
        ctx.log.error({ err: error, environmentId: env.environmentId }, 'a call of a bridge went wrong'),
      )
      .finally(() => {
        health.give(id, takenMs, 1)
        running.delete(one)
      })
    running.add(one)
  }
  try {
    while (performance.now() < endsMs && !(await isToStop(ctx, env))) {
      if (performance.now() - keptMs > keepEveryMs) {
        bridge = await keep()
        await giveUpOverdue(ctx, env, nowMs())
        keptMs = performance.now()
      }
      if (!bridge) break
      let places = freePlaces()
      if (places < fewestTogether && running.size >= fewestTogether) {
        await sleep(gatherMs)
        places = freePlaces()
      }
      if (places <= 0) {
        await Promise.race([...running, sleep(lookMs)])
        continue
      }
      const admission = health.admit(id, nowMs())
      if (admission.kind !== 'ok') {
        freeAt = await pauseOf(ctx, env, 'untilMs' in admission ? admission.untilMs : nowMs() + 1_000)
        break
      }
      // While it does not work, one finds out whether it does.
      const most = health.isHeld(id, nowMs()) ? 1 : places
      const target = bridge
      // The signing key is opened before calls are taken. Without it they would be parked until their claim has ended.
      const key = await ctx.database.read(env, (db) => findSigningKey(ctx, db, env, target.key_id))
      const taken = await take(ctx, env, { now: ctx.clock(), again: at(takeoverMs), most })
      // A question may have megabytes, which are written and signed as it begins.
      const pause = createPauses()
      for (const call of await load(ctx, env, target, taken)) {
        await pause()
        if (key) begin(target, key, call)
        else recorder.record(givenUp(call.taken, keyless, ctx.clock()))
      }
      if (taken.length > 0) continue
      if (running.size === 0) break
      await Promise.race([Promise.allSettled(running), sleep(lookMs)])
    }
  } catch (error) {
    if (!(error instanceof EncryptionKeyUnavailable)) throw error
    ctx.log.warn({ err: error, environmentId: env.environmentId }, 'steps wait for an encryption key')
    freeAt = at(withoutKeyMs)
  } finally {
    await Promise.allSettled(running)
    await recorder.end()
    await ctx.database.write(env, (db) => leaveBridge(db, env, by, freeAt))
  }
}

type Key = NonNullable<Awaited<ReturnType<typeof findSigningKey>>>

const keyless = 'No live API key of this environment can sign the call: its text is not known, or all were revoked'

/** While its environment is being moved no call begins, so that those under way come to an end. */
async function isToStop(ctx: Ctx, { environmentId }: Env): Promise<boolean> {
  return ctx.drain.begun || (await ctx.database.held.find(environmentId).catch(() => null)) !== null
}

function take(ctx: Ctx, env: Env, times: { now: Date; again: Date; most: number }): Promise<TakenCall[]> {
  return ctx.database.write(env, (db) => takeCalls(db, env, times))
}

/** Their questions. What waits no longer is left to those who go on with its notification. */
async function load(ctx: Ctx, env: Env, bridge: NamedBridge, taken: readonly TakenCall[]): Promise<Call[]> {
  if (taken.length === 0) return []
  const { calls, over } = await ctx.database.read(env, (db) => loadCalls(ctx, db, env, bridge, taken))
  if (over.length > 0) {
    await ctx.database.write(env, async (db) => {
      const jobIds = over.map(({ jobId }) => jobId)
      const notificationIds = over.map(({ notificationId }) => notificationId)
      await dropCalls(db, env, jobIds)
      await enqueueResumptions(ctx, db, env, notificationIds)
    })
  }
  return calls
}

/** A bridge may ask us to wait for an hour; who has waited for it all the day is not kept waiting. */
async function pauseOf(ctx: Ctx, env: Env, untilMs: number): Promise<Date> {
  const since = await ctx.database.read(env, (db) => findOldestCall(db, env))
  return new Date(since ? Math.min(untilMs, since.getTime() + askForMs) : untilMs)
}

/** Whether it works or not: nobody waits for ever. */
async function giveUpOverdue(ctx: Ctx, env: Env, nowMs: number): Promise<void> {
  const until = new Date(nowMs - askForMs)
  const why = 'The bridge gave no answer for 24 hours'
  for (let [given, rounds] = [mostGivenUp, 0]; given === mostGivenUp && rounds < mostRounds; rounds++) {
    const overdue = await ctx.database.read(env, (db) => listOverdueCalls(db, env, until, mostGivenUp))
    given = overdue.length
    const ended = overdue.map((it) => givenUp(it, why, ctx.clock()))
    if (given > 0) await recordAnswers(ctx, env, ended)
  }
}
