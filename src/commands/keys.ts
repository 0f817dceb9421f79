import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import { issueApiKey } from '../core/operations/bootstrap.ts'
import { maxLiveKeys } from '../core/operations/change-api-keys.ts'
import { isUuid7, uuid7Time } from '../lib/uuid7.ts'
import { findApiKey, listApiKeys, revokeApiKey } from '../store/access/api-keys.ts'
import { type EnvironmentRow, listEnvironments } from '../store/access/environments.ts'
import { type Env, envOf } from '../store/database.ts'
import { prepare, type Say, sayNewKey } from './prepare.ts'

/** `keys create [environment id] [name]`, `keys list [environment id]`, `keys revoke <key id>` */
export async function keysCommand(config: Config, [verb = '', ...args]: string[], say: Say): Promise<void> {
  const actions = { create: createKey, list: listKeys, revoke: revokeKey }
  if (!Object.hasOwn(actions, verb))
    throw new Error('Say: keys create [environment id] | keys list | keys revoke <key id>')
  const prepared = await prepare(config, () => {})
  const { ctx, close } = prepared
  try {
    sayNewKey(prepared, say)
    await actions[verb as keyof typeof actions](ctx, args, say)
  } finally {
    await close()
  }
}

async function createKey(ctx: Ctx, [environmentId, name = 'made by hand']: string[], say: Say): Promise<void> {
  const { db } = ctx.database
  const environment = await getEnvironment(ctx, environmentId)
  const live = (await listApiKeys(db, environment.id)).filter((key) => !key.revoked_at && !key.bootstrap)
  if (live.length >= maxLiveKeys) {
    throw new Error(
      `"${environment.name}" has ${live.length} live keys; revoke one first: npm start -- keys revoke ${live[0]?.id}`,
    )
  }
  const made = { environmentId: environment.id, name, cell: ctx.config.cell, now: ctx.clock(), sealer: ctx.sealer }
  const key = await ctx.database.write(envOf(environment.id), (trx) => issueApiKey(trx, made))
  say(`API key of "${environment.name}", shown this once:\n\n  ${key}\n`)
}

async function listKeys(ctx: Ctx, [environmentId]: string[], say: Say): Promise<void> {
  if (environmentId !== undefined) await getEnvironment(ctx, environmentId)
  for (const key of await listApiKeys(ctx.database.db, environmentId)) {
    const state = key.revoked_at ? `revoked ${key.revoked_at.toISOString()}` : 'live'
    say(`${key.id}  environment ${key.environment_id}  made ${uuid7Time(key.id).toISOString()}  ${state}  ${key.name}`)
  }
}

async function revokeKey(ctx: Ctx, [keyId = '']: string[], say: Say): Promise<void> {
  const found = isUuid7(keyId) ? await findApiKey(ctx.database.db, keyId) : null
  const revoke = (env: Env) => ctx.database.write(env, (db) => revokeApiKey(db, keyId, ctx.clock()))
  if (!found || !(await revoke(envOf(found.environmentId)))) {
    throw new Error(`There is no live key "${keyId}"; npm start -- keys list shows the ids.`)
  }
  say(`Revoked. Every node refuses it within 5 seconds.`)
}

/** The one named, else the oldest. */
async function getEnvironment(ctx: Ctx, id: string | undefined): Promise<EnvironmentRow> {
  const environments = await listEnvironments(ctx.database.db)
  const found = id === undefined ? environments[0] : environments.find((it) => it.id === id)
  if (!found) throw new Error(`There is no environment "${id}"; npm start -- environments list shows them.`)
  return found
}
