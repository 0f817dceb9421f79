import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { type Database, type Db, type Env, envOf, openDatabase } from '../database.ts'
import { claimEventKeys, findEvents, insertEvents, type NewEvent } from '../history/events.ts'
import { insertSubscribers } from '../subscribers.ts'
import { named } from './named-statements.ts'

const h = useHarness()
const now = new Date()
let env: Env
let database: Database

beforeEach(async () => {
  env = envOf((await h.environment()).environmentId)
  // One connection: the next transaction has the one of the last.
  database = openDatabase({ url: h.databaseUrl, poolSize: 1, rowLevelSecurity: false, onError() {} })
})
afterEach(() => database.close())

const newEvent = (id = uuid7(now)): NewEvent => ({
  id,
  transactionId: id,
  hash: Buffer.alloc(1),
  workflowId: id,
  workflowVersion: 1,
  edition: null,
  payload: {},
  overrides: {},
  attachments: [],
  recipients: [],
  actor: null,
  tenant: null,
  context: null,
  contextKeys: null,
  notified: null,
  trace: null,
})
const claim = (db: Db) => claimEventKeys(db, env, [newEvent()])

type Prepared = { name: string; uses: number }
async function prepared({ db } = database): Promise<Prepared[]> {
  const { rows } = await sql<Prepared>`
    select name, (generic_plans + custom_plans)::int as uses from pg_prepared_statements
    where name <> ''`.execute(db)
  return rows
}

test('a marked statement is prepared once for a connection, and then used by every transaction', async () => {
  for (let n = 0; n < 8; n++) expect(await database.write(env, claim)).toHaveProperty('size', 1)
  expect(await prepared()).toEqual([{ name: expect.stringMatching(/^tidings_[0-9a-f]{24}$/), uses: 8 }])
})

test('a statement that failed keeps its name: the next transaction uses it', async () => {
  await database.write(env, claim)
  const twice = database.write(env, async (db) => {
    await claim(db)
    await sql`select 1 / 0`.execute(db)
  })
  await expect(twice).rejects.toThrow('division by zero')
  await database.write(env, claim)
  expect(await prepared()).toMatchObject([{ uses: 3 }])
})

test('what another connection prepared is missing here: the transaction is repeated as a whole, then without names', async () => {
  await database.write(env, claim)
  let runs = 0
  const claimed = await database.write(env, async (db) => {
    runs++
    await claim(db)
    if (runs === 1) await sql`deallocate all`.execute(db)
    return claim(db)
  })
  expect([runs, claimed.size]).toEqual([2, 1])
  await database.write(env, claim)
  expect(await prepared()).toEqual([])
  const { rows } = await sql`select 1 from event_key where environment_id = ${env.environmentId}`.execute(h.admin)
  // One before, two of the repetition, one after: nothing of the first try.
  expect(rows).toHaveLength(4)
})

test('outside a transaction the statement alone is repeated', async () => {
  await claim(database.db)
  await sql`deallocate all`.execute(database.db)
  expect((await claim(database.db)).size).toBe(1)
})

test('a name that is there already, from another client of the same connection: repeated without names', async () => {
  await database.write(env, claim)
  const [known] = await prepared()
  const other = openDatabase({ url: h.databaseUrl, poolSize: 1, rowLevelSecurity: false, onError() {} })
  await sql`prepare ${sql.ref(known?.name ?? '')} as select 1`.execute(other.db)
  expect((await other.write(env, claim)).size).toBe(1)
  await other.close()
})

test('a migration adds a column while connections are open: what is returned has it, and nobody sees a fault', async () => {
  const insert = (db: Db) => insertSubscribers(db, env, [{ subscriberId: uuid7(now) }], now)
  for (let n = 0; n < 8; n++) await database.write(env, insert)
  await sql`alter table subscriber add column added_later text default 'a'`.execute(h.admin)
  expect(await database.write(env, insert)).toEqual([expect.objectContaining({ added_later: 'a' })])
  await sql`alter table subscriber drop column added_later`.execute(h.admin)
  expect((await database.write(env, insert))[0]).not.toHaveProperty('added_later')
  // Still with names: the statement was at fault, not the connection.
  expect(await prepared()).not.toEqual([])
})

test('a partition that is made later gets its rows, through a plan that is older', async () => {
  const write = (event: NewEvent) => database.write(env, (db) => insertEvents(db, env, [event]))
  const later = new Date(now.getTime() + 200 * 86_400_000)
  for (let n = 0; n < 8; n++) await write(newEvent())
  const ids = [uuid7(later), uuid7(later)]
  await write(newEvent(ids[0]))
  await sql`select make_partition('event', date_trunc('week', ${later}::timestamptz, 'UTC'))`.execute(h.admin)
  await write(newEvent(ids[1]))
  const { rows } = await sql<{ name: string }>`
    select distinct tableoid::regclass::text as name from event where id = any (${ids}::uuid[])`.execute(h.admin)
  expect(rows).toEqual([{ name: expect.stringMatching(/^event_\d{8}$/) }])
  expect(await findEvents(h.admin, env, ids)).toHaveLength(2)
})

test('there is a bound on the names: a text that changes every time has none in the end', async () => {
  for (let n = 0; n < 60; n++) await sql`${named} select ${sql.lit(n)}::int`.execute(database.db)
  expect(await prepared()).toHaveLength(50)
})
