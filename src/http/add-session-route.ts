import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { listReachable } from '../core/access/reach.ts'
import { sessionSeconds } from '../core/operations/sign-in.ts'
import { ApiError } from '../errors.ts'
import { isStorableText } from '../lib/read-json.ts'
import { bodyValidator } from '../lib/validate.ts'
import { refuseCrossSite } from './dashboard/cross-site.ts'
import type { FailureLimit } from './dashboard/failure-limit.ts'
import { ownAddress } from './dashboard/own-address.ts'
import { flowCookie, readSessionCookie, toSetCookie } from './dashboard/session-cookie.ts'
import { toSessionJson } from './dashboard/session-json.ts'
import { type AnySession, enter, originOf, type Sessions, toEnv, withOrigin } from './dashboard/sessions.ts'
import type { SessionRoute } from './define-route.ts'
import { jsonType } from './send-reply.ts'
import { serialize } from './write-json.ts'

type Parts = { sessions: Sessions; signInLimit: FailureLimit; beginLimit: FailureLimit }

/** The dashboard's sign-in: no key, only requests of our own pages, and a cookie. */
export function addSessionRoute(server: FastifyInstance, ctx: Ctx, route: SessionRoute, parts: Parts): void {
  const checkBody = route.body ? bodyValidator(route.body) : () => {}

  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimitBytes,
    handler: async (request, reply) => {
      refuseCrossSite(ctx.config, request)
      const params = request.params as Record<string, string>
      if (!Object.values(params).every(isStorableText)) throw new ApiError('route_not_found')
      checkBody(request.body)
      const session = route.auth === 'session' ? await parts.sessions.find(readSessionCookie(request)) : null
      if (session) request.env = toEnv(session)
      const origin = originOf(request)
      const enterBy = (open: () => Promise<string | null>) => enterAnew(ctx, parts, { request, reply, open })
      const result = await route.handler({
        ctx,
        now: ctx.clock(),
        params,
        body: request.body,
        origin,
        here: ownAddress(ctx.config, request),
        session,
        person: () => getPerson(request, session),
        account: () => getAccount(request, session),
        signIn: (proof) => enterBy(() => parts.sessions.open(proof, origin)),
        enter: enterBy,
        guess: (ask) => guess(parts, request, ask),
        ration() {
          parts.signInLimit.check(request.ip)
          parts.signInLimit.failed(request.ip)
        },
        pace() {
          parts.beginLimit.check(request.ip)
          parts.beginLimit.failed(request.ip)
        },
        show: async (found) => {
          const env = found && (await enter(ctx, request, toEnv(found)))
          return toSessionJson(found, env && { env, environments: await listReachable(ctx, env) })
        },
        keep(text, seconds) {
          const where = { name: flowCookie, path: '/session/connection' }
          reply.header('set-cookie', toSetCookie(ctx.config, request, text, seconds, where))
        },
        kept: () => readSessionCookie(request, flowCookie),
        async signOut() {
          if (session) await parts.sessions.end(session)
          reply.header('set-cookie', toSetCookie(ctx.config, request))
        },
      })
      // What one has changed of oneself is seen at once.
      if (session && route.method !== 'GET') parts.sessions.forget(session)
      reply.code(route.status)
      if (!route.response) return reply.send()
      const body = serialize(reply, result, route.response)
      return reply.headers({ 'cache-control': 'no-store', 'content-type': jsonType }).send(body)
    },
  })
}

function getPerson(request: FastifyRequest, session: AnySession | null) {
  if (!session) throw new ApiError('unauthorized', { message: 'You are signed out; sign in again.' })
  if (!('person' in session)) throw new ApiError('person_needed')
  const env = withOrigin(request, toEnv(session))
  const { person, id: sessionId, connectionId } = session
  return { session, self: { person, sessionId, env, connectionId } }
}

function getAccount(request: FastifyRequest, session: AnySession | null) {
  const found = getPerson(request, session)
  if (found.self.connectionId !== null) throw new ApiError('connection_session')
  return found
}

type Entering = { request: FastifyRequest; reply: FastifyReply; open: () => Promise<string | null> }

/** A new session, never the one before: that one ends. */
async function enterAnew(ctx: Ctx, parts: Parts, { request, reply, open }: Entering) {
  const { sessions } = parts
  const token = await guess(parts, request, async () => {
    const opened = await open()
    if (!opened) throw new ApiError('sign_in_refused')
    return opened
  })
  const before = await sessions.find(readSessionCookie(request))
  if (before) await sessions.end(before)
  reply.header('set-cookie', toSetCookie(ctx.config, request, token, sessionSeconds))
  const session = await sessions.find(token)
  if (session) request.env = toEnv(session)
  return session
}

async function guess<T>({ signInLimit }: Parts, { ip }: FastifyRequest, ask: () => Promise<T>): Promise<T> {
  signInLimit.check(ip)
  // Before it is judged: of a hundred at once, those past the limit are not heard.
  signInLimit.failed(ip)
  try {
    const found = await ask()
    signInLimit.succeeded(ip)
    return found
  } catch (error) {
    // Whoever is asked for a second proof has guessed nothing.
    const isFailure = error instanceof ApiError && error.status === 401 && error.code !== 'second_factor_needed'
    if (!isFailure) signInLimit.succeeded(ip)
    throw error
  }
}
