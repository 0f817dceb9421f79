import { sql } from 'kysely'
import type { Db } from '../src/store/database.ts'

/**
 * Copies the one notification of this transactionId, with its job and its event, this often, into the same week. Each
 * copy waits for a delay of a year.
 */
export async function plantWaiting(db: Db, environmentId: string, transactionId: string, count: number): Promise<void> {
  const { rows } = await sql<{ id: string; event_id: string; step: string }>`
    select n.id, n.event_id, v.definition->'steps'->0->>'stepId' as step
    from notification n join workflow_version v using (environment_id, workflow_id)
    where n.environment_id = ${environmentId} and n.transaction_id = ${transactionId} and v.version = n.workflow_version`.execute(
    db,
  )
  const [one] = rows
  const keys = {
    event: ['id', one?.event_id],
    notification: ['id', one?.id],
    job: ['notification_id', one?.id],
  } as const
  for (const table of ['event', 'notification', 'job'] as const) {
    const columns = await columnsOf(db, table)
    const changed: Record<string, string> = {
      id: table === 'job' ? `derived_id('job', ${copyOf('notification_id')}, '${one?.step}')` : copyOf('id'),
      event_id: copyOf('event_id'),
      notification_id: copyOf('notification_id'),
      status: "'delayed'",
      run_at: "now() + interval '300 days'",
    }
    const values = columns.map((column) => changed[column] ?? `o.${column}`).join(', ')
    const [key, id] = keys[table]
    const source = sql`select * from ${sql.table(table)} where environment_id = ${environmentId} and ${sql.ref(key)} = ${id}`
    for (let from = 1; from <= count; from += 20_000) {
      const to = Math.min(count, from + 19_999)
      await sql`insert into ${sql.table(table)} (${sql.raw(columns.join(', '))})
        select ${sql.raw(values)} from (${source}) o, generate_series(${from}::bigint, ${to}::bigint) n`.execute(db)
    }
  }
}

/** An id of the n-th millisecond after this one's. */
const copyOf = (column: string) =>
  `(regexp_replace(lpad(to_hex(('x' || replace(left(o.${column}::text, 13), '-', ''))::bit(48)::bigint + n), 12, '0'),
    '(.{8})(.{4})', '\\1-\\2-7000-8000-') || lpad(to_hex(n), 12, '0'))::uuid`

async function columnsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
    db,
  )
  return rows.map((row) => row.name)
}
