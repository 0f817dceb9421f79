import { hostname, userInfo } from 'node:os'
import type { Ctx } from '../context.ts'
import { writeRecord } from '../core/record/write-record.ts'
import { ownerGrants } from '../store/access/grants.ts'
import { type Db, type Env, inTransaction } from '../store/database.ts'

type Place = { id: string; organizationId: string }

/** Whoever may use the command line may do everything. There is no key, so the environment counts as it. */
export function commandEnv({ id, organizationId }: Place, words: string): Env {
  const actor = {
    type: 'command',
    id: words,
    name: `npm start -- ${words}`,
    address: hostname(),
    agent: userName(),
  } as const
  return { environmentId: id, organizationId, keyId: id, grants: ownerGrants, actor }
}

/** One transaction of the environment; what was changed in it is recorded as done by this command. */
export function asCommand<T>(
  ctx: Ctx,
  place: Place,
  words: string,
  work: (db: Db, env: Env) => Promise<T>,
): Promise<T> {
  const env = commandEnv(place, words)
  return ctx.database.write(env, (db) => recorded(ctx, db, env, work))
}

export function organizationCommandEnv(organizationId: string, words: string): Env {
  return commandEnv({ id: '', organizationId }, words)
}

/** The same for what belongs to the organization: in none of its environments, which may be held. */
export function asOrganizationCommand<T>(
  ctx: Ctx,
  place: Place,
  words: string,
  work: (db: Db, env: Env) => Promise<T>,
): Promise<T> {
  const env = organizationCommandEnv(place.organizationId, words)
  return inTransaction(ctx.database.db, (db) => recorded(ctx, db, env, work))
}

async function recorded<T>(ctx: Ctx, db: Db, env: Env, work: (db: Db, env: Env) => Promise<T>): Promise<T> {
  const done = await work(db, env)
  const words = env.actor?.id ?? ''
  await writeRecord(
    db,
    env,
    { action: words.replaceAll(' ', '.'), ofOrganization: env.environmentId === '' },
    ctx.clock(),
  )
  return done
}

function userName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    // A container may run as a number without a name.
    return undefined
  }
}
