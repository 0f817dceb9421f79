import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Backlog } from './core/accept/backlog.ts'
import type { Places } from './core/accept/places.ts'
import type { Together } from './core/accept/together.ts'
import type { TargetPaces } from './core/delivery/target-pace.ts'
import type { Arrivals } from './core/feedback/callback-arrivals.ts'
import type { Hints } from './core/inbox/hints.ts'
import type { Health } from './core/integrations/integration-health.ts'
import type { Tokens } from './core/integrations/token-cache.ts'
import type { LoopWatch } from './core/operations/loop-watch.ts'
import type { Passwords } from './core/people/hash-password.ts'
import type { Guard } from './egress/address-guard.ts'
import type { Alarm } from './engine/alarm.ts'
import type { Engine } from './engine/engine.ts'
import type { Metrics } from './lib/metrics.ts'
import type { Http, Smtp } from './lib/outbound.ts'
import type { Remembered } from './lib/remember-briefly.ts'
import type { Sealer } from './lib/seal.ts'
import type { Tracer } from './lib/trace.ts'
import type { Catalogue } from './providers/provider.ts'
import type { RenderPool } from './render/render-pool.ts'
import type { Database } from './store/database.ts'

/** Everything a route or task may use, built once at start and passed as the first argument. */
export type Ctx = {
  config: Config
  database: Database
  engine: Engine
  /** Told of timers that were made, so that they are woken on time. Those of other processes are found by looking. */
  timers: Alarm
  /** Told of sends that are to be looked at, because they began, were changed, or something of them failed. */
  sends: Alarm
  /** Told of steps that a bridge is to be asked about. */
  bridges: Alarm
  /** Environments whose work waits behind that of others; one answer for all of them. */
  slowed: Remembered<ReadonlySet<string>>
  renderer: RenderPool
  sealer: Sealer
  guard: Guard
  providers: Catalogue
  http: Http & { close(): Promise<void> }
  smtp: Smtp & { close(): Promise<void> }
  health: Health
  /** Chats that asked us to wait. */
  targetPaces: TargetPaces
  backlog: Backlog
  places: Places
  together: Together
  /** Which vendors called back. */
  arrivals: Arrivals
  /** News for browsers. */
  hints: Hints
  /** Access tokens fetched from vendors. */
  tokens: Tokens
  /** Integrations and credentials whose vendor is believed when it calls a device token gone. */
  trustedTokens: LRUCache<string, true>
  passwords: Passwords
  metrics: Metrics
  loopWatch: LoopWatch
  tracer: Tracer
  /** The database's time, so that every process means the same moment. Waiting within the process needs no clock. */
  clock: () => Date
  /** `begun`: the process is stopping. It finishes what it has begun, and begins nothing. */
  drain: { begun: boolean }
  log: Logger
}
