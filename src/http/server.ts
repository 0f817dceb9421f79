import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { isStorableText } from '../lib/read-json.ts'
import { sha256 } from '../lib/seal.ts'
import { bodyValidator, queryValidator } from '../lib/validate.ts'
import type { Db, Env } from '../store/database.ts'
import { addActivityStream } from './activity-stream.ts'
import { addOpenRoute } from './add-open-route.ts'
import type { Authenticate } from './auth.ts'
import { addPreviewFrame } from './dashboard/preview-frame.ts'
import { createSessions, type Sessions } from './dashboard/sessions.ts'
import type { KeyRoute, Route } from './define-route.ts'
import { errorBody, isKeptRefusal, toApiError } from './error-reply.ts'
import { type Reply, readIdempotencyKey, runOnce } from './idempotency.ts'
import { runLeased } from './leased-claim.ts'
import { addMetrics, countRequest } from './metrics.ts'
import { openApi } from './openapi.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import { installBodyReader } from './read-body.ts'
import { referencePage } from './reference-page.ts'
import { addSessionRoutes } from './session-routes.ts'
import { createTurns, type Turns } from './turns.ts'
import { fromVendorNames, toVendorNames } from './vendor-names.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    judgesContentOf?: string | undefined
    /** The body is handed on as it came, whatever its type. */
    takesRaw?: boolean
  }
  interface FastifyRequest {
    /** Set by the host before a route that needs a key is called. */
    env: Env | null
    /** For the log line: how the idempotency key was met, and the code of a refusal. */
    outcome: { idempotency?: 'claimed' | 'replayed'; code?: string }
  }
}

const jsonType = 'application/json; charset=utf-8'
const saneRequestId = /^[A-Za-z0-9._-]{1,128}$/

export function createServer(ctx: Ctx, routes: readonly Route[], authenticate: Authenticate): FastifyInstance {
  const server = Fastify({
    logger: false,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID()
    },
    // The longest subscriberId (255 characters of 4 bytes), percent-encoded.
    routerOptions: { maxParamLength: 255 * 4 * 3 },
    bodyLimit: 1024 * 1024,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: {
      // Slow senders are cut off by the second, not by the half minute.
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      // Node would refuse these itself, with an empty body; the hook below does it in our words.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => refuseBytes(ctx, error, socket),
    // Refused before routing: no hook runs, so what the hooks do is done here.
    frameworkErrors: (error, request, reply) => {
      request.outcome = {}
      sendError(ctx, error, request, reply)
      logRequest(ctx, request, reply)
    },
  })

  server.decorateRequest('env', null)
  server.decorateRequest('outcome')
  installBodyReader(server)
  server.addHook('onRequest', async (request, reply) => {
    request.outcome = {}
    reply.header('x-request-id', request.id)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') throw new ApiError('malformed_request')
  })
  // An expectation other than 100-continue may be ignored (RFC 9110); Node would answer it with an empty 417.
  server.server.on('checkExpectation', server.routing)
  closeAfterLastReply(server)
  server.addHook('onResponse', async (request, reply) => logRequest(ctx, request, reply))
  server.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply))
  server.setNotFoundHandler((request, reply) => sendError(ctx, new ApiError('route_not_found'), request, reply))

  const sessions = createSessions(ctx, authenticate)
  const rateLimit = ctx.config.rateLimit > 0 ? createRateLimit(ctx.config.rateLimit) : null
  // Of three that flood us, a fourth still finds a connection.
  const turns = createTurns(Math.max(2, Math.floor(ctx.config.databasePoolSize / 4)))
  for (const route of routes) {
    if (route.auth === 'key') addRoute(server, ctx, route, { sessions, rateLimit, turns })
    else addOpenRoute(server, ctx, route)
  }
  // A worker has no routes, and so nothing to sign in to.
  if (routes.length > 0) {
    addSessionRoutes(server, ctx, authenticate, sessions)
    addPreviewFrame(server, ctx, sessions)
    addActivityStream(server, ctx, sessions)
  }
  addMetrics(server, ctx)
  const description = openApi(routes)
  server.get('/openapi.json', async () => description)
  server.get('/docs', async (_request, reply) => {
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    return referencePage(description)
  })
  return server
}

/** While we drain, a connection kept open after its reply would hold the stop for as long as `keepAliveTimeout`. */
function closeAfterLastReply(server: FastifyInstance): void {
  let draining = false
  server.addHook('preClose', async () => {
    draining = true
  })
  server.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
}

