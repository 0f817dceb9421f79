import { sql } from 'kysely'
import type { Attachment } from '../../lib/outbound.ts'
import type { Db, Env } from '../database.ts'

export async function insertAttachments(
  db: Db,
  env: Env,
  files: readonly (Attachment & { eventId: string; position: number })[],
): Promise<void> {
  if (files.length === 0) return
  await sql`
    insert into event_attachment (environment_id, event_id, position, name, mime, content)
    select ${env.environmentId}, given.* from unnest(${files.map((file) => file.eventId)}::uuid[],
      ${files.map((file) => file.position)}::smallint[], ${files.map((file) => file.name)}::text[],
      ${files.map((file) => file.mime)}::text[], ${files.map((file) => Buffer.from(file.content))}::bytea[]) as given`.execute(
    db,
  )
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
