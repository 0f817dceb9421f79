import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { EncryptionKeyUnavailable } from '../../lib/seal.ts'
import type { Outcome } from '../../providers/outcome.ts'
import type { Env } from '../../store/database.ts'
import { type Ending, type Taken, takeDeliveries, takeFromPages } from '../../store/webhooks/deliveries.ts'
import { type EndpointRow, keepLane, leaveLane, lockLane } from '../../store/webhooks/endpoints.ts'
import { openSecrets } from './endpoint-secrets.ts'
import { createRecorder } from './record-answers.ts'
import { decideNext } from './retry.ts'
import { type Answer, callMs, sendWebhook } from './send-webhook.ts'

/** How long a lane is its worker's without a word. */
export const leaseMs = 30_000
const keepEveryMs = 5_000
// Long before the engine takes its task for lost. What is left is in the rows.
const longestRunMs = 60_000
// A try that nobody recorded by then is made again: its call is over, and its answer had time to be written.
const takeoverMs = callMs + 8_000
const mostTogether = 100
// Tries are committed together: while calls are under way, so many places are waited for, this long.
const [fewestTogether, gatherMs] = [20, 20]
// How often a lane looks for what came meanwhile, while calls of it are under way.
const lookMs = 250
// With more calls under way than this, a lane keeps its worker.
const mostWithoutWorker = 1_000
// After this another worker, which may have the key, can take the lane.
const withoutKeyMs = 5_000

export type LaneTask = { endpointId: string; by: string }

/**
 * Delivers to one endpoint what is due, as many at a time as it bears, until nothing is. Nobody else delivers to it
 * meanwhile. `onBegun`: it needs its worker no longer.
 */
export async function runLane(ctx: Ctx, env: Env, { endpointId: id, by }: LaneTask, onBegun: () => void) {
  const { health } = ctx
  const nowMs = () => ctx.clock().getTime()
  const at = (ms: number) => new Date(nowMs() + ms)
  const endsMs = performance.now() + longestRunMs
  const keep = () => ctx.database.write(env, (db) => keepLane(db, env, id, by, at(leaseMs)))
  const take = (most: number) => {
    const times = { now: ctx.clock(), again: at(takeoverMs), most }
    return ctx.database.write(env, async (db) => {
      // Its URL, its secrets and whether it is there: whoever changes them means the next try.
      const own = await lockLane(db, env, id, by)
      if (!own) return { target: null, due: [] }
      // The secrets are opened before a try is taken, because a try counts and this process may lack their key.
      const target = toTarget(ctx, env, own)
      const due = await takeDeliveries(db, env, id, times)
      if (due.length < most) due.push(...(await takeFromPages(db, env, id, { ...times, most: most - due.length })))
      return { target, due }
    })
  }
  const running = new Set<Promise<void>>()
  const endpoint = await keep()
  if (!endpoint) return
  if (health.callsUnderWay() < mostWithoutWorker) onBegun()
  const recorder = createRecorder(ctx, env, endpoint)
  const start = (delivery: Taken, target: Target) => {
    const takenMs = nowMs()
    health.take(id, takenMs, 1)
    const one = deliverOne(ctx, target, delivery)
      .then(({ ending, answer }) => {
        health.give(id, takenMs, 1)
        return recorder.record(ending, answer)
      })
      .finally(() => running.delete(one))
    running.add(one)
  }
  let keptMs = performance.now()
  let freeAt = ctx.clock()
  try {
    while (performance.now() < endsMs && !(await isToStop(ctx, env))) {
      if (performance.now() - keptMs > keepEveryMs) {
        await keep()
        keptMs = performance.now()
      }
      if (recorder.isOver()) break
      let places = health.freePlaces(id, nowMs())
      if (places < fewestTogether && running.size >= fewestTogether) {
        await sleep(gatherMs)
        places = health.freePlaces(id, nowMs())
      }
      if (places === 0) {
        await Promise.race([...running, sleep(lookMs)])
        continue
      }
      const admission = health.admit(id, nowMs())
      if (admission.kind !== 'ok') {
        freeAt = 'untilMs' in admission ? new Date(admission.untilMs) : at(1_000)
        break
      }
      // While it does not work, one finds out whether it does.
      const { target, due } = await take(health.isHeld(id, nowMs()) ? 1 : Math.min(places, mostTogether))
      if (!target) break
      for (const delivery of due) start(delivery, target)
      if (due.length > 0) continue
      if (running.size === 0) break
      await Promise.race([Promise.allSettled(running), sleep(lookMs)])
    }
  } catch (error) {
    if (!(error instanceof EncryptionKeyUnavailable)) throw error
    ctx.log.warn({ err: error, endpointId: id }, 'webhooks wait for an encryption key')
    freeAt = at(withoutKeyMs)
  } finally {
    await Promise.allSettled(running)
    await recorder.end()
    await ctx.database.write(env, (db) => leaveLane(db, env, id, by, freeAt))
  }
}

/** While its environment is being moved no try begins, so that those under way come to an end. */
async function isToStop(ctx: Ctx, { environmentId }: Env): Promise<boolean> {
  return ctx.drain.begun || (await ctx.database.held.find(environmentId).catch(() => null)) !== null
}

type Target = { id: string; url: string; secrets: readonly string[] }

function toTarget(ctx: Ctx, env: Env, endpoint: EndpointRow): Target {
  return { id: endpoint.id, url: endpoint.url, secrets: openSecrets(ctx, env, endpoint, ctx.clock()) }
}

async function deliverOne(ctx: Ctx, target: Target, delivery: Taken): Promise<{ ending: Ending; answer: Answer }> {
  const startedAt = ctx.clock()
  const answer = await sendWebhook(ctx, target, delivery)
  const now = ctx.clock()
  if (!answer.isNotBegun) ctx.health.learn(target.id, asOfEndpoint(answer.outcome), now.getTime(), 'webhook')
  return { ending: toEnding(delivery, answer, startedAt, now), answer }
}

/** An event is like any other: who refuses one, by a 404 or by a redirect, does not work. */
function asOfEndpoint(outcome: Outcome): Outcome {
  return outcome.kind === 'rejected' ? { ...outcome, because: 'integration' } : outcome
}

function toEnding(delivery: Taken, answer: Answer, startedAt: Date, now: Date): Ending {
  const { id, number, failures } = delivery
  if (answer.isNotBegun) return { id, number, failures, state: 'open', nextAt: now, try: null }
  const next = decideNext(answer.outcome, { failures, sinceMs: delivery.since.getTime() }, now.getTime(), Math.random)
  return {
    id,
    number,
    failures: next.failures,
    state: next.state,
    nextAt: next.nextAtMs === null ? null : new Date(next.nextAtMs),
    try: {
      number,
      startedAt: startedAt.toISOString(),
      endedAt: now.toISOString(),
      outcome: outcomeOf(answer),
      status: answer.status,
      reply: answer.reply,
    },
  }
}

export function outcomeOf({ outcome }: Answer): 'delivered' | 'failed' | 'paced' {
  if (outcome.kind === 'sent') return 'delivered'
  return outcome.kind === 'retry' && outcome.paces !== undefined ? 'paced' : 'failed'
}
