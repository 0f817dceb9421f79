import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { withRole } from '../../../test/find-postgres.ts'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { envOf, openDatabase } from '../database.ts'
import { named } from '../rows/named-statements.ts'
import { asSystem } from './system-statements.ts'

const h = useHarness()
const owned: string[] = []
let url: string
let pool: pg.Pool
let client: pg.PoolClient
let query: ReturnType<typeof asSystem>

beforeAll(async () => {
  for (let n = 0; n < 2; n++) {
    const env = await h.environment()
    await makeWorkflow(env)
    owned.push(env.environmentId)
  }
  url = withRole(h.databaseUrl, inject('postgres').rlsRole, 'rls')
  pool = new pg.Pool({ connectionString: url, max: 1 })
  client = await pool.connect()
  query = asSystem(client, (text, values) => client.query(text, values))
})
afterAll(async () => {
  client.release()
  await pool.end()
})

const workflows = 'select environment_id as id from workflow where environment_id = any ($1)'
const seen = async (ask = query) => (await ask(workflows, [owned])).rows.map(({ id }) => id).sort()

/** What the pooler's next client finds on this connection: no transaction, nobody's environment. */
async function expectNothingLeft(): Promise<void> {
  expect(client.getTransactionStatus()).toBe('I')
  expect(await seen((text, values) => client.query(text, values))).toEqual([])
}

test('a statement alone sees all environments, and leaves nothing on the connection', async () => {
  await expectNothingLeft()
  expect(await seen()).toEqual(owned.toSorted())
  await expectNothingLeft()
})

test('what a statement alone writes is kept', async () => {
  const { rowCount } = await query("update workflow set name = 'changed' where environment_id = any ($1)", [owned])
  expect(rowCount).toBe(2)
  const { rows } = await sql`select distinct name from workflow`.execute(h.admin)
  expect(rows).toEqual([{ name: 'changed' }])
  await expectNothingLeft()
})

test('a statement that fails takes nothing with it', async () => {
  await expect(query('select 1 / 0', [])).rejects.toThrow('division by zero')
  await expectNothingLeft()
  expect(await seen()).toEqual(owned.toSorted())
})

test('a transaction sees all until it names one, and leaves nothing', async () => {
  await query('begin', [])
  expect(await seen()).toEqual(owned.toSorted())
  await query(
    "select set_config('tidings.environment_id', $1, true), set_config('tidings.system', 'off', true)",
    owned.slice(0, 1),
  )
  expect(await seen()).toEqual(owned.slice(0, 1))
  await query('commit', [])
  await expectNothingLeft()
  await query('begin', [])
  await query('rollback', [])
  await expectNothingLeft()
})

test('so does a database that is reached through a pooler, and it names no statement', async () => {
  const database = openDatabase({ url, directUrl: url, poolSize: 1, rowLevelSecurity: true, onError() {} })
  try {
    const ids = sql<{ id: string }>`${named}select environment_id as id from workflow`
    expect((await ids.execute(database.db)).rows).toHaveLength(2)
    const [own = ''] = owned
    expect((await database.read(envOf(own), (db) => ids.execute(db))).rows).toEqual([{ id: own }])
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_prepared_statements`.execute(
      database.db,
    )
    expect(rows).toEqual([{ n: 0 }])
  } finally {
    await database.close()
  }
})
