import { sql } from 'kysely'
import type { Attachment } from '../../lib/outbound.ts'
import type { Db, Env } from '../database.ts'

export async function insertAttachments(
  db: Db,
  env: Env,
  files: readonly (Attachment & { eventId: string; position: number })[],
): Promise<void> {
  if (files.length === 0) return
  // Not by `unnest`: as a part of an array a file would be sent as text, twice as long.
  const rows = files.map(({ eventId, position, name, mime, content }) => {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    return sql`(${env.environmentId}, ${eventId}, ${position}, ${name}, ${mime}, ${bytes})`
  })
  await sql`
    insert into event_attachment (environment_id, event_id, position, name, mime, content)
    values ${sql.join(rows)}`.execute(db)
}

/** How many bytes of files each event has; those without any are left out. */
export async function sumAttachments(db: Db, env: Env, eventIds: readonly string[]): Promise<Map<string, number>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await sql<{ eventId: string; bytes: number }>`
    select a.event_id as "eventId", sum(octet_length(a.content))::int as bytes from unnest(${eventIds}::uuid[]) as wanted (id)
    join event_attachment a on a.environment_id = ${env.environmentId} and a.event_id = wanted.id
    group by a.event_id`.execute(db)
  return new Map(rows.map((row) => [row.eventId, row.bytes]))
}

/** By event, in the order they were given. */
export async function listAttachments(
  db: Db,
  env: Env,
  eventIds: readonly string[],
): Promise<Map<string, Attachment[]>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await sql<Attachment & { eventId: string }>`
    select a.event_id as "eventId", a.name, a.mime, a.content from unnest(${eventIds}::uuid[]) as wanted (id)
    join event_attachment a on a.environment_id = ${env.environmentId} and a.event_id = wanted.id
    order by a.event_id, a.position`.execute(db)
  return Map.groupBy(rows, (row) => row.eventId)
}
