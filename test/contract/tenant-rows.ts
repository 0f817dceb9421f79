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
  const tables = tablesOf.get(h) ?? tenantTables(h)
  tablesOf.set(h, tables)
  const selects = (await tables).map(
    (table) => sql`
      select ${sql.lit(table)} as "table", to_jsonb(t) - ${leftOut(table)}::text[] as row from ${sql.table(table)} t
      where environment_id = ${env.environmentId}`,
  )
  const { rows } = await sql<TenantRow>`${sql.join(selects, sql` union all `)} order by 1, 2`.execute(h.admin)
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
