import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { client, sender, testConfig, useHarness } from '../../test/harness.ts'
import { makeSendgrid } from '../../test/integration-samples.ts'
import { migrateCommand } from './migrate.ts'
import { prepare } from './prepare.ts'
import { secretsCommand } from './secrets.ts'

const h = useHarness()
const keys = (...ids: [string, number][]) =>
  ids.map(([id, byte]) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`).join(',')
const config = (settings: Record<string, string> = {}) => testConfig({ DATABASE_URL: h.databaseUrl, ...settings })

/** The same database as the role that row-level security holds. */
function asTenantRole(): Record<string, string> {
  const url = new URL(h.databaseUrl)
  url.username = inject('postgres').rlsRole
  url.password = 'rls'
  return { DATABASE_URL: url.href, ROW_LEVEL_SECURITY: 'true' }
}

async function started(settings: Record<string, string>): Promise<string | null> {
  const prepared = await prepare(config(settings), () => {})
  await prepared.close()
  return prepared.newKey
}

describe('a start with the wrong keys is refused', () => {
  test.each([
    ['as the owner of the tables', () => ({})],
    ['under row-level security', asTenantRole],
  ])('%s', async (_name, role) => {
    await expect(started({ ...role(), ENCRYPTION_KEYS: keys(['t2', 2]) })).rejects.toThrow(
      /"t1".*ENCRYPTION_KEYS lacks/,
    )
    await expect(started({ ...role(), ENCRYPTION_KEYS: keys(['t1', 9]) })).rejects.toThrow(/"t1".*not the one/)
    await expect(started({ ...role(), ENCRYPTION_KEYS: keys(['t1', 1]) })).resolves.not.toThrow()
  })

  test('and a refused start leaves no connection behind', async () => {
    const connections = async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'`.execute(h.admin)
      return rows.map((row) => row.pid)
    }
    const before = new Set(await connections())
    await expect(started({ ENCRYPTION_KEYS: keys(['t2', 2]) })).rejects.toThrow(/ENCRYPTION_KEYS lacks/)
    // PostgreSQL takes a moment to see that one has gone.
    await expect.poll(async () => (await connections()).filter((pid) => !before.has(pid))).toEqual([])
  })

  test('a key first used under row-level security is remembered: later starts must have it', async () => {
    await started({ ...asTenantRole(), ENCRYPTION_KEYS: keys(['r1', 5], ['t1', 1]) })
    await expect(started({})).rejects.toThrow(/"r1".*ENCRYPTION_KEYS lacks/)
    await sql`delete from encryption_key where id = 'r1'`.execute(h.admin)
  })
})

describe('an empty database', () => {
  const name = `tidings_test_${process.pid}_${randomBytes(4).toString('hex')}`
  let url = ''
  const admin = async (text: string) => {
    const connection = new pg.Client({ connectionString: inject('postgres').url })
    await connection.connect()
    await connection.query(text).finally(() => connection.end())
  }
  beforeAll(async () => {
    await admin(`create database ${name}`)
    url = new URL(`/${name}`, inject('postgres').url).href
  })
  afterAll(() => admin(`drop database if exists ${name} with (force)`))

  test('migrate: five at once bring it up to date, one tells the first key, and it is told once', async () => {
    const said: string[] = []
    const run = () =>
      migrateCommand(testConfig({ DATABASE_URL: url, DATABASE_POOL_SIZE: '2' }), (line) => said.push(line))
    await Promise.all(Array.from({ length: 5 }, run))
    expect(said.filter((line) => line === 'The database is up to date.')).toHaveLength(5)
    expect(said.filter((line) => line === 'migrated: 0001_foundation.sql')).toHaveLength(1)
    expect(said.filter((line) => line.includes('td_c1_'))).toHaveLength(1)
    said.length = 0
    await run()
    expect(said).toEqual(['The database is up to date.'])
  })
})

describe('secrets reseal', () => {
  const run = async (settings: Record<string, string>, ...args: string[]) => {
    const said: string[] = []
    await secretsCommand(config(settings), args, (line) => said.push(line))
    return said.join('\n')
  }

  test('a change of keys from end to end: new key first, reseal, old key gone', async () => {
    const env = await h.environment()
    await makeSendgrid(env)
    const both = { ENCRYPTION_KEYS: keys(['t2', 2], ['t1', 1]) }
    expect(await run(both, 'reseal')).toMatch(
      /integration: 1 sealed anew[\s\S]*sealed with "t2"\. No longer needed: t1\./,
    )
    expect(await run(both, 'reseal')).toContain('sealed with "t2" already')
    const only = { ENCRYPTION_KEYS: keys(['t2', 2]) }
    await expect(started(only)).resolves.not.toThrow()
    const node = await h.node(only)
    const [shown] = (await client(sender(node.url), env.key).send('GET', '/v1/integrations')).body
    expect(shown.credentials.apiKey).toMatch(/^••••/)
    // The old key alone is no way back.
    await expect(started({ ENCRYPTION_KEYS: keys(['t1', 1]) })).rejects.toThrow('"t2"')
  })

  test.each([[], ['seal']])('%j is no command: it says what there is', async (...args) => {
    await expect(run({}, ...args)).rejects.toThrow('Say: secrets reseal')
  })
})
