import type { Ctx } from '../context.ts'
import { createApiKey, type NewKey } from '../core/operations/change-api-keys.ts'
import { noteChange } from '../core/record/note-change.ts'
import { ApiError } from '../errors.ts'
import { isUuid7, uuid7Time } from '../lib/uuid7.ts'
import { findApiKey, listApiKeys, revokeApiKey } from '../store/access/api-keys.ts'
import { type EnvironmentRow, listEnvironments } from '../store/access/environments.ts'
import type { Scope } from '../store/access/grants.ts'
import { asCommand } from './as-command.ts'
import type { Host } from './host.ts'
import { withContext } from './prepare.ts'

const createWords = 'keys create'

export type KeyOptions = { organization?: true; scope: Scope; days?: number; note?: string }

export async function createKey(
  host: Host,
  named: string | undefined,
  name: string,
  { organization, scope, days = 0, note }: KeyOptions,
): Promise<void> {
  await withContext(host, async (ctx) => {
    const now = ctx.clock()
    const key: NewKey = {
      name,
      scope,
      reach: organization ? 'organization' : 'environment',
      expiresAt: days === 0 ? undefined : new Date(now.getTime() + days * dayMs),
      note,
    }
    const environment = await getEnvironment(ctx, named)
    const made = await asCommand(ctx, environment, createWords, (db, env) =>
      createApiKey({ ctx, db, env, now }, key),
    ).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'too_many_api_keys') throw error
      throw new Error(`${error.message} npm start -- keys list ${environment.slug} shows them.`)
    })
    host.print(`API key of "${environment.name}", shown this once:\n\n  ${made.text}\n`)
  })
}

const dayMs = 24 * 3_600_000

export async function listKeys(host: Host, named: string | undefined): Promise<void> {
  await withContext(host, async (ctx) => {
    const environment = named === undefined ? undefined : await getEnvironment(ctx, named)
    for (const key of await listApiKeys(ctx.database.db, environment?.id)) {
      const state = key.revoked_at ? `revoked ${key.revoked_at.toISOString()}` : 'live'
      const marks = [
        ...(key.scope === 'everything' ? [] : [`may ${key.scope}`]),
        ...(key.reach === 'organization' ? ['reaches the organization'] : []),
        ...(key.expires_at ? [`until ${key.expires_at.toISOString()}`] : []),
      ]
      host.print(
        `${key.id}  environment ${key.environment_id}  created ${uuid7Time(key.id).toISOString()}  ${state}  ${key.name}${marks.length > 0 ? `  (${marks.join(', ')})` : ''}`,
      )
    }
  })
}

export async function revokeKey(host: Host, keyId: string): Promise<void> {
  await withContext(host, async (ctx) => {
    const found = isUuid7(keyId) ? await findApiKey(ctx.database.db, keyId) : null
    const place = found && { id: found.environmentId, organizationId: found.organizationId }
    const isDone =
      place &&
      (await asCommand(ctx, place, 'keys revoke', async (db) => {
        noteChange(db, { type: 'api-key', id: keyId, name: found.name }, { before: { scope: found.scope } })
        return revokeApiKey(db, keyId, ctx.clock())
      }))
    if (!isDone) throw new Error(`There is no live key "${keyId}"; npm start -- keys list shows the ids.`)
    host.print('Revoked. Every node refuses this key within 5 seconds.')
  })
}

/** Finds an environment by its id or slug. Without either, returns the oldest one. */
async function getEnvironment(ctx: Ctx, named: string | undefined): Promise<EnvironmentRow> {
  const environments = await listEnvironments(ctx.database.db)
  const [found, ...others] =
    named === undefined ? environments.slice(0, 1) : environments.filter((it) => it.id === named || it.slug === named)
  if (!found) throw new Error(`There is no environment "${named}"; npm start -- environments list shows them.`)
  if (others.length > 0) throw new Error(`Several organizations have an environment "${named}"; give its id instead.`)
  return found
}
