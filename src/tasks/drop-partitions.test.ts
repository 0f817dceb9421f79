import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../test/harness.ts'
import { makeWorkflow, trigger } from '../../test/pipeline.ts'
import { plantWaiting } from '../../test/waiting-week.ts'
import { findLosses } from '../commands/conserve.ts'
import { deterministicId } from '../lib/deterministic-id.ts'
import { inTransaction } from '../store/database.ts'
import { countConservation } from '../store/history/conservation.ts'
import { ensurePartitions } from '../store/history/partitions.ts'
import { dropWeek, listOldWeeks } from '../store/history/retention.ts'
import dropPartitions from './drop-partitions.ts'

const h = useHarness({}, { worker: true })
const dayMs = 24 * 3600 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
const weeks = ['event', 'notification', 'job', 'message'] as const

/** Runs `work` with the clock at that time. */
async function at<T>(time: Date, work: () => Promise<T>): Promise<T> {
  const { clock } = h.ctx
  h.ctx.clock = () => time
  try {
    const result = await work()
    await h.drain()
    return result
  } finally {
    h.ctx.clock = clock
  }
}

async function retain(): Promise<void> {
  while ((await dropPartitions.run(h.ctx)) > 0) {}
}

/** One event for each subscriber, `days` ago, in a week that has partitions. */
async function history(env: Client, days: number, people: string[], transactionId: string): Promise<void> {
  const time = daysAgo(days)
  await ensurePartitions(h.admin, time, time)
  await at(time, () => trigger(env, { to: people, transactionId }))
}

async function notificationsOf(env: Client, transactionId: string): Promise<Json[]> {
  const { body } = await env.get(`/v1/notifications?transactionId=${transactionId}&after=2000-01-01&limit=50`)
  return body.data
}

async function setJobs(id: string, status: string, updatedAt: Date): Promise<void> {
  await sql`update job set status = ${status}, updated_at = ${updatedAt} where notification_id = ${id}`.execute(h.admin)
}

async function countRows(env: Client): Promise<number[]> {
  const counts = weeks.map(async (table) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}
      where environment_id = ${env.environmentId}`.execute(h.admin)
    return rows[0]?.n ?? 0
  })
  return Promise.all(counts)
}

async function expectConserved(env: Client): Promise<void> {
  const counted = (await countConservation(h.admin)).find((it) => it.environmentId === env.environmentId)
  expect(counted?.jobs).toBe(counted?.steps)
  expect((await findLosses(h.ctx)).filter((loss) => loss.environmentId === env.environmentId)).toEqual([])
}

test('finished weeks vanish with their transactionIds; the unfinished stays whole until it is finished, and as long again', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await history(env, 100, ['done-1', 'waiting', 'done-2'], 'old')
  await history(env, 120, ['gone'], 'older')
  await history(env, 60, ['young'], 'young')
  const waiting = (await notificationsOf(env, 'old')).find((it) => it.subscriber.subscriberId === 'waiting')
  await setJobs(waiting._id, 'delayed', daysAgo(100))
  expect(await countRows(env)).toEqual([3, 5, 5, 5])

  await retain()
  await retain()
  expect(await countRows(env)).toEqual([2, 2, 2, 2])
  await expectConserved(env)
  const { status, body } = await env.get(`/v1/notifications/${waiting._id}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ transactionId: 'old', payload: {}, jobs: [{ status: 'delayed', messages: [{}] }] })
  expect((await env.get(`/v1/subscribers/waiting/notifications/feed`)).body.data).toHaveLength(1)
  // Without a time filter, a list shows what is within the retention.
  const listed = (await env.get('/v1/notifications')).body.data.map((it: Json) => it.transactionId)
  expect(listed).toEqual(['young'])
  const keys = await sql<{ transaction_id: string }>`select transaction_id from event_key
    where environment_id = ${env.environmentId} order by 1`.execute(h.admin)
  expect(keys.rows.map((row) => row.transaction_id)).toEqual(['old', 'young'])
  expect(await trigger(env, { to: 'gone', transactionId: 'older' })).toMatchObject({ status: 'processed' })
  await h.drain()

  await setJobs(waiting._id, 'completed', daysAgo(89))
  await retain()
  expect((await env.get(`/v1/notifications/${waiting._id}`)).status).toBe(200)
  await setJobs(waiting._id, 'completed', daysAgo(91))
  await retain()
  expect((await env.get(`/v1/notifications/${waiting._id}`)).status).toBe(404)
  expect(await countRows(env)).toEqual([2, 2, 2, 2])
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from event_default`.execute(h.admin)
  expect(rows[0]?.n).toBe(0)
})

test('a message that was redriven stays with all that is its own, also where its step is over', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await history(env, 100, ['done', 'redriven'], 'old')
  const redriven = (await notificationsOf(env, 'old')).find((it) => it.subscriber.subscriberId === 'redriven')
  const setRetry = (retryAt: Date | null) =>
    sql`update message set retry_at = ${retryAt} where notification_id = ${redriven._id}`.execute(h.admin)
  await setRetry(new Date(Date.now() + dayMs))
  await retain()
  await retain()
  expect(await countRows(env)).toEqual([1, 1, 1, 1])
  await setJobs(redriven._id, 'completed', daysAgo(91))
  await retain()
  expect(await countRows(env)).toEqual([1, 1, 1, 1])
  await setRetry(null)
  await retain()
  expect(await countRows(env)).toEqual([0, 0, 0, 0])
})

async function isWaitedFor(): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks where relation = 'message'::regclass and not granted`.execute(
    h.admin,
  )
  return rows.length > 0
}

