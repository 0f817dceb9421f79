import type { Sealer } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { retireOtherEncryptionKeys } from '../../store/access/encryption-keys.ts'
import {
  lockStaleChannels,
  lockStaleConnections,
  lockStaleEndpoints,
  lockStaleIntegrations,
  lockStaleKeys,
  lockStaleReplies,
  lockStaleSigningSecrets,
  lockStaleVariables,
  lockStaleWebhooks,
  updateChannels,
  updateConnections,
  updateEndpoints,
  updateIntegrations,
  updateKeys,
  updateReplies,
  updateSigningSecrets,
  updateVariables,
  updateWebhooks,
} from '../../store/access/sealed-rows.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { isMoving } from '../../store/history/retention.ts'

const batchSize = 500

type Pass = { table: string; run(trx: Db): Promise<number> }

/**
 * Seals everything with the newest key, batch by batch, while requests run. Each batch locks its rows, so that no write
 * of a request is lost. Then marks the older keys as no longer needed.
 */
export async function resealSecrets(
  db: Db,
  sealer: Sealer,
  options: { now: Date; progress: (table: string, done: number) => void },
): Promise<{ retired: string[] }> {
  for (const pass of passes(sealer)) {
    let done = 0
    for (let count = -1; count !== 0; done += count) {
      count = await inTransaction(db, async (trx) => {
        // What is copied now would keep its old seal, and the key to it is about to go.
        if (await isMoving(trx)) throw new Error('An environment is being moved; seal anew when that is done.')
        return pass.run(trx)
      })
      options.progress(pass.table, done + count)
    }
  }
  return { retired: await retireOtherEncryptionKeys(db, sealer.currentKeyId, options.now) }
}

function passes(sealer: Sealer): Pass[] {
  const reseal = (place: string[], text: string) => sealer.seal(place, sealer.open(place, text))
  const batch = (db: Db) => ({ db, currentKeyId: sealer.currentKeyId, limit: batchSize })
  return [
    {
      table: 'integration',
      async run(db) {
        const rows = await lockStaleIntegrations(batch(db))
        const fields = (row: (typeof rows)[number], column: 'credentials' | 'configurations') =>
          Object.fromEntries(
            Object.entries(row[column]).map(([field, text]) => [
              field,
              reseal(secretPlaces.integrationField(row, column, field), text),
            ]),
          )
        await updateIntegrations(
          db,
          rows.map((row) => ({
            ...row,
            credentials: fields(row, 'credentials'),
            configurations: fields(row, 'configurations'),
          })),
        )
        return rows.length
      },
    },
    {
      table: 'subscriber_channel',
      async run(db) {
        const rows = await lockStaleChannels(batch(db))
        await updateChannels(
          db,
          rows.map((row) => ({ ...row, credentials: reseal(secretPlaces.channel(row), row.credentials) })),
        )
        return rows.length
      },
    },
    {
      table: 'channel_connection',
      async run(db) {
        const rows = await lockStaleConnections(batch(db))
        await updateConnections(
          db,
          rows.map((row) => ({ ...row, sealed: reseal(secretPlaces.connection(row), row.sealed) })),
        )
        return rows.length
      },
    },
    {
      table: 'channel_endpoint',
      async run(db) {
        const rows = await lockStaleEndpoints(batch(db))
        await updateEndpoints(
          db,
          rows.map((row) => ({ ...row, sealed: reseal(secretPlaces.endpoint(row), row.sealed) })),
        )
        return rows.length
      },
    },
    {
      table: 'webhook_endpoint',
      async run(db) {
        const rows = await lockStaleWebhooks(batch(db))
        await updateWebhooks(
          db,
          rows.map((row) => ({ ...row, sealed: reseal(secretPlaces.webhookEndpoint(row), row.sealed) })),
        )
        return rows.length
      },
    },
    {
      table: 'environment_variable',
      async run(db) {
        const rows = await lockStaleVariables(batch(db))
        await updateVariables(
          db,
          rows.map((row) => ({ ...row, sealed: reseal(secretPlaces.variable(row), row.sealed) })),
        )
        return rows.length
      },
    },
    {
      table: 'api_key',
      async run(db) {
        const rows = await lockStaleKeys(batch(db))
        await updateKeys(
          db,
          rows.map((row) => ({ ...row, sealedText: reseal(secretPlaces.apiKeyText(row), row.sealedText) })),
        )
        return rows.length
      },
    },
    {
      table: 'environment',
      async run(db) {
        const rows = await lockStaleSigningSecrets(batch(db))
        await updateSigningSecrets(
          db,
          rows.map((row) => ({ ...row, signingSecret: reseal(secretPlaces.signingSecret(row), row.signingSecret) })),
        )
        return rows.length
      },
    },
    {
      table: 'idempotency',
      async run(db) {
        const rows = await lockStaleReplies(batch(db))
        await updateReplies(
          db,
          rows.map((row) => ({ ...row, reply: reseal(secretPlaces.storedReply(row), row.reply) })),
        )
        return rows.length
      },
    },
  ]
}
