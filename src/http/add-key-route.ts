import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { refuseUnless } from '../core/access/permissions.ts'
import { refuseProtected } from '../core/access/protected.ts'
import { reachEnvironment } from '../core/access/reach.ts'
import { ApiError } from '../errors.ts'
import { canonicalJson, canonicalJsonInTurns } from '../lib/canonical-json.ts'
import { isStorableText } from '../lib/read-json.ts'
import { sha256InTurns } from '../lib/seal.ts'
import { bodyValidator, queryValidator } from '../lib/validate.ts'
import type { Db, Env } from '../store/database.ts'
import { createPermit, permissionOf } from './access/permit.ts'
import type { RateLimit } from './access/rate-limit.ts'
import { createRecordCall } from './access/record-call.ts'
import { ownAddress } from './dashboard/own-address.ts'
import type { Sessions } from './dashboard/sessions.ts'
import type { KeyRoute } from './define-route.ts'
import { fromDialect, queryFromDialect } from './dialect/dialect.ts'
import type { Aside, EnvironmentConcurrency } from './environment-concurrency.ts'
import { errorBody, isKeptRefusal } from './error-reply.ts'
import { type Reply, readIdempotencyKey, runOnce } from './idempotency.ts'
import { runLeased } from './leased-claim.ts'
import { createOutside } from './outside.ts'
import { sendReply, sendResult } from './send-reply.ts'
import { serialize } from './write-json.ts'

type Parts = {
  sessions: Sessions
  rateLimit: RateLimit | null
  concurrency: EnvironmentConcurrency
  /** For heavy requests, before the one for all. */
  heavyConcurrency: EnvironmentConcurrency
}

/** Routes that are called with a key, or with a session in its place. */
export function addKeyRoute(server: FastifyInstance, ctx: Ctx, route: KeyRoute, parts: Parts): void {
  const { sessions, rateLimit, concurrency, heavyConcurrency } = parts
  const { handle, together } = createHandler(ctx, route)
  const permit = createPermit(ctx, route)

  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimitBytes,
    config: {
      keyRoute: route.name,
      contentCheckedByHandler: route.contentCheckedByHandler,
      takesForm: route.takesForm,
    },
    onRequest: async (request, reply) => {
      request.env = await sessions.identify(request)
      await ctx.database.held.refuse(request.env.environmentId)
      if (rateLimit) reply.headers(rateLimit.take(request.env.keyId))
      await permit(request.env, request.params)
    },
    handler: async (request, reply) => {
      const env = await environmentOf(ctx, route, request)
      const shared = route.together ? await together(request, reply, env) : null
      if (shared) return sendReply(ctx, reply, shared)
      const heavy = route.isHeavy?.(request.body)
      // Work before the transaction may take half a minute and holds no connection, so it needs no place.
      const run = () =>
        route.beforeTransaction
          ? handle(request, reply, env)
          : concurrency.run(env.environmentId, (aside) => handle(request, reply, env, aside))
      return heavy ? heavyConcurrency.run(heavy === 'node' ? heavy : env.environmentId, run) : run()
    },
  })
}

type Handle<R> = (request: FastifyRequest, reply: FastifyReply, env: Env, aside?: Aside) => Promise<R>

/** `together`: null when the request is to have its own transaction. */
type Handlers = { handle: Handle<FastifyReply>; together: Handle<Reply | null> }

