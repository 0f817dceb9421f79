import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../context.ts'
import { grantsOfKey, grantsOfLink } from '../../core/access/key-grants.ts'
import { reachEnvironment } from '../../core/access/reach.ts'
import { signInByKey, signInByLink } from '../../core/operations/sign-in.ts'
import { type PasswordProof, signInByPassword } from '../../core/people/sign-in-person.ts'
import { ApiError } from '../../errors.ts'
import { cutText } from '../../lib/one-line.ts'
import { rememberBriefly } from '../../lib/remember-briefly.ts'
import { sha256 } from '../../lib/seal.ts'
import { readPersonToken, readSessionToken } from '../../lib/session-token.ts'
import { endSession, type FoundSession, findSession } from '../../store/access/sessions.ts'
import { type Env, envOf } from '../../store/database.ts'
import type { FoundPersonSession, Origin } from '../../store/people/person-sessions.ts'
import type { Authenticate } from '../access/auth.ts'
import { refuseCrossSite } from './cross-site.ts'
import { createPersonSessions } from './person-sessions.ts'
import { readSessionCookie } from './session-cookie.ts'

/** What proves that somebody may sign in, one of the three. */
export type SignIn = { key: string } | { link: string } | PasswordProof

export type AnySession = FoundSession | FoundPersonSession

export type Sessions = {
  /**
   * Finds out by key or cookie whose call this is, and in which environment. Throws `unauthorized`. `environment`: named
   * where a browser can send no header.
   */
  identify(request: FastifyRequest, environment?: string): Promise<Env>
  /** Opens a session and answers its token; null when the proof is not good. */
  open(proof: SignIn, origin: Origin): Promise<string | null>
  /** Null when the token belongs to no session, or to one that is over. */
  find(token: string): Promise<AnySession | null>
  end(session: AnySession): Promise<void>
  /** The next request reads it anew. */
  forget(session: AnySession): void
}

export function createSessions(ctx: Ctx, authenticate: Authenticate): Sessions {
  const lookUp = rememberBriefly((place) => {
    const [environmentId = '', id = ''] = place.split(' ')
    const env = envOf(environmentId)
    return ctx.database.read(env, (db) => findSession(db, env, id, ctx.clock()))
  })

  const persons = createPersonSessions(ctx)

  const lookUpToken = async (token: string): Promise<AnySession | null> => {
    const ofPerson = readPersonToken(token)
    if (ofPerson) return persons.lookUp(ofPerson)
    const place = readSessionToken(token)
    return place && lookUp(`${place.environmentId} ${place.id}`)
  }

  const find = async (token: string) => {
    const found = await lookUpToken(token)
    if (!found || !timingSafeEqual(found.tokenHash, sha256(token))) return null
    return found.ended || found.expiresAt <= ctx.clock() ? null : found
  }

  const identifySession = async (token: string) => {
    const session = await find(token)
    if (!session) throw new ApiError('unauthorized', { message: 'You are signed out; sign in again.' })
    if ('person' in session) {
      persons.noteSeen(session)
      if (session.mustSetUp) throw new ApiError('second_factor_to_set_up')
    }
    return toEnv(session)
  }

  return {
    find,
    async open(proof, origin) {
      if ('link' in proof) return signInByLink(ctx, proof.link)
      if ('password' in proof) return signInByPassword(ctx, proof, origin)
      const env = await authenticate(`ApiKey ${proof.key}`).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'unauthorized') return null
        throw error
      })
      return env && signInByKey(ctx, env)
    },
    async identify(request, environment) {
      const { authorization } = request.headers
      const token = readSessionCookie(request)
      const isByKey = authorization !== undefined || !token
      if (!isByKey) refuseCrossSite(ctx.config, request)
      const env = isByKey ? await authenticate(authorization) : await identifySession(token)
      return withOrigin(request, await enter(ctx, request, env, environment))
    },
    forget(session) {
      if ('person' in session) persons.forget(session)
      else lookUp.forget(`${session.environmentId} ${session.id}`)
    },
    async end(session) {
      if ('person' in session) return persons.end(session)
      const env = toEnv(session)
      await ctx.database.write(env, (db) => endSession(db, env, session.id, ctx.clock()))
      lookUp.forget(`${session.environmentId} ${session.id}`)
    },
  }
}

/** A session opened by a link has no key: its own id stands in the place of the key's. */
export function toEnv(session: AnySession): Env {
  const { environmentId, organizationId, id } = session
  const place = { environmentId, organizationId }
  if ('person' in session) {
    const { id: personId, name, role, environments } = session.person
    const grants = { everywhere: role, in: environments }
    return { ...place, keyId: personId, grants, actor: { type: 'person', id: personId, name } }
  }
  const { apiKeyId } = session
  if (apiKeyId === null)
    return { ...place, keyId: id, grants: grantsOfLink, actor: { type: 'link', id, name: 'sign-in link' } }
  const actor = { type: 'key', id: apiKeyId, name: session.keyName ?? '' } as const
  return { ...place, keyId: apiKeyId, grants: grantsOfKey(session), actor }
}

/** The environment that the request names, if it names one. */
export async function enter(ctx: Ctx, { headers }: FastifyRequest, env: Env, environment?: string): Promise<Env> {
  const named = headers['tidings-environment'] ?? environment
  return typeof named === 'string' && named !== '' ? reachEnvironment(ctx, env, named) : env
}

const longestAgent = 300

export function originOf({ ip, headers }: FastifyRequest): Origin {
  return { address: ip, agent: headers['user-agent'] && cutText(headers['user-agent'], longestAgent) }
}

/** Where a request comes from, for the record of changes. */
export function withOrigin(request: FastifyRequest, env: Env): Env {
  if (!env.actor) return env
  return { ...env, actor: { ...env.actor, ...originOf(request), requestId: request.id } }
}
