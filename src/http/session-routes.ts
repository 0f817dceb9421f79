import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Ctx } from '../context.ts'
import { sessionSeconds, signInByKey, signInByLink } from '../core/operations/sign-in.ts'
import { ApiError, invalidField } from '../errors.ts'
import { fields, oneOf } from '../lib/schemas.ts'
import { bodyValidator } from '../lib/validate.ts'
import type { FoundSession } from '../store/access/sessions.ts'
import type { Authenticate } from './auth.ts'
import { refuseCrossSite } from './dashboard/cross-site.ts'
import { readSessionCookie, type Sessions, sessionCookie, toEnv } from './dashboard/sessions.ts'
import { failureLimit } from './failure-limit.ts'

export const signInSchema = fields({
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'An API key.' })),
  link: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'The token of a sign-in link.' })),
})

export const sessionSchema = Type.Object(
  {
    environment: Type.Object({ id: Type.String(), name: Type.String() }),
    organization: Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) }),
    signedInBy: oneOf(['key', 'link']),
    keyId: Type.Optional(Type.String()),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Session' },
)

type SignIn = Static<typeof signInSchema>

/** `/session`: the dashboard's way in and out. */
export function addSessionRoutes(
  server: FastifyInstance,
  ctx: Ctx,
  authenticate: Authenticate,
  sessions: Sessions,
): void {
  const limit = failureLimit()
  const checkBody = bodyValidator(signInSchema)

  server.post('/session', async (request, reply) => {
    refuseCrossSite(ctx.config, request)
    checkBody(request.body)
    const sent = request.body as SignIn
    if ((sent.key === undefined) === (sent.link === undefined))
      throw invalidField('key', 'or link must be sent, one of the two')
    limit.check(request.ip)
    const token = await signIn(ctx, authenticate, sent)
    if (!token) {
      limit.failed(request.ip)
      throw new ApiError('sign_in_refused')
    }
    setCookie(ctx, request, reply, token, sessionSeconds)
    return sendSession(request, reply, await sessions.find(token))
  })

  server.get('/session', async (request, reply) => {
    refuseCrossSite(ctx.config, request)
    return sendSession(request, reply, await sessions.find(readSessionCookie(request)))
  })

  server.delete('/session', async (request, reply) => {
    refuseCrossSite(ctx.config, request)
    const session = await sessions.find(readSessionCookie(request))
    if (session) {
      request.env = toEnv(session)
      await sessions.end(session)
    }
    setCookie(ctx, request, reply, '', 0)
    return reply.code(204).send()
  })
}

/** The new session's token; null for a key or link that opens nothing. */
async function signIn(ctx: Ctx, authenticate: Authenticate, { key, link }: SignIn): Promise<string | null> {
  if (link !== undefined) return signInByLink(ctx, link)
  const env = await authenticate(`ApiKey ${key}`).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'unauthorized') return null
    throw error
  })
  return env && signInByKey(ctx, env)
}

function sendSession(request: FastifyRequest, reply: FastifyReply, session: FoundSession | null): FastifyReply {
  if (!session) throw new ApiError('unauthorized', { message: 'Nobody is signed in here.' })
  request.env = toEnv(session)
  return reply.header('cache-control', 'no-store').send(toSessionJson(session))
}

function toSessionJson(session: FoundSession): Static<typeof sessionSchema> {
  return {
    environment: { id: session.environmentId, name: session.environmentName },
    organization: {
      id: session.organizationId,
      ...(session.organizationName !== null && { name: session.organizationName }),
    },
    signedInBy: session.apiKeyId === null ? 'link' : 'key',
    ...(session.apiKeyId !== null && { keyId: session.apiKeyId }),
    expiresAt: session.expiresAt.toISOString(),
  }
}

function setCookie(ctx: Ctx, request: FastifyRequest, reply: FastifyReply, token: string, seconds: number): void {
  // Whoever invents the header only makes the cookie stricter.
  const byHttps = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'
  const secure = byHttps || ctx.config.publicUrl?.startsWith('https:') ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${sessionCookie}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  )
}