function createHandler(ctx: Ctx, route: KeyRoute): Handlers {
  const readQuery = route.query ? queryValidator(route.query) : () => ({})
  const checkBody = route.body ? bodyValidator(route.body) : () => {}
  const recordCall = createRecordCall(route)

  const createReadArgs = (request: FastifyRequest, env: Env) => {
    const now = ctx.clock()
    const home = request.env ?? env
    const params = readParams(ctx, request)
    request.body = fromDialect(ctx.config, request, request.body)
    return () => {
      const query = readQuery(queryFromDialect(ctx.config, request, route.query))
      checkBody(request.body)
      const { traceparent } = request.headers
      const here = ownAddress(ctx.config, request)
      return { ctx, env, home, now, here, traceparent, params, query, body: request.body }
    }
  }

  const toResult = (request: FastifyRequest, reply: FastifyReply, result: unknown): Reply => {
    if (result instanceof ApiError) return toReply(ctx, result, request)
    return { status: route.status, body: route.response ? serialize(reply, result, route.response) : '' }
  }

  const together: Handlers['together'] = async (request, reply, env) => {
    if (request.headers['idempotency-key'] !== undefined || recordCall.appliesTo(env)) return null
    const result = await route.together?.(createReadArgs(request, env)())
    if (result === null || result === undefined) return null
    return toResult(request, reply, result)
  }

  const handle: Handlers['handle'] = async (request, reply, env, aside) => {
    const now = ctx.clock()
    // Inside the idempotency claim, so that a refusal is kept under the key.
    const readArgs = createReadArgs(request, env)
    const { outside, repeat } = createOutside(aside)
    const run = async (db: Db, prepared?: unknown): Promise<Reply> => {
      if (changesContent(route, request.body)) {
        refuseUnless(env, 'content')
        await refuseProtected(db, env)
      }
      const args = { ...readArgs(), db, prepared, outside }
      const result = await route.handler(args)
      await recordCall.write(db, env, { params: args.params, result, now })
      return toResult(request, reply, result)
    }
    if (route.method === 'GET') {
      const read = (db: Db) => route.handler({ ...readArgs(), db, prepared: undefined, outside })
      const result = await repeat(() => ctx.database.read(env, read))
      if (result instanceof ApiError) return sendReply(ctx, reply, toReply(ctx, result, request))
      const { status, response: schema } = route
      return schema ? sendResult(ctx, reply, { status, result, schema }) : sendReply(ctx, reply, { status, body: '' })
    }

    const { beforeTransaction } = route
    const isNeeded = beforeTransaction?.when?.(request.body) ?? true
    const prepare = beforeTransaction && isNeeded ? async () => beforeTransaction.call(readArgs()) : null
    const key = readIdempotencyKey(request.headers['idempotency-key'])
    if (key === null) {
      const prepared = await prepare?.()
      const written = await repeat(() => ctx.database.write(env, (db) => run(db, prepared)))
      if (written.status < 400) await route.beforeReply?.(readArgs())
      return sendReply(ctx, reply, written)
    }
    const path = request.url.split('?', 1)[0] ?? ''
    const requestHash = await sha256InTurns(canonicalJson(request.query), await canonicalJsonInTurns(request.body))
    const claim = { key, method: route.method, path, requestHash, now }
    const keepRefusal = (error: unknown) => keptRefusal(ctx, error, request)
    const done = prepare
      ? await runLeased(ctx, env, claim, { prepare, run, keepRefusal })
      : await repeat(() => runOnce(ctx, env, claim, { run, keepRefusal }))
    request.outcome.idempotency = done.replayed ? 'replayed' : 'claimed'
    if (done.replayed) reply.header('idempotency-replay', 'true')
    if (done.status < 400) await route.beforeReply?.(readArgs())
    return sendReply(ctx, reply, done)
  }
  return { handle, together }
}

async function environmentOf(ctx: Ctx, route: KeyRoute, request: FastifyRequest): Promise<Env> {
  const { env, body } = request
  if (!env) throw new ApiError('unauthorized')
  const named = route.actsIn?.({ params: readParams(ctx, request), body })
  if (typeof named !== 'string') return env
  const there = await reachEnvironment(ctx, env, named)
  refuseUnless(there, permissionOf(route))
  await ctx.database.held.refuse(there.environmentId)
  return there
}

function changesContent({ changesContent: changes }: KeyRoute, body: unknown): boolean {
  return typeof changes === 'function' ? changes(body) : changes === true
}

/** Path parameters are look-up keys: text that PostgreSQL cannot hold is an unknown id. */
function readParams(ctx: Ctx, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>
  if (!Object.values(params).every(isStorableText)) throw new ApiError('route_not_found')
  return fromDialect(ctx.config, request, params)
}

function keptRefusal(ctx: Ctx, error: unknown, request: FastifyRequest): Reply | null {
  return error instanceof ApiError && isKeptRefusal(error) ? toReply(ctx, error, request) : null
}

function toReply(ctx: Ctx, error: ApiError, request: FastifyRequest): Reply {
  request.outcome.code = error.code
  return { status: error.status, body: errorBody(error, { id: request.id, path: request.url, now: ctx.clock() }) }
}
