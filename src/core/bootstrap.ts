import { sql } from 'kysely'
import { newApiKey } from '../lib/api-key.ts'
import { sha256 } from '../lib/seal.ts'
import { uuid7 } from '../lib/uuid7.ts'
import { findBootstrapKey, insertApiKey, revokeBootstrapKeys } from '../store/api-keys.ts'
import { type Db, inTransaction } from '../store/database.ts'
import { insertEnvironment, insertOrganization, listEnvironments } from '../store/environments.ts'
import { ensureHelloWorkflow } from './hello-workflow.ts'

type Settings = { cell: string; bootstrapApiKey: string | undefined }

// Nodes that start together must not make two first environments.
const bootstrapLock = 7_264_002

/** The first start makes organization, environment and key. Returns the key's text the one time it is known. */
export async function bootstrap(db: Db, settings: Settings, now: Date): Promise<{ newKey: string | null }> {
  return inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(bootstrapLock)})`.execute(trx)
    const [first] = await listEnvironments(trx)
    const environmentId = first?.id ?? (await makeFirstEnvironment(trx, now))
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

async function makeFirstEnvironment(db: Db, now: Date): Promise<string> {
  const organizationId = await insertOrganization(db, 'My organization', now)
  const environmentId = await insertEnvironment(db, organizationId, 'Development', now)
  // Before there is a key: the workflow says it is the environment's own.
  await ensureHelloWorkflow(db, { environmentId, organizationId, keyId: environmentId }, now)
  return environmentId
}

/** A key that was revoked stays revoked, whatever the setting says. */
async function setBootstrapKey(db: Db, environmentId: string, key: string, now: Date): Promise<void> {
  const secretHash = sha256(key)
  if (await findBootstrapKey(db, environmentId, secretHash)) return
  await revokeBootstrapKeys(db, environmentId, now)
  await insertApiKey(db, { environmentId, id: uuid7(now), name: 'BOOTSTRAP_API_KEY', secretHash, bootstrap: true })
}
