import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import { createApiKey, type NewKey } from '../core/operations/change-api-keys.ts'
import { noteChange } from '../core/record/note-change.ts'
import { ApiError } from '../errors.ts'
import { isUuid7, uuid7Time } from '../lib/uuid7.ts'
import { findApiKey, listApiKeys, revokeApiKey } from '../store/access/api-keys.ts'
import { type EnvironmentRow, listEnvironments } from '../store/access/environments.ts'
import { scopes } from '../store/access/grants.ts'
import { asCommand } from './as-command.ts'
import { prepare, type Say, sayNewKey } from './prepare.ts'

/** `keys create [environment] [name] [--organization] [--scope …] [--days n] [--note …]`, `keys list [environment]`, `keys revoke <key id>` */
export async function keysCommand(config: Config, [verb = '', ...args]: string[], say: Say): Promise<void> {
  const actions = { create: createKey, list: listKeys, revoke: revokeKey }
  if (!Object.hasOwn(actions, verb))
    throw new Error(
      'Say: keys create [environment] [name] [--organization] [--scope trigger] [--days 90] [--note words] | keys list | keys revoke <key id>',
    )
  const prepared = await prepare(config, () => {})
  const { ctx, close } = prepared
  try {
    sayNewKey(prepared, say)
    await actions[verb as keyof typeof actions](ctx, args, say)
  } finally {
    await close()
  }
}

const createWords = 'keys create'

async function createKey(ctx: Ctx, args: string[], say: Say): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      organization: { type: 'boolean' },
      scope: { type: 'string' },
      days: { type: 'string' },
      note: { type: 'string' },
    },
    allowPositionals: true,
  })
  const [named, name = 'made by hand'] = positionals
  const scope = scopes.find((it) => it === (values.scope ?? 'everything'))
  if (!scope) throw new Error(`--scope is one of ${scopes.join(', ')}.`)
  const days = Number(values.days ?? 0)
  if (!Number.isInteger(days) || days < 0) throw new Error('--days is a number of days.')
  const now = ctx.clock()
  const key: NewKey = {
    name,
    scope,
    reach: values.organization ? 'organization' : 'environment',
    expiresAt: days > 0 ? new Date(now.getTime() + days * dayMs) : undefined,
    note: values.note,
  }
  const environment = await getEnvironment(ctx, named)
  const made = await asCommand(ctx, environment, createWords, (db, env) =>
    createApiKey({ ctx, db, env, now }, key),
  ).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'too_many_api_keys') throw error
    throw new Error(`${error.message} npm start -- keys list ${environment.slug} shows them.`)
  })
  say(`API key of "${environment.name}", shown this once:\n\n  ${made.text}\n`)
}

const dayMs = 24 * 3_600_000

async function listKeys(ctx: Ctx, [named]: string[], say: Say): Promise<void> {
  const environment = named === undefined ? undefined : await getEnvironment(ctx, named)
  for (const key of await listApiKeys(ctx.database.db, environment?.id)) {
    const state = key.revoked_at ? `revoked ${key.revoked_at.toISOString()}` : 'live'
    const marks = [
      ...(key.scope === 'everything' ? [] : [`may ${key.scope}`]),
      ...(key.reach === 'organization' ? ['reaches the organization'] : []),
      ...(key.expires_at ? [`until ${key.expires_at.toISOString()}`] : []),
    ]
    say(
      `${key.id}  environment ${key.environment_id}  made ${uuid7Time(key.id).toISOString()}  ${state}  ${key.name}${marks.length > 0 ? `  (${marks.join(', ')})` : ''}`,
    )
  }
}

async function revokeKey(ctx: Ctx, [keyId = '']: string[], say: Say): Promise<void> {
  const found = isUuid7(keyId) ? await findApiKey(ctx.database.db, keyId) : null
  const place = found && { id: found.environmentId, organizationId: found.organizationId }
  const isDone =
    place &&
    (await asCommand(ctx, place, 'keys revoke', async (db) => {
      noteChange(db, { type: 'api-key', id: keyId, name: found.name }, { before: { scope: found.scope } })
      return revokeApiKey(db, keyId, ctx.clock())
    }))
  if (!isDone) throw new Error(`There is no live key "${keyId}"; npm start -- keys list shows the ids.`)
  say(`Revoked. Every node refuses it within 5 seconds.`)
}

/** The one named by its id or slug, else the oldest. */
async function getEnvironment(ctx: Ctx, named: string | undefined): Promise<EnvironmentRow> {
  const environments = await listEnvironments(ctx.database.db)
  const [found, ...others] =
    named === undefined ? environments.slice(0, 1) : environments.filter((it) => it.id === named || it.slug === named)
  if (!found) throw new Error(`There is no environment "${named}"; npm start -- environments list shows them.`)
  if (others.length > 0) throw new Error(`Several organizations have an environment "${named}"; say its id.`)
  return found
}
