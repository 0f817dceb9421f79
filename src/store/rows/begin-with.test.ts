import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { type Db, envOf, inTransaction, openDatabase } from '../database.ts'

const h = useHarness()
const opened: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(opened.map((it) => it.close())))

/** One connection. */
function open() {
  const database = openDatabase({ url: h.databaseUrl, poolSize: 1, rowLevelSecurity: false, onError() {} })
  opened.push(database)
  return database
}

const isOpen = async (db: Db) => {
  const { rows } = await sql<{ xact: Date; statement: Date }>`
    select transaction_timestamp() as xact, statement_timestamp() as statement`.execute(db)
  return rows[0]?.xact.getTime() !== rows[0]?.statement.getTime()
}

test('whatever comes first, it is inside the transaction', async () => {
  const { db } = open()
  await inTransaction(db, async (trx) => {
    await sql`create temp table seen (n int)`.execute(trx)
    throw new Error('undone')
  }).catch(() => {})
  const { rows } = await sql`select to_regclass('pg_temp.seen') as it`.execute(db)
  expect(rows).toEqual([{ it: null }])
})

test('a transaction without a statement leaves none open', async () => {
  const { db } = open()
  await inTransaction(db, async () => {})
  await inTransaction(db, () => Promise.reject(new Error('x'))).catch(() => {})
  await sql`select pg_sleep(0.01)`.execute(db)
  expect(await isOpen(db)).toBe(false)
})

test('the first statement of a write is there and back once, with its begin; one that is refused leaves none open', async () => {
  const { environmentId } = await h.environment()
  const { db, write } = open()
  const kept = await write(envOf(environmentId), async (trx) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`.execute(trx)
    return rows[0]?.n
  })
  expect(kept).toBe(1)
  await sql`update environment set state = 'departed' where id = ${environmentId}`.execute(h.admin)
  await expect(write(envOf(environmentId), async () => {})).rejects.toThrow('is departed')
  await sql`select pg_sleep(0.01)`.execute(db)
  expect(await isOpen(db)).toBe(false)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`.execute(db)
  expect(rows).toEqual([{ n: 0 }])
})