test('a message that is redriven while its week is being dropped stays', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await history(env, 100, ['done', 'redriven'], 'old')
  const redriven = (await notificationsOf(env, 'old')).find((it) => it.subscriber.subscriberId === 'redriven')
  const [week] = await listOldWeeks(h.admin, daysAgo(90))
  // A redrive that is not committed yet: the drop looks, finds nothing, and waits for its lock.
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>()
  const { promise: redrove, resolve: didRedrive } = Promise.withResolvers<void>()
  const redrive = inTransaction(h.admin, async (trx) => {
    await sql`update message set retry_at = now() where notification_id = ${redriven._id}`.execute(trx)
    didRedrive()
    await committed
  })
  await redrove
  const drop = dropWeek(h.admin, week ?? new Date())
  await expect.poll(isWaitedFor, { interval: 5 }).toBe(true)
  commit()
  await redrive
  await drop
  expect(await countRows(env)).toEqual([1, 1, 1, 1])
  await sql`update message set retry_at = null where notification_id = ${redriven._id}`.execute(h.admin)
  await setJobs(redriven._id, 'completed', daysAgo(91))
  await retain()
  expect(await countRows(env)).toEqual([0, 0, 0, 0])
})

test('an event that still has people to reach keeps all it has, and goes on from there', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await history(env, 100, ['a', 'b'], 'open')
  await sql`update event set state = 'accepted', expand_cursor = '{"index": 1}'
    where environment_id = ${env.environmentId}`.execute(h.admin)
  await retain()
  expect(await countRows(env)).toEqual([1, 2, 2, 2])
  const { rows } = await sql<{ id: string }>`select id from event where environment_id = ${env.environmentId}`.execute(
    h.admin,
  )
  const { environmentId } = env
  await h.ctx.engine.enqueue(h.admin, 'expand-events', 'bulk', [{ environmentId, eventIds: rows.map((row) => row.id) }])
  await h.drain()
  expect(await countRows(env)).toEqual([1, 2, 2, 2])
  await expectConserved(env)
})

test('what is written while a week goes is not lost: either the week waits, or the row goes where the others went', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await history(env, 100, ['waiting'], 'race')
  const [{ _id: id }] = await notificationsOf(env, 'race')
  await setJobs(id, 'delayed', daysAgo(100))
  const addMessage = (db: typeof h.admin, n: string) =>
    sql`insert into message (environment_id, id, event_id, notification_id, job_id, subscriber_id, workflow_id,
        workflow_version, step_index, transaction_id, channel, status, content, updated_at)
      select environment_id, ${deterministicId(id, n)}::uuid, event_id, notification_id, job_id, subscriber_id, workflow_id,
        workflow_version, step_index, transaction_id, channel, status, ${n}, now() from message
      where environment_id = ${env.environmentId} limit 1`.execute(db)

  // A writer holds the lock first: dropping the week is postponed.
  await inTransaction(h.admin, async (writer) => {
    await addMessage(writer, 'first')
    expect(await dropPartitions.run(h.ctx)).toBe(0)
    expect(await listOldWeeks(h.admin, daysAgo(90))).not.toEqual([])
  })
  // We hold the lock first: the writer waits.
  let writing: Promise<unknown> = Promise.resolve()
  await inTransaction(h.admin, async (trx) => {
    const [week] = await listOldWeeks(trx, daysAgo(90))
    expect(await dropWeek(trx, week ?? new Date())).toBe(1)
    writing = addMessage(h.ctx.database.db, 'second')
    await new Promise((resolve) => setTimeout(resolve, 200))
  })
  await writing
  await retain()
  const { rows } = await sql<{ content: string }>`select content from message
    where environment_id = ${env.environmentId} order by content`.execute(h.admin)
  expect(rows.map((row) => row.content)).toEqual(['Hello ', 'first', 'second'])
  await expectConserved(env)
})

