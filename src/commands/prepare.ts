import { buildContext, closeContext } from '../build-context.ts'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import { type Announcement, announceKeys } from '../core/operations/announce-keys.ts'
import { bootstrap } from '../core/operations/bootstrap.ts'
import { startPrivatePostgres } from '../private-postgres.ts'
import { openDatabase } from '../store/database.ts'
import { migrate, readMigrations } from '../store/migrate.ts'
import { checkPooler, makeRoleSettings } from '../store/pooler/role-settings.ts'
import type { Host, Output } from './host.ts'

/** `migrates` is set by the command `migrate` itself. `role` is the name that operators see for this process. */
type Options = { worker?: boolean; migrates?: boolean; role?: string }
export type Prepared = { ctx: Ctx; announcement: Announcement; newKey: string | null; close(): Promise<void> }

/**
 * A database that is there (DATABASE_URL, or the private PostgreSQL of this checkout), migrated, with an environment and
 * keys that open what it holds. Every command begins here, so that any of them may be the first one run.
 */
export async function prepare(config: Config, print: Output, options: Options = {}): Promise<Prepared> {
  const privatePostgres = config.databaseUrl ? null : await startPrivatePostgres({ dataDir: config.dataDir, print })
  const url = config.databaseUrl ?? privatePostgres?.url ?? ''
  // Under row-level security we are not the owner of the tables: `migrate` was run as the owner before.
  if (!config.rowLevelSecurity) await migrateDatabase(config.databaseDirectUrl ?? url, print)
  if (config.databaseDirectUrl) {
    const way = { url, directUrl: config.databaseDirectUrl }
    // Each role makes its own, so the one under row-level security does too, in a `migrate` of its own.
    if (!config.rowLevelSecurity || options.migrates) await makeRoleSettings(way, print)
    await checkPooler(way)
  }
  const ctx = await buildContext(config, url, { worker: options.worker ?? false })
  let announcement: Announcement | undefined
  const close = async () => {
    await closeContext(ctx, () => announcement?.end())
    await privatePostgres?.stop()
  }
  try {
    announcement = await announceKeys(ctx, options.role ?? 'command')
    return { ctx, announcement, newKey: await setUp(ctx), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Runs `work` on the database of the settings. For commands that answer a person and then end. */
export async function withContext<T>(host: Host, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const prepared = await prepare(host.settings(), () => {})
  try {
    printNewKey(prepared, host.print)
    return await work(prepared.ctx)
  } finally {
    await prepared.close()
  }
}

/** Prints the key of the first environment, which is shown only to the command that created it. Any command may be that one. */
export function printNewKey({ newKey }: Prepared, print: Output): void {
  if (newKey) print(`API key of the first environment, shown this once: ${newKey}`)
}

async function migrateDatabase(url: string, print: Output): Promise<void> {
  const { db, close } = openDatabase({ url, poolSize: 1, rowLevelSecurity: false, onError() {}, statementTimeoutMs: 0 })
  const waits = (name: string) => print(`${name} waits for a lock that a backup or a long transaction holds`)
  try {
    for (const name of await migrate(db, readMigrations(), waits)) print(`migrated: ${name}`)
  } finally {
    await close()
  }
}

async function setUp(ctx: Ctx): Promise<string | null> {
  const { db } = ctx.database
  return ctx.config.rowLevelSecurity
    ? null
    : (await bootstrap(db, { ...ctx.config, sealer: ctx.sealer }, ctx.clock())).newKey
}
