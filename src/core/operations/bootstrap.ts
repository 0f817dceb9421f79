import { sql } from 'kysely'
import { newApiKey } from '../../lib/api-key.ts'
import { sha256 } from '../../lib/seal.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { findBootstrapKey, insertApiKey, revokeBootstrapKeys } from '../../store/access/api-keys.ts'
import { insertEnvironment, insertOrganization, listEnvironments } from '../../store/access/environments.ts'
import { type Db, type Env, inTransaction } from '../../store/database.ts'
import { insertIntegration } from '../../store/integrations.ts'
import { ensureHelloWorkflows } from '../workflows/hello-workflow.ts'

type Settings = { cell: string; bootstrapApiKey: string | undefined; production: boolean }

// Nodes that start together must not make two first environments.
const bootstrapLock = 7_264_002

/** The first start makes organization, environment and key. Returns the key's text, which is known only now. */
export async function bootstrap(db: Db, settings: Settings, now: Date): Promise<{ newKey: string | null }> {
  return inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(bootstrapLock)})`.execute(trx)
    const [first] = await listEnvironments(trx)
    const environmentId = first?.id ?? (await makeFirstEnvironment(trx, settings, now))
    if (settings.bootstrapApiKey !== undefined) {
      await setBootstrapKey(trx, environmentId, settings.bootstrapApiKey, now)
      return { newKey: null }
    }
    return {
      newKey: first ? null : await issueApiKey(trx, { environmentId, name: 'first key', cell: settings.cell, now }),
    }
  })
}

export async function issueApiKey(
  db: Db,
  options: { environmentId: string; name: string; cell: string; now: Date },
): Promise<string> {
  const { id, text } = newApiKey(options.cell, options.now)
  await insertApiKey(db, { environmentId: options.environmentId, id, name: options.name, secretHash: sha256(text) })
  return text
}

async function makeFirstEnvironment(db: Db, { production }: Settings, now: Date): Promise<string> {
  const organizationId = await insertOrganization(db, 'My organization', now)
  const environmentId = await insertEnvironment(db, organizationId, 'Development', now)
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
async function setBootstrapKey(db: Db, environmentId: string, key: string, now: Date): Promise<void> {
  const secretHash = sha256(key)
  if (await findBootstrapKey(db, environmentId, secretHash)) return
  await revokeBootstrapKeys(db, environmentId, now)
  await insertApiKey(db, { environmentId, id: uuid7(now), name: 'BOOTSTRAP_API_KEY', secretHash, bootstrap: true })
}
