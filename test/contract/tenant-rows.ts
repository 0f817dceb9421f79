import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Client, Harness } from '../harness.ts'

/**
 * Every table that belongs to environments, as the catalogue says; without the claims of idempotency keys, and
 * without the last call of a vendor, which is noted a moment after the reply, refused or not.
 */
async function tenantTables(h: Harness): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'environment_id' and c.relname not in ('idempotency', 'callback_arrival')
    order by 1`.execute(h.admin)
  return rows.map((row) => row.name)
}

// The schema does not change while tests run.
const tablesOf = new WeakMap<Harness, Promise<string[]>>()

type TenantRow = { table: string; row: unknown }

/**
 * Everything an environment owns, to compare before and after. Waits for background work first. What is noted of a key
 * when it is used is left out: it is written a moment after the reply.
 */
export async function rowsOf(h: Harness, env: Client): Promise<TenantRow[]> {
  await h.drain()
  await sendsStandStill(h, env)
  const tables = tablesOf.get(h) ?? tenantTables(h)
  tablesOf.set(h, tables)
  const selects = (await tables).map(
    (table) => sql`
      select ${sql.lit(table)} as "table", to_jsonb(t) - ${leftOut(table)}::text[] as row from ${sql.table(table)} t
      where environment_id = ${env.environmentId}`,
  )
  const record = sql`
    select 'change_record' as "table", to_jsonb(t) as row from change_record t where happened_in = ${env.environmentId}`
  const { rows } = await sql<TenantRow>`${sql.join([...selects, record], sql` union all `)} order by 1, 2`.execute(
    h.admin,
  )
  return rows
}

/** A cancel is answered before all of it is done. */
async function sendsStandStill(h: Harness, { environmentId }: Client): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from send s where environment_id = ${environmentId} and (state = 'canceling' or look_at <= now()
        or exists (select 1 from send_tally t where (t.environment_id, t.send_id) = (s.environment_id, s.id)))`.execute(
      h.admin,
    )
    if (rows.length === 0) return
    await sleep(50)
  }
}

/**
 * Everything an organization owns beside its environments: members, invitations, sessions of people, its choices. What is
 * noted of a session when it is used is left out.
 */
export async function organizationRowsOf(h: Harness, organizationId: string): Promise<TenantRow[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('environment', 'change_record') and not exists (
        select 1 from pg_attribute e where e.attrelid = c.oid and e.attname = 'environment_id')
    order by 1`.execute(h.admin)
  const selects = tables.map(
    ({ name }) => sql`
      select ${sql.lit(name)} as "table", to_jsonb(t) - 'last_seen_at' as row from ${sql.table(name)} t
      where organization_id = ${organizationId}`,
  )
  const { rows } = await sql<TenantRow>`
    select 'organization' as "table", to_jsonb(o) as row from organization o where id = ${organizationId} union all
    ${sql.join(selects, sql` union all `)} order by 1, 2`.execute(h.admin)
  return rows
}

/** Columns that are written in the background, whatever anybody asks. */
export function leftOut(table: string): string[] {
  return ['last_used_at', 'sealed_text', ...(changedByWorkers[table] ?? [])]
}

// Nobody answers at the endpoints of these tests, so that workers try again and again.
const changedByWorkers: Record<string, string[]> = {
  webhook_endpoint: ['busy_until', 'busy_by', 'failing_since'],
  webhook_delivery: ['tries', 'number', 'next_at', 'failures', 'in_flight', 'started_at'],
}

/** How many rows of each table. */
export async function rowCounts(h: Harness, env: Client): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table } of await rowsOf(h, env)) counts[table] = (counts[table] ?? 0) + 1
  return counts
}
