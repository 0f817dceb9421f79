import { buildContext, closeContext } from '../build-context.ts'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import { bootstrap } from '../core/operations/bootstrap.ts'
import { checkEncryptionKeys } from '../core/operations/check-encryption-keys.ts'
import { startPrivatePostgres } from '../private-postgres.ts'
import { openDatabase } from '../store/database.ts'
import { migrate, readMigrations } from '../store/migrate.ts'
import { checkPooler, makeRoleSettings } from '../store/pooler/role-settings.ts'

export type Say = (line: string) => void
/** `migrates`: it is the command `migrate` itself. */
type Options = { worker?: boolean; migrates?: boolean }
export type Prepared = { ctx: Ctx; newKey: string | null; close(): Promise<void> }

/**
 * A database that is there (DATABASE_URL, or the private PostgreSQL of this checkout), migrated, with an environment and
 * keys that open what it holds. Every command begins here, so that any of them may be the first one run.
 */
export async function prepare(config: Config, say: Say, options: Options = {}): Promise<Prepared> {
  const privatePostgres = config.databaseUrl ? null : await startPrivatePostgres({ dataDir: config.dataDir, say })
  const url = config.databaseUrl ?? privatePostgres?.url ?? ''
  // Under row-level security we are not the owner of the tables: `migrate` was run as the owner before.
  if (!config.rowLevelSecurity) await migrateDatabase(config.databaseDirectUrl ?? url, say)
  if (config.databaseDirectUrl) {
    const way = { url, directUrl: config.databaseDirectUrl }
    // Each role makes its own, so the one under row-level security does too, in a `migrate` of its own.
    if (!config.rowLevelSecurity || options.migrates) await makeRoleSettings(way, say)
    await checkPooler(way)
  }
  const ctx = await buildContext(config, url, { worker: options.worker ?? false })
  const close = async () => {
    await closeContext(ctx)
    await privatePostgres?.stop()
  }
  try {
    return { ctx, newKey: await setUp(ctx), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Any command may be the first one run, and the key of the first environment is shown only then. */
export function sayNewKey({ newKey }: Prepared, say: Say): void {
  if (newKey) say(`API key of the first environment, shown this once: ${newKey}`)
}

async function migrateDatabase(url: string, say: Say): Promise<void> {
  const { db, close } = openDatabase({ url, poolSize: 1, rowLevelSecurity: false, onError() {}, statementTimeoutMs: 0 })
  const waits = (name: string) => say(`${name} waits for a lock that a backup or a long transaction holds`)
  try {
    for (const name of await migrate(db, readMigrations(), waits)) say(`migrated: ${name}`)
  } finally {
    await close()
  }
}

async function setUp(ctx: Ctx): Promise<string | null> {
  const { db } = ctx.database
  await checkEncryptionKeys(db, ctx.sealer, ctx.clock())
  return ctx.config.rowLevelSecurity
    ? null
    : (await bootstrap(db, { ...ctx.config, sealer: ctx.sealer }, ctx.clock())).newKey
}
