import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { createLog } from './commands/create-log.ts'
import type { Config } from './config.ts'
import type { Ctx } from './context.ts'
import { createBacklog } from './core/accept/backlog.ts'
import { createPlaces } from './core/accept/places.ts'
import { createTogether } from './core/accept/together.ts'
import { longestTryMs } from './core/delivery/attempt.ts'
import { createTargetPaces } from './core/delivery/target-pace.ts'
import { createArrivals } from './core/feedback/callback-arrivals.ts'
import { createHints } from './core/inbox/hints.ts'
import { createHealth } from './core/integrations/integration-health.ts'
import { createTokenCache } from './core/integrations/token-cache.ts'
import { createLoopWatch } from './core/operations/loop-watch.ts'
import { createPasswords } from './core/people/hash-password.ts'
import { addressGuard } from './egress/address-guard.ts'
import { createCollector } from './egress/collector.ts'
import { createHttp } from './egress/http.ts'
import { createSmtp } from './egress/smtp.ts'
import { createAlarm } from './engine/alarm.ts'
import { startEngine } from './engine/engine.ts'
import { loadTasks } from './engine/load-tasks.ts'
import { createMetrics, type Metrics } from './lib/metrics.ts'
import { toOtlp } from './lib/otlp.ts'
import { rememberBriefly } from './lib/remember-briefly.ts'
import { createSealer } from './lib/seal.ts'
import { createTracer, noTracer, type Tracer } from './lib/trace.ts'
import { loadProviders } from './providers/provider.ts'
import { createRenderPool } from './render/render-pool.ts'
import { targetOf } from './store/connect/hosts.ts'
import { afterCommit, isDatabaseUnavailable, openDatabase } from './store/database.ts'
import { startDatabaseClock } from './store/database-clock.ts'
import { listSlowed } from './store/sends/slowed.ts'
import { openSignalLine } from './store/signals/channel.ts'

type Options = {
  log?: Logger
  /** Maintains the queues and listens for work; an API node only adds to them. */
  worker: boolean
  /** For the engine, if it needs another connection than the rest (row-level security). */
  engineUrl?: string
  /** The same, past the pooler, if there is one. */
  engineDirectUrl?: string
}

export async function buildContext(config: Config, databaseUrl: string, options: Options): Promise<Ctx> {
  const log = options.log ?? createLog(config)
  const guard = addressGuard(config.egress)
  const metrics = createMetrics()
  const tasks = (await loadTasks()).tasks.map((task) => task.name)
  const database = openDatabase({
    url: databaseUrl,
    directUrl: config.databaseDirectUrl,
    poolSize: config.databasePoolSize,
    rowLevelSecurity: config.rowLevelSecurity,
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  })
  const { now: clock, stop: stopClock } = await startDatabaseClock(database.db)
  const watchPool = database.connections.watch
  return {
    config,
    database: {
      ...database,
      async close() {
        stopClock()
        await database.close()
      },
    },
    engine: await startEngine({
      target: targetOf(options.engineUrl ?? databaseUrl),
      ...(config.databaseDirectUrl && { direct: targetOf(options.engineDirectUrl ?? config.databaseDirectUrl) }),
      log,
      tasks,
      worker: options.worker,
      line: openSignalLine({
        url: database.directUrl,
        sendUrl: databaseUrl,
        name: 'tidings signals',
        channel: 'tidings_queues',
        watchPool,
      }),
      afterCommit,
      ownsQueues: options.engineUrl !== undefined || !config.rowLevelSecurity,
      isDatabaseFault: isDatabaseUnavailable,
      watchPool,
    }),
    timers: createAlarm(clock),
    sends: createAlarm(clock),
    bridges: createAlarm(clock),
    slowed: rememberBriefly(() => listSlowed(database.db)),
    renderer: createRenderPool({ clock }),
    sealer: createSealer(config.encryptionKeys),
    guard,
    providers: await loadProviders(),
    http: createHttp(guard),
    smtp: createSmtp(guard),
    health: createHealth(),
    targetPaces: createTargetPaces(),
    backlog: createBacklog(config.backlogLimit),
    places: createPlaces(4, 8),
    together: createTogether({ mostRunning: 3, mostOfRun: 100, mostWaiting: 1_000, waitMs: 5, mostWaitMs: 5_000 }),
    arrivals: createArrivals(database, log),
    hints: createHints({ url: databaseUrl, log, watchPool }),
    tokens: createTokenCache(clock),
    trustedTokens: new LRUCache({ max: 10_000 }),
    passwords: createPasswords(),
    metrics,
    loopWatch: createLoopWatch(log, metrics.loopBlocked),
    tracer: openTracer(config, metrics),
    clock,
    drain: { begun: false },
    log,
  }
}

// After the last answer it is still to be recorded, also by a database that is just coming back.
const recordWithinMs = 15_000
/** How long a process that is stopping waits for the tries it has begun. */
export const drainWithinMs = longestTryMs + recordWithinMs

/**
 * Closes the engine first, so that nothing new begins, and the database last, because the others need it. `beforeDatabase`
 * runs when nothing is sealed or opened any more.
 */
export async function closeContext(
  ctx: Ctx,
  beforeDatabase: () => Promise<void> | undefined = async () => {},
): Promise<void> {
  ctx.drain.begun = true
  await ctx.engine.stop(drainWithinMs)
  ctx.loopWatch.close()
  await ctx.tracer.close()
  await ctx.renderer.close()
  await ctx.hints.close()
  await ctx.arrivals.close()
  await ctx.http.close()
  await ctx.smtp.close()
  await beforeDatabase()
  await ctx.database.close()
}

function openTracer({ tracing }: Config, metrics: Metrics): Tracer {
  if (!tracing) return noTracer
  const collector = createCollector(tracing.url, tracing.headers)
  const tracer = createTracer({
    send: (spans) => collector.send(toOtlp(spans, tracing.serviceName)),
    counted: (result, count) => metrics.spans.inc({ result }, count),
  })
  const close = async () => {
    await tracer.close()
    await collector.close()
  }
  return { ...tracer, close }
}
