import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { isPrivateAddress } from '../egress/address-guard.ts'
import { laneOfPriority } from '../engine/lanes.ts'
import { ApiError } from '../errors.ts'
import type { Metrics } from '../lib/metrics.ts'
import { sha256 } from '../lib/seal.ts'
import { readBridgeBacklog } from '../store/bridge/bridges.ts'
import { type BacklogState, readBacklog } from '../store/history/backlog.ts'
import { readStandbys, type StandbyState } from '../store/history/standbys.ts'

// Several scrapers, or one that asks too often, cost the database one query.
const rememberMs = 2_000
// Metrics are needed most when the database does not answer, so we must not wait for it.
const answerWithinMs = 3_000

/**
 * `GET /metrics` of every process. It names no tenant, so it needs no key. Without METRICS_TOKEN it answers loopback and
 * private addresses only.
 */
export function addMetrics(server: FastifyInstance, ctx: Ctx): void {
  const { db } = ctx.database
  const findBacklog = remember(ctx, () => readBacklog(db, ctx.clock()), 'the queues could not be looked at')
  // Apart from the backlog: that is a transaction, whose end would wait for the standby that is missing.
  const findStandbys = remember(ctx, () => readStandbys(db), 'the standbys could not be looked at')
  const findBridges = remember(ctx, () => readBridgeBacklog(db), 'what waits for bridges could not be looked at')
  server.get('/metrics', async (request, reply) => {
    if (ctx.config.metricsToken === undefined) checkAddress(ctx, request)
    else checkToken(ctx.config.metricsToken, request.headers.authorization)
    const [backlog, standbys, bridges] = await Promise.all([findBacklog(), findStandbys(), findBridges()])
    setBridges(ctx, bridges)
    setBacklog(ctx, backlog)
    setStandbys(ctx.metrics, standbys)
    setPool(ctx)
    setIntegrations(ctx)
    reply.type(ctx.metrics.registry.contentType)
    return ctx.metrics.registry.metrics()
  })
}

export function countRequest({ metrics }: Ctx, request: FastifyRequest, reply: FastifyReply): void {
  // The route's pattern, not the path: all unknown paths count as one.
  const labels = { method: request.method, route: request.routeOptions.url ?? 'none' }
  metrics.requests.inc({ ...labels, status: reply.statusCode })
  metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000)
}

/** By the connection, or by what a trusted proxy says. Behind any other proxy everybody would look private. */
function checkAddress({ config }: Ctx, request: FastifyRequest): void {
  const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
  if (!isPrivateAddress(request.ip) || (isForwarded && config.trustedProxies.length === 0))
    throw new ApiError('metrics_private')
}

function checkToken(token: string, given: string | undefined): void {
  if (!timingSafeEqual(sha256(`Bearer ${token}`), sha256(given ?? ''))) throw new ApiError('unauthorized')
}

/** Null when the database did not answer. */
function remember<T>(ctx: Ctx, read: () => Promise<T>, failed: string): () => Promise<T | null> {
  let asked: Promise<T | null> | null = null
  let askedMs = Number.NEGATIVE_INFINITY
  return () => {
    if (asked && performance.now() - askedMs < rememberMs) return asked
    askedMs = performance.now()
    const late = new Promise<null>((resolve) => setTimeout(resolve, answerWithinMs, null).unref())
    const answer = read().catch((error: unknown) => {
      ctx.log.warn({ err: error }, failed)
      return null
    })
    asked = Promise.race([answer, late])
    return asked
  }
}

function setBridges({ metrics, clock }: Ctx, found: { calls: number; oldest: Date | null } | null): void {
  for (const gauge of [metrics.bridgeWaiting, metrics.oldestBridgeAge]) gauge.remove({})
  if (!found) return
  metrics.bridgeWaiting.set(found.calls)
  metrics.oldestBridgeAge.set(found.oldest ? Math.max(0, (clock().getTime() - found.oldest.getTime()) / 1000) : 0)
}

/** Unknown numbers are left out: old ones would look as if all were well. */
function setBacklog({ metrics, clock }: Ctx, backlog: BacklogState | null): void {
  const ofBacklog = [metrics.queueTasks, metrics.oldestDueAge, metrics.oldestTimerAge, metrics.dueTimers]
  for (const gauge of [...ofBacklog, metrics.quarantined, metrics.conservationMissing]) gauge.reset()
  metrics.deadLetters.remove({})
  metrics.backlogKnown.set(backlog ? 1 : 0)
  if (!backlog) return
  const ageOf = (since: Date | null) => (since ? Math.max(0, (clock().getTime() - since.getTime()) / 1000) : 0)
  for (const { queue, priority, waiting, active, oldest } of backlog.queues) {
    const lane = laneOfPriority(priority)
    metrics.queueTasks.set({ queue, lane, state: 'waiting' }, waiting)
    metrics.queueTasks.set({ queue, lane, state: 'active' }, active)
    metrics.oldestDueAge.set({ queue, lane }, ageOf(oldest))
  }
  for (const { kind, count, oldest } of backlog.timers) {
    if (kind === 'dead') metrics.deadLetters.set(count)
    else {
      metrics.dueTimers.set({ kind }, count)
      metrics.oldestTimerAge.set({ kind }, ageOf(oldest))
    }
  }
  for (const { queue, count } of backlog.quarantined) metrics.quarantined.set({ queue }, count)
  setConservation(metrics, backlog.conservation)
}

function setStandbys(metrics: Metrics, state: StandbyState | null): void {
  for (const gauge of [metrics.standbys, metrics.xminAge, metrics.snapshotAge]) gauge.reset()
  if (!state) return
  const { wanted, streaming, holders } = state
  metrics.standbys.set({ state: 'wanted' }, wanted)
  metrics.standbys.set({ state: 'streaming' }, streaming)
  for (const { holder, transactions, seconds } of holders) {
    metrics.xminAge.set({ holder }, transactions)
    if (seconds !== null) metrics.snapshotAge.set({ holder }, seconds)
  }
}

/** What the last whole round missed, or already this one: it stays until a whole round misses nothing. */
function setConservation(metrics: Metrics, state: BacklogState['conservation']): void {
  const tables = ['event_key', 'event', 'workflow_version', 'notification', 'job', 'message', 'attempt']
  for (const table of tables) {
    const most = Math.max(state.missing[table] ?? 0, state.last_missing[table] ?? 0)
    metrics.conservationMissing.set({ table }, most)
  }
  metrics.conservationRound.set((state.round_ended_at?.getTime() ?? 0) / 1000)
}

function setPool({ metrics, database }: Ctx): void {
  const { size, total, idle, waiting } = database.use()
  metrics.poolSize.set(size)
  metrics.poolConnections.set({ state: 'idle' }, idle)
  metrics.poolConnections.set({ state: 'used' }, total - idle)
  metrics.poolWaiting.set(waiting)
}

function setIntegrations({ metrics, health, clock }: Ctx): void {
  metrics.integrations.reset()
  for (const { providerId, state, count } of health.countStates(clock().getTime())) {
    metrics.integrations.set({ provider: providerId, state }, count)
  }
}
