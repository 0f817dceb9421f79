import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import type { Tables } from '../schema.ts'
import { changeFeed, deleteFeed, listFeed, setFeedAction, sliceFeed } from './feed.ts'
import { countFeed } from './feed-counts.ts'

/** One subscriber with a long history: what the statements cost, as PostgreSQL reports it. */
const h = useHarness()
const [ada, bob] = [uuid7(new Date()), uuid7(new Date())]
const history = 5_000
const unread = 300
const unseen = 100
const inFeed = { archived: false, snoozed: false }

let env: Env
let db: Db
let pool: pg.Pool
const statements: { sql: string; parameters: readonly unknown[] }[] = []

beforeAll(async () => {
  const client: Client = await h.environment()
  env = { environmentId: client.environmentId, organizationId: client.organizationId, keyId: '' }
  for (const person of [ada, bob]) await insertHistory(person)
  await sql`vacuum analyze message`.execute(h.admin)
  pool = new pg.Pool({ connectionString: h.databaseUrl, max: 2 })
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
})
afterAll(() => db.destroy())

/** Of one person, a millisecond apart, all in one week and so in one partition; the newest are unread, the very newest unseen. Each has a job. */
async function insertHistory(person: string): Promise<void> {
  const made = sql`generate_series(1, ${sql.lit(history)}) as n,
    lateral (select uuid_at(date_trunc('week', now()) + interval '2 days' - n * interval '1 ms')::text as moment) at,
    lateral (select overlay(at.moment placing ${person.slice(-12)} from 25)::uuid as id) m`
  await sql`
    insert into message (environment_id, id, event_id, notification_id, job_id, subscriber_id, workflow_id,
      workflow_version, step_index, transaction_id, channel, status, content, cta, seen, read, read_at, updated_at)
    select ${env.environmentId}, m.id, m.id, m.id, m.id, ${person}, ${person}, 1, 0, 't', 'in_app', 'sent', 'x',
      '{"action": {"status": "pending"}}', n > ${unseen}, n > ${unread}, case when n > ${unread} then now() end, now() from ${made}`.execute(
    h.admin,
  )
  await sql`
    insert into job (environment_id, id, notification_id, step_index, type, status, details, updated_at)
    select m.environment_id, m.job_id, m.notification_id, 0, 'in_app', 'completed', '[]', now()
    from message m where m.subscriber_id = ${person}`.execute(h.admin)
}

type Plan = { 'Index Name'?: string; 'Actual Rows': number; 'Node Type': string; Plans?: Plan[] }

/** What the last statement of `work` really read: `index: rows`. */
async function scansOf(work: () => Promise<unknown>): Promise<string[]> {
  await work()
  const last = statements.at(-1)
  const { rows } = await pool.query(`explain (analyze, format json) ${last?.sql}`, [...(last?.parameters ?? [])])
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  return flat(rows[0]['QUERY PLAN'][0].Plan)
    .filter((plan) => plan['Node Type'].includes('Scan') && plan['Actual Rows'] > 0)
    .map((plan) => `${plan['Node Type']} ${plan['Index Name']?.replace(/^message_\d+_/, '')}: ${plan['Actual Rows']}`)
}

const unreadIndex = 'Index Only Scan environment_id_subscriber_id_seen_id_snooz_idx'

test('counting unseen or unread reads just those, from the index alone', async () => {
  const count = (filter: object, limit: number) =>
    countFeed(db, env, { subscriberId: ada, filters: [{ ...inFeed, ...filter }], now: new Date(), limit })
  expect(await count({ seen: false }, 1000)).toEqual([unseen])
  expect(await count({ read: false }, 1000)).toEqual([unread])
  expect(await scansOf(() => count({ seen: false }, 1000))).toEqual([`${unreadIndex}: ${unseen}`])
  expect(await scansOf(() => count({ read: false }, 1000))).toEqual([`${unreadIndex}: ${unread}`])
  expect(await scansOf(() => count({ read: false }, 7))).toEqual([`${unreadIndex}: 7`])
})

