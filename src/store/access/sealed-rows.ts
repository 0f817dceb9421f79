import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** One batch of rows that an older key sealed, locked until the transaction ends. */
type Batch = { db: Db; currentKeyId: string; limit: number }

// Compared as text, not as a LIKE pattern: a key id may hold "_", which would match any character of another id.
const sealedBy = (keyId: string) => `sealed.${keyId}.`

export type SealedChannel = { environmentId: string; subscriberId: string; integrationId: string; credentials: string }

export async function lockStaleChannels({ db, currentKeyId, limit }: Batch): Promise<SealedChannel[]> {
  const { rows } = await sql<SealedChannel>`
    select environment_id as "environmentId", subscriber_id as "subscriberId", integration_id as "integrationId", credentials
    from subscriber_channel where not starts_with(credentials, ${sealedBy(currentKeyId)})
    order by environment_id, subscriber_id, integration_id limit ${limit} for update`.execute(db)
  return rows
}

export async function updateChannels(db: Db, rows: readonly SealedChannel[]): Promise<void> {
  await sql`
    update subscriber_channel c set credentials = sealed.credentials
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as sealed ("environmentId" uuid, "subscriberId" uuid, "integrationId" uuid, credentials text)
    where c.environment_id = sealed."environmentId" and c.subscriber_id = sealed."subscriberId"
      and c.integration_id = sealed."integrationId"`.execute(db)
}

/** A column of sealed texts, in a table whose rows are found by an owner and an id. */
export type SealedColumn = {
  table: string
  column: string
  /** The column `id` stands for rows without an owner. */
  owner: 'environment_id' | 'organization_id' | 'id'
}
export type SealedText = { owner: string; id: string; sealed: string }

export async function lockStaleTexts(
  { db, currentKeyId, limit }: Batch,
  { table, column, owner }: SealedColumn,
): Promise<SealedText[]> {
  const { rows } = await sql<SealedText>`
    select ${sql.ref(owner)} as owner, id, ${sql.ref(column)} as sealed
    from ${sql.table(table)} where not starts_with(${sql.ref(column)}, ${sealedBy(currentKeyId)})
    order by ${sql.ref(owner)}, id limit ${limit} for update`.execute(db)
  return rows
}

export async function updateTexts(
  db: Db,
  { table, column, owner }: SealedColumn,
  rows: readonly SealedText[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = fresh.sealed
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as fresh (owner uuid, id uuid, sealed text)
    where t.${sql.ref(owner)} = fresh.owner and t.id = fresh.id`.execute(db)
}

export type SealedReply = { environmentId: string; claim: Buffer; reply: string }

export async function lockStaleReplies({ db, currentKeyId, limit }: Batch): Promise<SealedReply[]> {
  const { rows } = await sql<SealedReply>`
    select environment_id as "environmentId", claim, reply
    from idempotency where not starts_with(reply, ${sealedBy(currentKeyId)})
    order by environment_id, claim limit ${limit} for update`.execute(db)
  return rows
}

export async function updateReplies(db: Db, rows: readonly SealedReply[]): Promise<void> {
  await sql`
    update idempotency i set reply = sealed.reply
    from unnest(${rows.map((row) => row.environmentId)}::uuid[], ${rows.map((row) => row.claim)}::bytea[],
      ${rows.map((row) => row.reply)}::text[]) as sealed (environment_id, claim, reply)
    where i.environment_id = sealed.environment_id and i.claim = sealed.claim`.execute(db)
}

export type SealedIntegration = {
  environmentId: string
  id: string
  credentials: Record<string, string>
  configurations: Record<string, string>
}

export async function lockStaleIntegrations({ db, currentKeyId, limit }: Batch): Promise<SealedIntegration[]> {
  const stale = sql`exists (
    select 1 from (select value from jsonb_each_text(credentials) union all select value from jsonb_each_text(configurations)) field
    where not starts_with(field.value, ${sealedBy(currentKeyId)}))`
  const { rows } = await sql<SealedIntegration>`
    select environment_id as "environmentId", id, credentials, configurations
    from integration where ${stale} order by environment_id, id limit ${limit} for update`.execute(db)
  return rows
}

export async function updateIntegrations(db: Db, rows: readonly SealedIntegration[]): Promise<void> {
  await sql`
    update integration i set credentials = sealed.credentials, configurations = sealed.configurations
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as sealed ("environmentId" uuid, id uuid, credentials jsonb, configurations jsonb)
    where i.environment_id = sealed."environmentId" and i.id = sealed.id`.execute(db)
}
