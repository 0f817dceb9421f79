import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { attemptId } from '../../core/delivery/attempt.ts'
import { jobId } from '../../core/pipeline/plan-steps.ts'
import type { Db } from '../database.ts'
import { cancelJobsOfEvent } from '../sends/cancel-jobs.ts'
import { tellOfCompleted } from '../webhooks/tell.ts'
import { noteWanted } from '../webhooks/wanted.ts'
import { eraseMessages, eraseNotifications } from './erasure.ts'

/*
 * All rows of an event have one time, so their ids lie beside each other. Who looks for those of some people must not read
 * those of all: at a hundred thousand, a page would take minutes.
 */
const h = useHarness({}, { worker: true })
const people = 2_000
let env: Client
let ids: string[]

beforeAll(async () => {
  env = await h.environment()
  const delay = { type: 'regular', amount: 1, unit: 'hours' }
  await makeWorkflow(env, 'hello', {
    steps: [
      { name: 'First', type: 'in_app', controlValues: { body: 'Hi' } },
      { name: 'Wait', type: 'delay', controlValues: delay },
      { name: 'Second', type: 'in_app', controlValues: { body: 'Hi' } },
    ],
  })
  await trigger(env, { to: Array.from({ length: people }, (_, n) => `p${n}`), transactionId: 'large' })
  await h.drain()
  const { rows } = await sql<{ id: string }>`
    select id from notification where environment_id = ${env.environmentId} order by random()`.execute(h.admin)
  ids = rows.map(({ id }) => id)
  expect(ids).toHaveLength(people)
  await sql`analyze`.execute(h.admin)
}, 60_000)

/** How many rows of history it reads. What it does is undone. */
async function rowsRead(work: (db: Db) => Promise<unknown>): Promise<number> {
  let read = -1
  const undone = new Error('undone')
  await h.admin
    .transaction()
    .execute(async (db) => {
      noteWanted(db, ['*'])
      const before = await countRead(db)
      await work(db)
      read = (await countRead(db)) - before
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return read
}

/** By this connection, since its numbers were last collected. */
async function countRead(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables
    where relname ~ '^(notification|job|message|attempt)_'`.execute(db)
  return rows[0]?.n ?? 0
}

const scope = () => ({ ...env, keyId: '' })

test('an id is computed alike by PostgreSQL and here', async () => {
  for (const id of ids.slice(0, 50)) {
    const { rows } = await sql`
      select derived_id('job', ${id}, 'step-ä😀') as job, derived_id('attempt', ${id}, '12') as attempt`.execute(
      h.admin,
    )
    expect(rows).toEqual([{ job: jobId(id, 'step-ä😀'), attempt: attemptId(id, 12) }])
  }
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::int as wrong from job j full join jobs_of(${env.environmentId}, ${ids}::uuid[]) k
      on k.id = j.id and k.notification_id = j.notification_id
    where j.environment_id = ${env.environmentId} and (j.id is null or k.id is null)`.execute(h.admin)
  expect(rows).toEqual([{ wrong: 0 }])
})

const some = 100

test.each<[string, number, (db: Db) => Promise<unknown>]>([
  ['telling that some are completed', 12 * some, (db) => tellOfCompleted(db, scope(), ids.slice(0, some), new Date())],
  [
    'telling it of as many as ended now',
    // One look at all of them is the test's own.
    12 * some + people,
    async (db) => {
      await sql`update job set status = 'completed' where environment_id = ${env.environmentId}
        and id in (select id from jobs_of(${env.environmentId}, ${ids.slice(0, some)}::uuid[]))`.execute(db)
      await tellOfCompleted(db, scope(), ids.slice(0, some), new Date())
      const { rows } = await sql`select 1 from notification
        where environment_id = ${env.environmentId} and completed_at is not null`.execute(db)
      expect(rows).toHaveLength(some)
    },
  ],
  [
    'erasing one of them',
    50,
    async (db) => {
      const { rows } = await sql<{ id: string }>`
        select id from subscriber where environment_id = ${env.environmentId} and subscriber_id = 'p7'`.execute(db)
      const who = { id: rows[0]?.id ?? '', subscriberId: 'p7', before: new Date() }
      await eraseMessages(db, scope(), who, null, 100)
      const { stopped } = await eraseNotifications(db, scope(), who, { after: null, batch: 100, now: new Date() })
      expect(stopped).toHaveLength(2)
    },
  ],
  [
    'finding out which of them are needed',
    20 * some,
    (db) =>
      sql`select notification_stays(${env.environmentId}, id, now()) from unnest(${ids.slice(0, some)}::uuid[]) as given (id)`.execute(
        db,
      ),
  ],
  [
    'canceling all of it',
    60 * people,
    async (db) => {
      const { rows } = await sql<{ id: string }>`
        select id from event where environment_id = ${env.environmentId}`.execute(db)
      const { steps } = await cancelJobsOfEvent(db, scope(), rows[0]?.id ?? '', new Date())
      expect(steps).toHaveLength(2 * people)
    },
  ],
])('%s reads at most %i rows', async (_, most, work) => {
  const read = await rowsRead(work)
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThanOrEqual(most)
})
