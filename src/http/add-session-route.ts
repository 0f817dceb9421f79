import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { sessionSeconds } from '../core/operations/sign-in.ts'
import { ApiError } from '../errors.ts'
import { bodyValidator } from '../lib/validate.ts'
import { refuseCrossSite } from './dashboard/cross-site.ts'
import type { FailureLimit } from './dashboard/failure-limit.ts'
import { readSessionCookie, toSetCookie } from './dashboard/session-cookie.ts'
import { type Sessions, type SignIn, toEnv } from './dashboard/sessions.ts'
import type { SessionRoute } from './define-route.ts'
import { jsonType } from './send-reply.ts'
import { serialize } from './write-json.ts'

type Parts = { sessions: Sessions; signInLimit: FailureLimit }

/** The dashboard's sign-in: no key, only requests of our own pages, and a cookie. */
export function addSessionRoute(server: FastifyInstance, ctx: Ctx, route: SessionRoute, parts: Parts): void {
  const checkBody = route.body ? bodyValidator(route.body) : () => {}

  server.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodyLimitBytes,
    handler: async (request, reply) => {
      refuseCrossSite(ctx.config, request)
      checkBody(request.body)
      const session = route.auth === 'session' ? await parts.sessions.find(readSessionCookie(request)) : null
      if (session) request.env = toEnv(session)
      const result = await route.handler({
        body: request.body,
        session,
        signIn: (proof) => signIn(ctx, parts, { request, reply, proof }),
        async signOut() {
          if (session) await parts.sessions.end(session)
          reply.header('set-cookie', toSetCookie(ctx.config, request))
        },
      })
      reply.code(route.status)
      if (!route.response) return reply.send()
      const body = serialize(reply, result, route.response)
      return reply.headers({ 'cache-control': 'no-store', 'content-type': jsonType }).send(body)
    },
  })
}

async function signIn(
  ctx: Ctx,
  { sessions, signInLimit }: Parts,
  { request, reply, proof }: { request: FastifyRequest; reply: FastifyReply; proof: SignIn },
) {
  signInLimit.check(request.ip)
  const token = await sessions.open(proof)
  if (!token) {
    signInLimit.failed(request.ip)
    throw new ApiError('sign_in_refused')
  }
  reply.header('set-cookie', toSetCookie(ctx.config, request, token, sessionSeconds))
  const session = await sessions.find(token)
  if (session) request.env = toEnv(session)
  return session
}
