import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import {
  bringBackEnvironment,
  createEnvironment,
  graceDays,
  removeEnvironment,
} from '../core/access/change-environments.ts'
import { issueApiKey } from '../core/operations/bootstrap.ts'
import { ApiError } from '../errors.ts'
import { freeSlug } from '../lib/free-slug.ts'
import {
  type EnvironmentRow,
  insertEnvironment,
  insertOrganization,
  listAllEnvironments,
} from '../store/access/environments.ts'
import { type Db, inTransaction } from '../store/database.ts'
import { asOrganizationCommand } from './as-command.ts'
import { movesCommand } from './environment-moves.ts'
import { prepare, type Say, sayNewKey } from './prepare.ts'

const movesVerbs = new Set(['move', 'moves', 'forget'])
const verbs = new Map([
  ['list', list],
  ['create', create],
  ['delete', remove],
  ['restore', restore],
])

/**
 * `environments list`, `create <name> [organization name]`, `delete <id>`, `restore <id>`; those between cells are in
 * another file.
 */
export async function environmentsCommand(config: Config, [verb = '', ...args]: string[], say: Say): Promise<void> {
  if (movesVerbs.has(verb)) return movesCommand(config, verb, args, say)
  const run = verbs.get(verb)
  if (!run || (verb !== 'list' && !args[0])) {
    throw new Error(
      'Say: environments list | create <name> [organization name] | delete <id> | restore <id> | move | moves | forget',
    )
  }
  const prepared = await prepare(config, () => {})
  try {
    sayNewKey(prepared, say)
    await run(prepared.ctx, args, say)
  } finally {
    await prepared.close()
  }
}

async function list(ctx: Ctx, _args: string[], say: Say): Promise<void> {
  for (const it of await listAllEnvironments(ctx.database.db)) {
    const marks = [
      it.type,
      ...(it.protected ? ['protected'] : []),
      ...(it.purgedAfter ? [`deleted, can be restored until ${it.purgedAfter.toISOString()}`] : []),
    ]
    say(
      `${it.id}  ${it.name}  organization ${it.organizationId} "${it.organizationName}"  identifier ${it.identifier}  ${marks.join(', ')}`,
    )
  }
}

/** In the oldest organization unless one is named; one of a new name is made. */
async function create(ctx: Ctx, [name = '', organization]: string[], say: Say): Promise<void> {
  const known = await listAllEnvironments(ctx.database.db)
  const found = organization ? known.find((it) => it.organizationName === organization) : known[0]
  const withKey = (trx: Db, environmentId: string) => {
    const key = { environmentId, name: 'first key', cell: ctx.config.cell, now: ctx.clock(), sealer: ctx.sealer }
    return issueApiKey(trx, key)
  }
  const now = ctx.clock()
  const key = await (found
    ? asOrganizationCommand(ctx, found, 'environments create', async (db, env) =>
        withKey(db, (await createEnvironment({ ctx, db, env, now }, { name, color: '#64748b' })).id),
      )
    : inTransaction(ctx.database.db, async (trx) =>
        withKey(trx, await createFirst(ctx, trx, name, organization ?? 'My organization')),
      ))
  say(`Environment "${name}" is there. Its API key, shown this once:\n\n  ${key}\n`)
}

async function createFirst(ctx: Ctx, trx: Db, name: string, organization: string): Promise<string> {
  const organizationId = await insertOrganization(trx, organization, ctx.clock())
  return insertEnvironment(trx, organizationId, name, ctx.clock(), { slug: freeSlug(name, 'environment', new Set()) })
}

async function remove(ctx: Ctx, [id = '']: string[], say: Say): Promise<void> {
  const found = await getEnvironment(ctx, id)
  await asOrganizationCommand(ctx, found, 'environments delete', (db, env) =>
    removeEnvironment({ ctx, db, env, now: ctx.clock() }, found.id),
  )
  say(
    `"${found.name}" is deleted: its keys stop within 5 seconds. For ${graceDays} days: npm start -- environments restore ${found.id}`,
  )
}

async function restore(ctx: Ctx, [id = '']: string[], say: Say): Promise<void> {
  const found = await getEnvironment(ctx, id)
  await asOrganizationCommand(ctx, found, 'environments restore', (db, env) =>
    bringBackEnvironment({ ctx, db, env, now: ctx.clock() }, found.id),
  )
  say(`"${found.name}" is back, and its keys work again within 5 seconds.`)
}

async function getEnvironment(ctx: Ctx, id: string): Promise<EnvironmentRow> {
  const found = (await listAllEnvironments(ctx.database.db)).find((it) => it.id === id)
  if (!found) throw new ApiError('environment_not_found')
  return found
}
