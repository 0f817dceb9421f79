import { createSealer } from '../../src/lib/seal.ts'
import { secretPlaces } from '../../src/lib/secret-places.ts'
import { uuid7 } from '../../src/lib/uuid7.ts'
import type { Tenant } from './http.ts'
import type { World } from './world.ts'

export type Planted = {
  identifier: string
  providerId: string
  channel: 'email' | 'sms' | 'chat'
  credentials: Record<string, unknown>
}

/** `k1:base64`, as the nodes get it in ENCRYPTION_KEYS. */
export function sealerOf(encryptionKey: string) {
  const [id = '', base64 = ''] = encryptionKey.split(':')
  return createSealer([{ id, bytes: Buffer.from(base64, 'base64') }])
}

/** Past the API and all that it checks: as if somebody had written into the database, or the rules had been others. */
export async function plantIntegrations(
  world: World,
  { environmentId }: Tenant,
  encryptionKey: string,
  integrations: readonly Planted[],
): Promise<string[]> {
  const sealer = sealerOf(encryptionKey)
  const ids: string[] = []
  for (const { identifier, providerId, channel, credentials } of integrations) {
    const id = uuid7(new Date())
    const sealed = Object.entries(credentials).map(([name, value]) => [
      name,
      sealer.seal(secretPlaces.integrationField({ environmentId, id }, 'credentials', name), JSON.stringify(value)),
    ])
    await world.sql(
      `insert into integration (environment_id, id, provider_id, channel, name, identifier, credentials, active)
       values ($1, $2, $3, $4, $5, $5, $6, true)`,
      [environmentId, id, providerId, channel, identifier, JSON.stringify(Object.fromEntries(sealed))],
    )
    ids.push(id)
  }
  return ids
}

/** The same for where a person is reached. */
export async function plantWebhook(
  world: World,
  { environmentId }: Tenant,
  encryptionKey: string,
  { subscriberId, integrationId, webhookUrl }: { subscriberId: string; integrationId: string; webhookUrl: string },
): Promise<void> {
  const place = secretPlaces.channel({ environmentId, subscriberId, integrationId })
  await world.sql(
    `insert into subscriber_channel (environment_id, subscriber_id, integration_id, credentials) values ($1, $2, $3, $4)`,
    [environmentId, subscriberId, integrationId, sealerOf(encryptionKey).seal(place, JSON.stringify({ webhookUrl }))],
  )
}
