import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import type { Tables } from '../schema.ts'
import { listNotifications, type NotificationFilter } from './notifications.ts'

/** A long history in which few steps failed, a while ago: what the list costs, as PostgreSQL reports it. */
const h = useHarness()
const [history, failed, skipped] = [20_000, 60, 19_000]
const person = uuid7(new Date())

let env: Env
let db: Db
let pool: pg.Pool
const statements: { sql: string; parameters: readonly unknown[] }[] = []

beforeAll(async () => {
  const client = await h.environment()
  env = { environmentId: client.environmentId, organizationId: client.organizationId, keyId: '' }
  const made = sql`generate_series(1, ${sql.lit(history)}) as n,
    lateral (select uuid_at(date_trunc('week', now()) + interval '2 days' - n * interval '1 ms') as id) at`
  await sql`
    insert into notification (environment_id, id, event_id, transaction_id, subscriber_id, workflow_id, workflow_version)
    select ${env.environmentId}, at.id, at.id, 't', ${person}, ${person}, 1 from ${made}`.execute(h.admin)
  await sql`
    insert into job (environment_id, id, notification_id, step_index, type, status, details, updated_at)
    select ${env.environmentId}, at.id, at.id, 0, 'in_app',
      case when n > ${history - failed} then 'failed' when n <= ${skipped} then 'skipped' else 'completed' end, '[]', now()
    from ${made}`.execute(h.admin)
  await sql`vacuum analyze notification, job`.execute(h.admin)
  pool = new pg.Pool({ connectionString: h.databaseUrl, max: 2 })
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
})
afterAll(() => db.destroy())

type Plan = { 'Actual Rows': number; 'Actual Loops': number; 'Node Type': string; Plans?: Plan[] }

/** How many rows all scans of the list itself read. */
async function readBy(filter: NotificationFilter, page = 0): Promise<number> {
  const from = statements.length
  await listNotifications(db, env, filter, { page, limit: 10 })
  const list = statements[from]
  const { rows } = await pool.query(`explain (analyze, format json) ${list?.sql}`, [...(list?.parameters ?? [])])
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  const scans = flat(rows[0]['QUERY PLAN'][0].Plan).filter((plan) => plan['Node Type'].includes('Scan'))
  return scans.reduce((sum, plan) => sum + plan['Actual Rows'] * plan['Actual Loops'], 0)
}

test.each(['failed', 'skipped'] as const)(
  'a page of what %s costs the page, not the history, be it rare or common',
  async (stepStatus) => {
    const { items, hasMore } = await listNotifications(db, env, { stepStatus }, { page: 0, limit: 10 })
    expect([items.length, hasMore]).toEqual([10, true])
    expect(await readBy({ stepStatus })).toBeLessThan(100)
    expect(await readBy({ stepStatus }, 4)).toBeLessThan(300)
    const since = new Date(Date.now() - 30 * 86_400_000)
    expect(await readBy({ stepStatus, after: since, before: new Date(Date.now() + 7 * 86_400_000) })).toBeLessThan(100)
  },
)
