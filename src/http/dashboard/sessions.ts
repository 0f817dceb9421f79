import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { rememberBriefly } from '../../lib/remember-briefly.ts'
import { sha256 } from '../../lib/seal.ts'
import { readSessionToken } from '../../lib/session-token.ts'
import { endSession, type FoundSession, findSession } from '../../store/access/sessions.ts'
import { type Env, envOf } from '../../store/database.ts'
import type { Authenticate } from '../auth.ts'
import { refuseCrossSite } from './cross-site.ts'

export const sessionCookie = 'tidings_session'

export type Sessions = {
  /** By key or by cookie: whose call this is. Throws `unauthorized`. */
  identify(request: FastifyRequest): Promise<Env>
  /** Null: a token that opens nothing, or nothing any more. */
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

/** What is done by a link's session is signed with the session's own id. */
export function toEnv({ environmentId, organizationId, apiKeyId, id }: FoundSession): Env {
  return { environmentId, organizationId, keyId: apiKeyId ?? id }
}

/** Empty when there is none. */
export function readSessionCookie(request: FastifyRequest): string {
  for (const part of request.headers.cookie?.split(';') ?? []) {
    const [name, value] = part.trim().split('=', 2)
    if (name === sessionCookie) return value ?? ''
  }
  return ''
}
