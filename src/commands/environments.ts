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
import type { Host } from './host.ts'
import { withContext } from './prepare.ts'

export async function listCommand(host: Host): Promise<void> {
  await withContext(host, async (ctx) => {
    for (const it of await listAllEnvironments(ctx.database.db)) {
      const marks = [
        it.type,
        ...(it.protected ? ['protected'] : []),
        ...(it.purgedAfter ? [`deleted, can be restored until ${it.purgedAfter.toISOString()}`] : []),
      ]
      host.print(
        `${it.id}  ${it.name}  organization ${it.organizationId} "${it.organizationName}"  identifier ${it.identifier}  ${marks.join(', ')}`,
      )
    }
  })
}

/** Uses the oldest organization unless one is named. An organization of a new name is created. */
export async function createCommand(host: Host, name: string, organization: string | undefined): Promise<void> {
  await withContext(host, async (ctx) => {
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
    host.print(`Environment "${name}" was created. Its API key, shown this once:\n\n  ${key}\n`)
  })
}

async function createFirst(ctx: Ctx, trx: Db, name: string, organization: string): Promise<string> {
  const organizationId = await insertOrganization(trx, organization, ctx.clock())
  return insertEnvironment(trx, organizationId, name, ctx.clock(), { slug: freeSlug(name, 'environment', new Set()) })
}

export async function deleteCommand(host: Host, id: string): Promise<void> {
  await withContext(host, async (ctx) => {
    const found = await getEnvironment(ctx, id)
    await asOrganizationCommand(ctx, found, 'environments delete', (db, env) =>
      removeEnvironment({ ctx, db, env, now: ctx.clock() }, found.id),
    )
    host.print(
      `"${found.name}" was deleted. Its keys stop working within 5 seconds. For ${graceDays} days this restores it: npm start -- environments restore ${found.id}`,
    )
  })
}

export async function restoreCommand(host: Host, id: string): Promise<void> {
  await withContext(host, async (ctx) => {
    const found = await getEnvironment(ctx, id)
    await asOrganizationCommand(ctx, found, 'environments restore', (db, env) =>
      bringBackEnvironment({ ctx, db, env, now: ctx.clock() }, found.id),
    )
    host.print(`"${found.name}" was restored. Its keys work again within 5 seconds.`)
  })
}

async function getEnvironment(ctx: Ctx, id: string): Promise<EnvironmentRow> {
  const found = (await listAllEnvironments(ctx.database.db)).find((it) => it.id === id)
  if (!found) throw new ApiError('environment_not_found')
  return found
}