test('a week in which very many wait stays, and loses what is finished; when few wait it is dropped', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await history(env, 100, ['done-1', 'done-2'], 'finished')
  await history(env, 100, ['waiting'], 'crowded')
  const inWeek = async (table: string) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}
      where environment_id = ${env.environmentId} and tableoid::regclass::text not like '%_default'`.execute(h.admin)
    return rows[0]?.n
  }
  await plantWaiting(h.admin, env.environmentId, 'crowded', 600)
  // Of a notification that is gone: its step came weeks later than its event.
  await sql`update message set notification_id = gen_random_uuid() where environment_id = ${env.environmentId} and id =
    (select id from message where transaction_id = 'crowded' limit 1)`.execute(h.admin)
  expect(await countRows(env)).toEqual([602, 603, 603, 3])
  await retain()
  expect(await countRows(env)).toEqual([600, 600, 600, 0])
  expect(await inWeek('job')).toBe(600)
  await expectConserved(env)

  // 200 of them end, long enough ago; the week is looked through again a day later.
  await sql`update job set status = 'completed', run_at = null, updated_at = ${daysAgo(91)} where environment_id = ${env.environmentId}
    and id in (select id from job where environment_id = ${env.environmentId} order by id limit 200)`.execute(h.admin)
  await retain()
  expect(await countRows(env)).toEqual([400, 400, 400, 0])
  expect(await inWeek('job')).toBe(0)
  expect(await listOldWeeks(h.admin, daysAgo(90))).toEqual([])
  await expectConserved(env)
})

test('a partitioned table that came later is covered: its rows go and stay with the messages they are about', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await sql`create table later (environment_id uuid, id uuid, message_id uuid, primary key (environment_id, id))
    partition by range (id)`.execute(h.admin)
  await sql`create table later_default partition of later default`.execute(h.admin)
  await history(env, 100, ['done', 'waiting'], 'covered')
  const waiting = (await notificationsOf(env, 'covered')).find((it) => it.subscriber.subscriberId === 'waiting')
  await setJobs(waiting._id, 'delayed', daysAgo(100))
  await sql`insert into later select environment_id, id, id from message
    where environment_id = ${env.environmentId}`.execute(h.admin)
  const notifications = () =>
    sql<{ notification_id: string }>`select m.notification_id from later l left join message m on m.id = l.message_id`
      .execute(h.admin)
      .then(({ rows }) => rows.map((row) => row.notification_id))
  expect(await notifications()).toHaveLength(2)
  await retain()
  expect(await notifications()).toEqual([waiting._id])
  await setJobs(waiting._id, 'completed', daysAgo(91))
  await retain()
  expect(await notifications()).toEqual([])
  await sql`drop table later`.execute(h.admin)
})

test('only one node drops: another that comes meanwhile does nothing', async () => {
  await ensurePartitions(h.admin, daysAgo(200), daysAgo(200))
  await inTransaction(h.admin, async (trx) => {
    await sql`select pg_advisory_xact_lock(7264002)`.execute(trx)
    expect(await dropPartitions.run(h.ctx)).toBe(0)
  })
  expect(await dropPartitions.run(h.ctx)).toBe(1)
})

test('partitions are made also for a week whose rows had to go to the default one, and then hold them', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const later = new Date(Date.now() + 70 * dayMs)
  await at(later, () => trigger(env, { to: ['a', 'b'], transactionId: 'early' }))
  await ensurePartitions(h.admin, later, later)
  await ensurePartitions(h.admin, later, later)
  expect(await countRows(env)).toEqual([1, 2, 2, 2])
  const { rows } = await sql<{ place: string }>`select distinct tableoid::regclass::text as place from message
    where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(rows).toEqual([{ place: expect.stringMatching(/^message_\d{8}$/) }])
  expect(await notificationsOf(env, 'early')).toHaveLength(2)
})
