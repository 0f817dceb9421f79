import { sql } from 'kysely'
import type { Db, Env } from './database.ts'

export type ChannelRow = {
  subscriberId: string
  integrationId: string
  integrationIdentifier: string
  providerId: string
  /** Sealed JSON. */
  credentials: string
}

/** Channels of deleted integrations are left out. */
export async function listChannels(db: Db, env: Env, subscriberIds: readonly string[]): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`
    select c.subscriber_id as "subscriberId", c.integration_id as "integrationId",
      i.identifier as "integrationIdentifier", i.provider_id as "providerId", c.credentials
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
    on conflict (environment_id, subscriber_id, integration_id) do update set credentials = excluded.credentials`.execute(
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
