import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../context.ts'
import { signInByKey, signInByLink } from '../../core/operations/sign-in.ts'
import { ApiError } from '../../errors.ts'
import { rememberBriefly } from '../../lib/remember-briefly.ts'
import { sha256 } from '../../lib/seal.ts'
import { readSessionToken } from '../../lib/session-token.ts'
import { endSession, type FoundSession, findSession } from '../../store/access/sessions.ts'
import { type Env, envOf } from '../../store/database.ts'
import type { Authenticate } from '../auth.ts'
import { refuseCrossSite } from './cross-site.ts'
import { readSessionCookie } from './session-cookie.ts'

/** What proves that somebody may sign in: an API key or the token of a sign-in link, one of the two. */
export type SignIn = { key?: string; link?: string }

export type Sessions = {
  /** Finds out by key or cookie whose call this is. Throws `unauthorized`. */
  identify(request: FastifyRequest): Promise<Env>
  /** Opens a session and answers its token; null when the key or link is not good. */
  open(proof: SignIn): Promise<string | null>
  /** Null when the token belongs to no session, or to one that is over. */
  find(token: string): Promise<FoundSession | null>
  end(session: FoundSession): Promise<void>
}

export function createSessions(ctx: Ctx, authenticate: Authenticate): Sessions {
  const lookUp = rememberBriefly((place) => {
    const [environmentId = '', id = ''] = place.split(' ')
    const env = envOf(environmentId)
    return ctx.database.read(env, (db) => findSession(db, env, id))
  })

  const find = async (token: string) => {
    const place = readSessionToken(token)
    if (!place) return null
    const found = await lookUp(`${place.environmentId} ${place.id}`)
    if (!found || !timingSafeEqual(found.tokenHash, sha256(token))) return null
    return found.ended || found.expiresAt <= ctx.clock() ? null : found
  }

  return {
    find,
    async open({ key, link }) {
      if (link !== undefined) return signInByLink(ctx, link)
      const env = await authenticate(`ApiKey ${key}`).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'unauthorized') return null
        throw error
      })
      return env && signInByKey(ctx, env)
    },
    async identify(request) {
      const { authorization } = request.headers
      const token = readSessionCookie(request)
      if (authorization !== undefined || !token) return authenticate(authorization)
      refuseCrossSite(ctx.config, request)
      const session = await find(token)
      if (!session) throw new ApiError('unauthorized', { message: 'You are signed out; sign in again.' })
      return toEnv(session)
    },
    async end(session) {
      const env = toEnv(session)
      await ctx.database.write(env, (db) => endSession(db, env, session.id, ctx.clock()))
      lookUp.forget(`${session.environmentId} ${session.id}`)
    },
  }
}

/** A session opened by a link has no key: its own id stands in the place of the key's. */
export function toEnv({ environmentId, organizationId, apiKeyId, id }: FoundSession): Env {
  return { environmentId, organizationId, keyId: apiKeyId ?? id }
}