/** Bytes that never became a request: there is no reply object, only the socket. */
function refuseBytes(ctx: Ctx, cause: { code?: string }, socket: { writable: boolean; end(text: string): unknown }) {
  if (!socket.writable) return
  const [code, phrase] = refusedBytes[cause.code ?? ''] ?? ['malformed_request', 'Bad Request']
  const error = new ApiError(code)
  const id = randomUUID()
  const body = errorBody(error, { id, path: '', now: ctx.clock() })
  const lines = [
    `HTTP/1.1 ${error.status} ${phrase}`,
    `content-type: ${jsonType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

const refusedBytes: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'Request Timeout'],
}

function addRoute(
  server: FastifyInstance,
  ctx: Ctx,
  route: KeyRoute,
  { sessions, rateLimit, turns }: { sessions: Sessions; rateLimit: RateLimit | null; turns: Turns },
): void {
  const readQuery = route.query ? queryValidator(route.query) : () => ({})
  const checkBody = route.body ? bodyValidator(route.body) : () => {}

  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimitBytes,
    config: { judgesContentOf: route.judgesContentOf },
    schema: route.response ? { response: { [route.status]: route.response } } : {},
    // Ours: inside the idempotency claim, and queries are read differently from bodies.
    validatorCompiler: () => () => true,
    onRequest: async (request, reply) => {
      request.env = await sessions.identify(request)
      if (rateLimit) reply.headers(rateLimit.take(request.env.keyId))
    },
    handler: async (request, reply) => {
      const { env } = request
      if (!env) throw new ApiError('unauthorized')
      // What waits for a provider holds no connection meanwhile, and may take half a minute.
      return route.outside
        ? handle(request, reply, env)
        : turns.run(env.environmentId, () => handle(request, reply, env))
    },
  })

  async function handle(request: FastifyRequest, reply: FastifyReply, env: Env): Promise<FastifyReply> {
    const now = ctx.clock()
    const params = readParams(ctx, request)
    if (ctx.config.vendorNames) request.body = fromVendorNames(request.body)
    const rawQuery = request.query as Record<string, string | string[]>

    const read = () => {
      const query = readQuery(rawQuery)
      checkBody(request.body)
      return { ctx, env, now, traceparent: request.headers.traceparent, params, query, body: request.body }
    }
    const run = async (db: Db, outside?: unknown): Promise<Reply> => {
      const result = await route.handler({ ...read(), db, outside })
      const body = route.response ? reply.serializeInput(Object(result), String(route.status)) : ''
      return { status: route.status, body: String(body) }
    }
    const call =
      route.outside && (route.outside.when?.(request.body) ?? true) ? async () => route.outside?.call(read()) : null

    if (route.method === 'GET') return sendReply(ctx, reply, await ctx.database.read(env, run))
    const key = readIdempotencyKey(request.headers['idempotency-key'])
    if (key === null) {
      const outside = await call?.()
      return sendReply(ctx, reply, await ctx.database.write(env, (db) => run(db, outside)))
    }
    const claim = {
      key,
      method: route.method,
      path: request.url.split('?', 1)[0] ?? '',
      requestHash: sha256(canonicalJson(rawQuery), canonicalJson(request.body)),
      now,
    }
    const keepRefusal = (error: unknown) => keptRefusal(ctx, error, request)
    const done = call
      ? await runLeased(ctx, env, claim, { call, run, keepRefusal })
      : await runOnce(ctx, env, claim, { run, keepRefusal })
    request.outcome.idempotency = done.replayed ? 'replayed' : 'claimed'
    if (done.replayed) reply.header('idempotency-replay', 'true')
    return sendReply(ctx, reply, done)
  }
}

/** Path parameters are look-up keys: what PostgreSQL cannot hold cannot be found. */
function readParams(ctx: Ctx, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>
  if (!Object.values(params).every(isStorableText)) throw new ApiError('route_not_found')
  return ctx.config.vendorNames ? fromVendorNames(params) : params
}

function keptRefusal(ctx: Ctx, error: unknown, request: FastifyRequest): Reply | null {
  if (!(error instanceof ApiError) || !isKeptRefusal(error)) return null
  request.outcome.code = error.code
  return { status: error.status, body: errorBody(error, { id: request.id, path: request.url, now: ctx.clock() }) }
}

function sendReply(ctx: Ctx, reply: FastifyReply, { status, body }: Reply): FastifyReply {
  reply.code(status)
  if (status === 204) return reply.send()
  return reply.header('content-type', jsonType).send(ctx.config.vendorNames ? toVendorNames(body) : body)
}

function sendError(ctx: Ctx, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toApiError(thrown)
  request.outcome.code = error.code
  if (error.status >= 500) ctx.log.error({ requestId: request.id, err: thrown }, 'request failed')
  if (error.details.headers) reply.headers(error.details.headers)
  if (error.details.retryAfterSeconds) reply.header('retry-after', error.details.retryAfterSeconds)
  const body = errorBody(error, { id: request.id, path: request.url, now: ctx.clock() })
  reply.header('x-request-id', request.id)
  return sendReply(ctx, reply, { status: error.status, body })
}

/** One wide line per request, of named fields only: no bodies, no addresses, no query values. */
function logRequest(ctx: Ctx, request: FastifyRequest, reply: FastifyReply): void {
  countRequest(ctx, request, reply)
  ctx.log.info(
    {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      environmentId: request.env?.environmentId,
      keyId: request.env?.keyId,
      ...request.outcome,
    },
    'request',
  )
}
