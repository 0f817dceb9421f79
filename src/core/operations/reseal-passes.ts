import type { Sealer } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import {
  lockStaleChannels,
  lockStaleIntegrations,
  lockStaleReplies,
  lockStaleTexts,
  type SealedColumn,
  type SealedIntegration,
  updateChannels,
  updateIntegrations,
  updateReplies,
  updateTexts,
} from '../../store/access/sealed-rows.ts'
import type { Db } from '../../store/database.ts'

/** One table of sealed texts. `run` reseals a batch, whose rows it locks so that no write of a request is lost. */
export type ResealPass = { table: string; run(trx: Db): Promise<number> }

type Column = SealedColumn & { place: (row: { owner: string; id: string }) => string[] }

const ofEnvironment = ({ owner, id }: { owner: string; id: string }) => ({ environmentId: owner, id })
const ofOrganization = ({ owner, id }: { owner: string; id: string }) => ({ organizationId: owner, id })

const columns: Column[] = [
  {
    table: 'channel_connection',
    column: 'auth',
    owner: 'environment_id',
    place: (row) => secretPlaces.connection(ofEnvironment(row)),
  },
  {
    table: 'channel_endpoint',
    column: 'endpoint',
    owner: 'environment_id',
    place: (row) => secretPlaces.endpoint(ofEnvironment(row)),
  },
  {
    table: 'webhook_endpoint',
    column: 'secrets',
    owner: 'environment_id',
    place: (row) => secretPlaces.webhookEndpoint(ofEnvironment(row)),
  },
  {
    table: 'environment_variable',
    column: 'value',
    owner: 'environment_id',
    place: (row) => secretPlaces.variable(ofEnvironment(row)),
  },
  {
    table: 'api_key',
    column: 'sealed_text',
    owner: 'environment_id',
    place: (row) => secretPlaces.apiKeyText(ofEnvironment(row)),
  },
  {
    table: 'environment',
    column: 'signing_secret',
    owner: 'id',
    place: ({ id }) => secretPlaces.signingSecret({ environmentId: id }),
  },
  {
    table: 'person',
    column: 'totp_secret',
    owner: 'id',
    place: ({ id }) => secretPlaces.totpSecret({ personId: id }),
  },
  {
    table: 'own_mail',
    column: 'link',
    owner: 'organization_id',
    place: (row) => secretPlaces.ownMail(ofOrganization(row)),
  },
  {
    table: 'sign_in_connection',
    column: 'client_secret',
    owner: 'organization_id',
    place: (row) => secretPlaces.signInSecret(ofOrganization(row)),
  },
  {
    table: 'sign_in_flow',
    column: 'verifier',
    owner: 'organization_id',
    place: (row) => secretPlaces.signInVerifier(ofOrganization(row)),
  },
]

const batchSize = 500

type Reseal = (place: string[], text: string) => string

/** Returns a pass for every place that holds sealed texts. The check texts in `encryption_key` are not resealed: each proves the bytes of its own key. */
export function resealPasses(sealer: Sealer, keyId: string): ResealPass[] {
  const reseal: Reseal = (place, text) => sealer.sealWith(keyId, place, sealer.open(place, text))
  const batch = (db: Db) => ({ db, currentKeyId: keyId, limit: batchSize })
  return [
    {
      table: 'integration',
      async run(db) {
        const rows = await lockStaleIntegrations(batch(db))
        await updateIntegrations(
          db,
          rows.map((row) => resealIntegration(reseal, row)),
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
    ...columns.map((column) => ({
      table: column.table,
      async run(db: Db) {
        const rows = await lockStaleTexts(batch(db), column)
        await updateTexts(
          db,
          column,
          rows.map((row) => ({ ...row, sealed: reseal(column.place(row), row.sealed) })),
        )
        return rows.length
      },
    })),
  ]
}

function resealIntegration(reseal: Reseal, row: SealedIntegration): SealedIntegration {
  const fields = (column: 'credentials' | 'configurations') =>
    Object.fromEntries(
      Object.entries(row[column]).map(([field, text]) => [
        field,
        reseal(secretPlaces.integrationField(row, column, field), text),
      ]),
    )
  return { ...row, credentials: fields('credentials'), configurations: fields('configurations') }
}
