import { sql } from 'kysely'
import { newApiKey } from '../../lib/api-key.ts'
import { type Sealer, sha256 } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { findBootstrapKey, insertApiKey, type Reach, revokeBootstrapKeys } from '../../store/access/api-keys.ts'
import { isOpen } from '../../store/access/environment-states.ts'
import { insertEnvironment, insertOrganization, listEnvironments } from '../../store/access/environments.ts'
import type { Scope } from '../../store/access/grants.ts'
import { type Db, type Env, inTransaction } from '../../store/database.ts'
import { insertIntegration } from '../../store/integrations.ts'
import { ensureHelloWorkflows } from '../workflows/hello-workflow.ts'

type Settings = { cell: string; bootstrapApiKey: string | undefined; production: boolean; sealer?: Sealer }

// Nodes that start together must not make two first environments.
const bootstrapLock = 7_264_004

/**
 * The first start makes an organization, environments and, in development, a key. Returns the text of the key, which is
 * known only now.
 */
export async function bootstrap(db: Db, settings: Settings, now: Date): Promise<{ newKey: string | null }> {
  return inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(bootstrapLock)})`.execute(trx)
    const [first] = await listEnvironments(trx)
    const environmentId = first?.id ?? (await makeFirstEnvironments(trx, settings, now))
    if (settings.bootstrapApiKey !== undefined) {
      // In another cell it keeps the keys that it has.
      if (await isOpen(trx, environmentId))
        await setBootstrapKey(trx, environmentId, { ...settings, text: settings.bootstrapApiKey }, now)
      return { newKey: null }
    }
    // In production it would be printed into a log that others collect and read. `keys create` makes one on request.
    if (first || settings.production) return { newKey: null }
    // Whoever starts the service owns it: the key opens Production, too.
    const key = { ...settings, environmentId, name: 'first key', reach: 'organization', now } as const
    return { newKey: await issueApiKey(trx, key) }
  })
}

type NewKey = {
  environmentId: string
  name: string
  cell: string
  now: Date
  sealer?: Sealer
  reach?: Reach
  scope?: Scope
}

/** Without a sealer its text is kept when it is used first. */
export async function issueApiKey(db: Db, options: NewKey): Promise<string> {
  const { environmentId, name, sealer, reach = 'environment', scope = 'everything' } = options
  const { id, text } = newApiKey(options.cell, options.now)
  const sealedText = sealer?.seal(secretPlaces.apiKeyText({ environmentId, id }), text) ?? null
  await insertApiKey(db, { environmentId, id, name, secretHash: sha256(text), sealedText, reach, scope })
  return text
}

/** Two: where things are made, and where they are published to. The second is empty and has no key. */
async function makeFirstEnvironments(db: Db, { production }: Settings, now: Date): Promise<string> {
  const organizationId = await insertOrganization(db, 'My organization', now)
  const looks = { slug: 'development', color: '#2563eb', type: 'dev' } as const
  const environmentId = await insertEnvironment(db, organizationId, 'Development', now, looks)
  const published = { slug: 'production', color: '#d97706', type: 'prod', parentId: environmentId } as const
  await insertEnvironment(db, organizationId, 'Production', now, published)
  // There is no key yet, so the environment counts as the workflow's creator.
  const env = { environmentId, organizationId, keyId: environmentId }
  await ensureHelloWorkflows(db, env, now)
  if (!production) await addDevelopmentMailbox(db, env, now)
  return environmentId
}

/** So that a first e-mail and SMS can be seen without an account at a provider. */
async function addDevelopmentMailbox(db: Db, env: Env, now: Date): Promise<void> {
  const integrations = [
    { provider_id: 'platform-email', channel: 'email', name: 'Development mailbox (e-mail)' },
    { provider_id: 'platform-sms', channel: 'sms', name: 'Development mailbox (SMS)' },
  ]
  for (const it of integrations) {
    await insertIntegration(db, env, {
      ...it,
      id: uuid7(now),
      identifier: it.provider_id,
      active: true,
      is_primary: true,
    })
  }
}

/** A revoked key stays revoked, whatever the setting says. */
async function setBootstrapKey(
  db: Db,
  environmentId: string,
  { text, sealer }: { text: string; sealer?: Sealer },
  now: Date,
): Promise<void> {
  const secretHash = sha256(text)
  if (await findBootstrapKey(db, environmentId, secretHash)) return
  await revokeBootstrapKeys(db, environmentId, now)
  const id = uuid7(now)
  const sealedText = sealer?.seal(secretPlaces.apiKeyText({ environmentId, id }), text) ?? null
  await insertApiKey(db, {
    environmentId,
    id,
    name: 'BOOTSTRAP_API_KEY',
    secretHash,
    sealedText,
    bootstrap: true,
    reach: 'organization',
  })
}
