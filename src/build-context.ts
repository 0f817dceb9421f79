import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import type { Ctx } from './context.ts'
import { addressGuard } from './egress/address-guard.ts'
import { createSealer } from './lib/seal.ts'
import { loadProviders } from './providers/provider.ts'
import { openDatabase } from './store/database.ts'

export async function buildContext(config: Config, databaseUrl: string, log = createLog(config)): Promise<Ctx> {
  return {
    config,
    database: openDatabase({
      url: databaseUrl,
      poolSize: config.databasePoolSize,
      rowLevelSecurity: config.rowLevelSecurity,
      onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
    }),
    sealer: createSealer(config.encryptionKeys),
    guard: addressGuard(config.egress),
    providers: await loadProviders(),
    clock: () => new Date(),
    log,
  }
}

export function createLog(config: Pick<Config, 'logLevel'>): Logger {
  return pino({ level: config.logLevel, base: { pid: process.pid }, serializers: { err: toLoggedError } })
}

/** Named fields only: a PostgreSQL error also carries the row it refused. */
function toLoggedError(error: unknown) {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const code = 'code' in error ? String(error.code) : undefined
  return { type: error.name, code, message: error.message.slice(0, 300), stack: error.stack?.slice(0, 3000) }
}
