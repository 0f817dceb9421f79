import type { Ctx } from '../../context.ts'
import { sha256 } from '../../lib/seal.ts'
import { newSessionToken, readSessionToken } from '../../lib/session-token.ts'
import { insertSession, insertSignInLink, takeSignInLink } from '../../store/access/sessions.ts'
import { type Db, type Env, envOf } from '../../store/database.ts'

/** A working day; after that, sign in again. */
export const sessionSeconds = 12 * 60 * 60
const linkSeconds = 60 * 60

/** The token of a new session in the key's environment. */
export function signInByKey(ctx: Ctx, env: Env): Promise<string> {
  return ctx.database.write(env, (db) => openSession(db, env, env.keyId, ctx.clock()))
}

/** Null if the link is not ours, was used, or is too old. The same transaction uses it and opens the session. */
export async function signInByLink(ctx: Ctx, link: string): Promise<string | null> {
  const read = readSessionToken(link)
  if (!read) return null
  const env = envOf(read.environmentId)
  const now = ctx.clock()
  return ctx.database.write(env, async (db) => {
    const taken = await takeSignInLink(db, env, { id: read.id, tokenHash: sha256(link) }, now)
    return taken ? openSession(db, env, null, now) : null
  })
}

/** The link that `npm start` prints in development. */
export async function makeSignInLink(ctx: Ctx, environmentId: string): Promise<string> {
  const env = envOf(environmentId)
  const now = ctx.clock()
  const { id, text } = newSessionToken(environmentId, now)
  const link = { id, tokenHash: sha256(text), expiresAt: secondsAfter(now, linkSeconds) }
  await ctx.database.write(env, (db) => insertSignInLink(db, env, link, now))
  return text
}

async function openSession(db: Db, env: Env, apiKeyId: string | null, now: Date): Promise<string> {
  const { id, text } = newSessionToken(env.environmentId, now)
  const session = { id, tokenHash: sha256(text), apiKeyId, expiresAt: secondsAfter(now, sessionSeconds) }
  await insertSession(db, env, session, now)
  return text
}

function secondsAfter(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}