test('several counts are one statement', async () => {
  const before = statements.length
  const filters = [{ seen: false }, { seen: true }, { read: true, ...inFeed }, { archived: true }, { snoozed: true }]
  expect(await countFeed(db, env, { subscriberId: ada, filters, now: new Date() })).toEqual([
    unseen,
    history - unseen,
    history - unread,
    0,
    0,
  ])
  expect(statements.length - before).toBe(1)
})

test('a page of what is unread costs what is unread, not the history', async () => {
  const page = () =>
    listFeed(db, env, {
      subscriberId: ada,
      filter: { ...inFeed, read: false },
      page: { page: 0, limit: 10 },
      now: new Date(),
    })
  const scans = await scansOf(page)
  expect(scans.length).toBeGreaterThan(0)
  for (const scan of scans) expect(scan).not.toContain('Seq Scan')
  for (const scan of scans) expect(Number(scan.split(': ')[1])).toBeLessThanOrEqual(unread)
})

test('thousands are marked by one statement, each confirmed in its job; nobody else is touched', async () => {
  const now = new Date()
  expect(await changeFeed(db, env, { subscriberId: ada, filter: {}, change: { to: 'unseen' }, now })).toBe(
    history - unseen,
  )
  const before = statements.length
  expect(await changeFeed(db, env, { subscriberId: ada, filter: {}, change: { to: 'read' }, now })).toBe(history)
  expect(statements.length - before).toBe(1)
  expect(await countFeed(db, env, { subscriberId: ada, filters: [{ read: false }, { read: true }], now })).toEqual([
    0,
    history,
  ])
  expect(await countFeed(db, env, { subscriberId: bob, filters: [{ read: false }, { read: true }], now })).toEqual([
    unread,
    history - unread,
  ])
  // Those that had been read before have a date of reading; only the others were read for the first time.
  const { rows } = await sql<{ n: number; mine: boolean }>`
    select count(*)::int as n, bool_and(m.subscriber_id = ${ada}) as mine from job j
    join message m on m.job_id = j.id and m.environment_id = j.environment_id
    where j.environment_id = ${env.environmentId} and j.details @> '[{"status": "ReadConfirmation"}]'`.execute(h.admin)
  expect(rows).toEqual([{ n: unread, mine: true }])
})

test('rows of another environment are not touched, even were every id in them the same', async () => {
  const twin = await h.environment()
  const theirs = sql`environment_id = ${twin.environmentId}`
  const copy = (table: string, name: string) =>
    sql`insert into ${sql.table(table)}
      select (jsonb_populate_record(t, jsonb_build_object('environment_id', ${twin.environmentId}::text))).*
      from ${sql.table(table)} t where t.${sql.ref(name)} in (select id from message where subscriber_id = ${bob}
        and not read and environment_id = ${env.environmentId})`.execute(h.admin)
  await copy('job', 'id')
  await copy('message', 'id')
  const rows = () =>
    sql`select to_jsonb(m) as message, to_jsonb(j) as job from message m join job j using (environment_id, id)
      where ${theirs} order by m.id`.execute(h.admin)
  const before = (await rows()).rows
  expect(before).toHaveLength(unread)
  const now = new Date()
  const filter = { read: false }
  expect(await countFeed(db, env, { subscriberId: bob, filters: [filter], now })).toEqual([unread])
  expect(await changeFeed(db, env, { subscriberId: bob, filter, change: { to: 'archived' }, now })).toBe(unread)
  expect(
    await changeFeed(db, env, {
      subscriberId: bob,
      filter,
      change: { to: 'snoozed', until: new Date(now.getTime() + 1000) },
      now,
    }),
  ).toBe(unread)
  const [row] = await sliceFeed(db, env, { subscriberId: bob, filter, offset: 0, limit: 1, now })
  await setFeedAction(db, env, row?.id ?? '', { button: 'primary', status: 'done', result: {} }, now)
  expect(await changeFeed(db, env, { subscriberId: bob, filter, change: { to: 'read' }, now })).toBe(unread)
  expect(await deleteFeed(db, env, { subscriberId: bob, filter: {}, now })).toBe(history)
  expect((await rows()).rows).toEqual(before)
})

test('a message that is read and yet unseen cannot be stored', async () => {
  const contradiction = sql`update message set seen = false where subscriber_id = ${ada} and read`.execute(h.admin)
  await expect(contradiction).rejects.toThrow('message_read_is_seen')
})
