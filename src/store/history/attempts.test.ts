import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import {
  beginAttempts,
  closeAttempts,
  endMessages,
  listAttempts,
  listNews,
  lockJobs,
  progressJobs,
  withdrawAttempts,
} from './attempts.ts'
import { listMessagesById } from './messages.ts'

// A few messages of a large send are recorded together. They lie far apart, and the statistics know of none of them.
const h = useHarness()
const now = new Date()
const integrationId = uuid7(now)
let env: Env
let few: string[]

beforeAll(async () => {
  const client = await h.environment()
  env = { environmentId: client.environmentId, organizationId: client.organizationId, keyId: '' }
  await insertSend(1, 200)
  await sql`analyze message, job, attempt`.execute(h.admin)
  await insertSend(1_000, 9_000)
  const { rows } = await sql<{ id: string }>`select id from message where environment_id = ${env.environmentId}
    order by id`.execute(h.admin)
  few = rows.map((row) => row.id).filter((_, n) => n > 200 && n % 800 === 0)
})

/** A millisecond apart, all in one week. A message, its job and its first try have the same id. */
async function insertSend(from: number, to: number): Promise<void> {
  const made = sql`generate_series(${sql.lit(from)}, ${sql.lit(to)}) as n,
    lateral (select uuid_at(date_trunc('week', now()) + n * interval '1 ms') as id) m`
  await sql`
    insert into message (environment_id, id, event_id, notification_id, job_id, subscriber_id, workflow_id,
      workflow_version, step_index, transaction_id, channel, status, content, updated_at, delivery, retry_at)
    select ${env.environmentId}, m.id, m.id, m.id, m.id, m.id, m.id, 1, 0, 't', 'sms', 'sent', 'x', now(), 'open', now()
    from ${made}`.execute(h.admin)
  await sql`
    insert into job (environment_id, id, notification_id, step_index, type, status, details, updated_at, message_ids)
    select ${env.environmentId}, m.id, m.id, 0, 'sms', 'queued', '[]', now(), array[m.id] from ${made}`.execute(h.admin)
  await sql`
    insert into attempt (environment_id, id, message_id, number, integration_id, provider_id, started_at, deadline)
    select ${env.environmentId}, m.id, m.id, 1, ${integrationId}, 'p', now(), now() from ${made}`.execute(h.admin)
}

const ending = (id: string) => ({
  id,
  attempts: 0,
  inFlight: false,
  delivery: 'sent',
  status: 'sent',
  errorId: null,
  errorText: null,
  retryAt: null,
  externalId: null,
  settledTargets: null,
})
const intent = (messageId: string) => ({
  attemptId: uuid7(now),
  messageId,
  number: 1,
  integrationId,
  providerId: 'p',
  whenUnknown: 'atLeastOnce',
  variant: null,
  deadline: now,
  wakeAt: now,
})
const closing = (attemptId: string) => ({
  attemptId,
  outcome: 'sent',
  integrationRefused: false,
  paced: false,
  reason: null,
})
const progress = (id: string) => ({ id, providerId: 'p', details: [] })

const statements: Record<string, (db: Db) => Promise<unknown>> = {
  beginAttempts: (db) => beginAttempts(db, env, few.map(intent), now),
  listAttempts: (db) => listAttempts(db, env, few),
  closeAttempts: (db) => closeAttempts(db, env, few.map(closing), now),
  endMessages: (db) => endMessages(db, env, few.map(ending), now),
  listNews: (db) => listNews(db, env, few),
  lockJobs: (db) => lockJobs(db, env, few),
  progressJobs: (db) => progressJobs(db, env, few.map(progress), few, now),
  listMessagesById: (db) => listMessagesById(db, env, few),
}

/** Rows that this connection has read. */
async function countReads(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as n
    from pg_stat_xact_user_tables where relname ~ '^(message|job|attempt)_'`.execute(db)
  return rows[0]?.n ?? 0
}

test.each(Object.keys(statements))('%s of ten among thousands reads those ten', async (name) => {
  expect(few).toHaveLength(10)
  const read = await h.admin.transaction().execute(async (db) => {
    const before = await countReads(db)
    await statements[name]?.(db)
    return (await countReads(db)) - before
  })
  expect(read).toBeGreaterThanOrEqual(10)
  // Some ways lead to a row twice.
  expect(read).toBeLessThanOrEqual(60)
})

test('a try that another worker has begun under the same id is not taken back', async () => {
  const { rows } = await sql<{ id: string }>`select id from message where environment_id = ${env.environmentId}
    and delivery = 'open' and not in_flight limit 1`.execute(h.admin)
  const messageId = rows[0]?.id ?? ''
  const attempt = { ...intent(messageId), attemptId: uuid7(new Date(now.getTime() + 1)) }
  const ours = await h.admin
    .transaction()
    .execute(async (db) => {
      const { by } = await beginAttempts(db, env, [attempt], now)
      throw Object.assign(new Error('the commit is lost'), { by })
    })
    .catch((error) => error.by)
  const theirs = await beginAttempts(h.admin, env, [attempt], now)
  const withdraw = async (by: typeof ours) => {
    await withdrawAttempts(h.admin, env, [attempt.attemptId], now, by)
    return (await listAttempts(h.admin, env, [attempt.attemptId])).length
  }
  expect(await withdraw(ours)).toBe(1)
  expect(await withdraw({ ...theirs.by, startedAt: new Date(now.getTime() - 1) })).toBe(1)
  expect(await withdraw(theirs.by)).toBe(0)
})
