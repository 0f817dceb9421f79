import { type Selectable, sql } from 'kysely'
import type { Db, Env } from './database.ts'
import { pageOffset } from './page-offset.ts'
import type { Tables } from './schema.ts'

export type SuppressionRow = Selectable<Tables['suppression']>
export type SuppressionReason = 'bounced' | 'complained' | 'unsubscribed'

/** Addresses are compared without regard to case. */
export function normalAddress(address: string): string {
  return address.trim().toLowerCase()
}

/** `channel:address` → reason, for the suppressed ones. The addresses are in lower case. */
export async function findSuppressions(db: Db, env: Env, addresses: readonly string[]): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map()
  const wanted = addresses.map((address) => normalAddress(address))
  const { rows } = await sql<SuppressionRow>`
    select s.* from unnest(${wanted}::text[]) as wanted (address)
    cross join unnest(array['email', 'sms']) as on_channel (channel)
    join suppression s on s.environment_id = ${env.environmentId} and s.channel = on_channel.channel
      and s.address = wanted.address`.execute(db)
  return new Map(rows.map((row) => [`${row.channel}:${row.address}`, row.reason]))
}

/** The first reason stays: a complaint after a bounce changes nothing. */
export async function addSuppressions(
  db: Db,
  env: Env,
  entries: readonly { channel: string; address: string; reason: SuppressionReason; messageId: string | null }[],
  now: Date,
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({ ...entry, address: normalAddress(entry.address) }))
  await sql`
    insert into suppression (environment_id, channel, address, reason, message_id, created_at)
    select ${env.environmentId}, e.channel, e.address, e.reason, e."messageId", ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (channel text, address text, reason text, "messageId" uuid)
    order by e.channel, e.address
    on conflict do nothing`.execute(db)
}

export async function listSuppressions(
  db: Db,
  env: Env,
  filter: { channel?: string; address?: string },
  { page, limit }: { page: number; limit: number },
): Promise<SuppressionRow[]> {
  const { rows } = await sql<SuppressionRow>`
    select * from suppression where environment_id = ${env.environmentId}
      ${filter.channel === undefined ? sql`` : sql`and channel = ${filter.channel}`}
      ${filter.address === undefined ? sql`` : sql`and address = ${normalAddress(filter.address)}`}
    order by channel, address offset ${pageOffset(page, limit)} limit ${limit + 1}`.execute(db)
  return rows
}

export async function findSuppression(
  db: Db,
  env: Env,
  channel: string,
  address: string,
): Promise<SuppressionRow | null> {
  const [row] = await listSuppressions(db, env, { channel, address }, { page: 0, limit: 1 })
  return row ?? null
}

export async function removeSuppression(db: Db, env: Env, channel: string, address: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from suppression where environment_id = ${env.environmentId} and channel = ${channel}
      and address = ${normalAddress(address)}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
