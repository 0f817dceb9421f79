import { randomBytes } from 'node:crypto'
import { admin, findPostgres, isAlive, makeTemplate, withDatabase } from '../../test/find-postgres.ts'
import { whenOver } from './clean-up.ts'

export type PostgresServer = {
  adminUrl: string
  /** A login that owns nothing: row-level security holds it, in every database made here. */
  guarded: { role: string; password: string }
  /** A migrated, empty database of its own. */
  createDatabase(): Promise<{ url: string; drop(): Promise<void> }>
}

const namePrefix = `tidings_chaos_${process.pid}`

/** `thrownAway`: the whole server is removed afterwards, and may not answer any more by then. */
type Found = { url: string; stop(): Promise<void>; thrownAway?: boolean }

export async function openPostgres(find: () => Promise<Found> = findPostgres): Promise<PostgresServer> {
  const { url: adminUrl, stop, thrownAway } = await find()
  whenOver(stop)
  const undo = (work: () => Promise<unknown>) => (thrownAway ? async () => {} : whenOver(work))
  await dropLeftovers(adminUrl)
  const guarded = { role: `${namePrefix}_rls`, password: randomBytes(12).toString('hex') }
  await admin(adminUrl, (client) => client.query(`create role ${guarded.role} login password '${guarded.password}'`))
  undo(() => admin(adminUrl, (client) => client.query(`drop role if exists ${guarded.role}`)))
  const template = `${namePrefix}_template`
  undo(() => dropDatabase(adminUrl, template))
  await makeTemplate(adminUrl, template, guarded.role)
  return {
    adminUrl,
    guarded,
    async createDatabase() {
      const name = `${namePrefix}_${randomBytes(4).toString('hex')}`
      await admin(adminUrl, (client) => client.query(`create database ${name} template ${template}`))
      return { url: withDatabase(adminUrl, name), drop: undo(() => dropDatabase(adminUrl, name)) }
    },
  }
}

function dropDatabase(adminUrl: string, name: string): Promise<unknown> {
  return admin(adminUrl, (client) => client.query(`drop database if exists ${name} with (force)`))
}

/** A run that was killed could not clean up after itself. */
async function dropLeftovers(adminUrl: string): Promise<void> {
  await admin(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datname ~ '^tidings_chaos_\\d+_'
       union all select rolname from pg_roles where rolname ~ '^tidings_chaos_\\d+_'`,
    )
    for (const { name } of rows) {
      if (isAlive(Number(name.split('_')[2]))) continue
      const kind = name.endsWith('_rls') ? 'role' : 'database'
      await client.query(`drop ${kind} if exists ${name}${kind === 'database' ? ' with (force)' : ''}`).catch(() => {})
    }
  })
}
