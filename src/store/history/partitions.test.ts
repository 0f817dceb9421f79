import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { type Db, inTransaction, lockNotAvailable, sqlState } from '../database.ts'
import { ensurePartitions } from './partitions.ts'
import { dropWeek } from './retention.ts'

const h = useHarness()
const dayMs = 24 * 3600 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

const use = (db: Db, table: string) => sql`select 1 from ${sql.table(table)} limit 1`.execute(db)

/** A transaction that is not repeated when it is refused. */
const once = (work: (trx: Db) => Promise<unknown>) => h.admin.transaction().execute(work)

/** Until somebody waits for a lock on that table. */
async function untilWaitedFor(table: string): Promise<void> {
  const waiting = () => sql`select 1 from pg_locks where relation = ${table}::regclass and not granted`.execute(h.admin)
  await expect.poll(async () => (await waiting()).rows.length, { interval: 5 }).toBeGreaterThan(0)
}

test.each([
  ['event_default', 'notification'],
  ['notification_default', 'event'],
  ['message_default', 'job'],
])('partitions are made while somebody uses %s and then %s: neither is refused', async (used, next) => {
  const week = daysAgo(300 + 7 * next.length)
  let making: Promise<void> | undefined
  await once(async (trx) => {
    await use(trx, used)
    making = ensurePartitions(h.admin, week, week)
    await untilWaitedFor(used)
    await use(trx, next)
  })
  await making
  const { rows } = await sql`select parent from missing_partitions(${week}::timestamptz, ${week}::timestamptz)`.execute(
    h.admin,
  )
  expect(rows).toEqual([])
})

test('two nodes that make the same partitions at once: both find them made', async () => {
  const week = daysAgo(500)
  await Promise.all([1, 2, 3, 4].map(() => ensurePartitions(h.admin, week, week)))
})

test('only whole weeks of a partitioned table can be made', async () => {
  const make = (table: string, week: string) =>
    sql`select make_partition(${table}, ${week}::timestamptz)`.execute(h.admin)
  await expect(make('subscriber', '2024-01-01T00:00:00Z')).rejects.toThrow('no partitions of subscriber')
  await expect(make('event', '2024-01-02T00:00:00Z')).rejects.toThrow('no partitions of event')
})

test('a week is dropped only if its locks come before PostgreSQL looks for deadlocks: a request is never its victim', async () => {
  const week = new Date('2024-01-01T00:00:00Z')
  await ensurePartitions(h.admin, week, week)
  const hold = (table: string, ms: number) =>
    inTransaction(h.admin, async (trx) => {
      await use(trx, table)
      await sleep(ms)
    })
  // A request that uses message and then event, while others keep the tables between them busy.
  const busy = [hold('notification', 400), hold('job', 800)]
  let dropping: Promise<unknown> | undefined
  await once(async (trx) => {
    await use(trx, 'message')
    dropping = inTransaction(h.admin, (other) => dropWeek(other, week)).catch((error) => sqlState(error))
    await untilWaitedFor('notification')
    await use(trx, 'event')
  })
  await Promise.all(busy)
  expect(await dropping).toBe(lockNotAvailable)
  expect(await inTransaction(h.admin, (trx) => dropWeek(trx, week))).toBe(0)
})
