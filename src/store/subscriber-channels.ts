import { sql } from 'kysely'
import type { Db, Env } from './database.ts'

export type ChannelRow = {
  subscriberId: string
  integrationId: string
  integrationIdentifier: string
  providerId: string
  /** Sealed JSON. */
  credentials: string
  /** A digest of the chat address that the vendor called gone. */
  gone: string | null
}

/** Channels of deleted integrations are left out. */
export async function listChannels(db: Db, env: Env, subscriberIds: readonly string[]): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`
    select c.subscriber_id as "subscriberId", c.integration_id as "integrationId",
      i.identifier as "integrationIdentifier", i.provider_id as "providerId", c.credentials, c.gone
    from unnest(${subscriberIds}::uuid[]) as wanted (id)
    join subscriber_channel c on c.environment_id = ${env.environmentId} and c.subscriber_id = wanted.id
    join integration i on i.environment_id = c.environment_id and i.id = c.integration_id and i.deleted_at is null
    order by c.integration_id`.execute(db)
  return rows
}

/** The caller holds the subscriber's row lock, so that nobody else changes these channels. */
export async function putChannel(
  db: Db,
  env: Env,
  key: { subscriberId: string; integrationId: string },
  credentials: string,
): Promise<void> {
  await sql`
    insert into subscriber_channel (environment_id, subscriber_id, integration_id, credentials)
    values (${env.environmentId}, ${key.subscriberId}, ${key.integrationId}, ${credentials})
    on conflict (environment_id, subscriber_id, integration_id) do update set credentials = excluded.credentials, gone = null`.execute(
    db,
  )
}

/** Deletes all channels of one provider; false when there were none. */
export async function deleteChannels(db: Db, env: Env, subscriberId: string, providerId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from subscriber_channel c using integration i
    where c.environment_id = ${env.environmentId} and c.subscriber_id = ${subscriberId}
      and i.environment_id = c.environment_id and i.id = c.integration_id and i.provider_id = ${providerId}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Those of chats whose vendor says that they no longer exist. */
export async function markGone(
  db: Db,
  env: Env,
  gone: readonly { subscriberId: string; integrationId: string; target: string }[],
): Promise<void> {
  if (gone.length === 0) return
  await sql`
    update subscriber_channel c set gone = g.target
    from jsonb_to_recordset(${JSON.stringify(gone)}::jsonb) as g ("subscriberId" uuid, "integrationId" uuid, target text)
    where c.environment_id = ${env.environmentId} and c.subscriber_id = g."subscriberId"
      and c.integration_id = g."integrationId"`.execute(db)
}
