import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { createFindPerson } from '../core/inbox/find-people.ts'
import type { InboxClaims } from '../core/inbox/inbox-token.ts'
import { createLiveFeeds } from '../core/inbox/live-feeds.ts'
import { createVouchers } from '../core/inbox/vouchers.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { Env } from '../store/database.ts'
import type { Authenticate } from './access/auth.ts'
import { createRateLimit } from './access/rate-limit.ts'
import { addKeyRoute } from './add-key-route.ts'
import { addOpenRoute } from './add-open-route.ts'
import { addSessionRoute } from './add-session-route.ts'
import { addStream } from './add-stream.ts'
import { addWhere } from './cells/where.ts'
import { createActivityWatcher } from './dashboard/activity-watcher.ts'
import { createFailureLimit } from './dashboard/failure-limit.ts'
import { addPreviewFrame } from './dashboard/preview-frame.ts'
import { createSessions } from './dashboard/sessions.ts'
import { fieldsFromDialect, withOlderAddresses } from './dialect/dialect.ts'
import { createEnvironmentConcurrency } from './environment-concurrency.ts'
import { errorBody } from './error-reply.ts'
import { addInboxRoute } from './inbox/add-inbox-route.ts'
import { addInboxSession } from './inbox/add-inbox-session.ts'
import { addInboxStream } from './inbox/add-inbox-stream.ts'
import { allowOtherOrigins, withoutTrailingSlash } from './inbox/cors.ts'
import { addSockets } from './inbox/sockets.ts'
import { createIdentifyToken } from './inbox/who-asks.ts'
import type { Route } from './load-routes.ts'
import { addMetrics, countRequest } from './metrics.ts'
import { type OpenApi, openApi } from './openapi.ts'
import { installBodyReader } from './read-body.ts'
import { answerAndCut } from './read-on.ts'
import { referencePage } from './reference-page.ts'
import { jsonType, sendError } from './send-reply.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    contentCheckedByHandler?: string | undefined
    /** Files may be sent as a form. */
    takesForm?: boolean | undefined
    /** The body is passed on as text, whatever its type. */
    rawBody?: boolean
  }
  interface FastifyRequest {
    /** Whose request it is, as soon as the host knows. */
    env: Env | null
    /** What the caller's token says, on routes of the inbox. */
    inbox: InboxClaims | null
    /** For the log line: what became of the idempotency key, and the code of a refusal. */
    outcome: { idempotency?: 'claimed' | 'replayed'; code?: string }
  }
}

const saneRequestId = /^[A-Za-z0-9._-]{1,128}$/

export function createServer(ctx: Ctx, routes: readonly Route[], authenticate: Authenticate): FastifyInstance {
  const server = openServer(ctx)
  server.decorateRequest('env', null)
  server.decorateRequest('inbox', null)
  server.decorateRequest('outcome')
  installBodyReader(server, (request, text) => fieldsFromDialect(ctx.config, request, text))
  server.addHook('onRequest', async (request, reply) => {
    request.outcome = {}
    watchRequest(ctx, request, reply)
    reply.header('x-request-id', request.id)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') throw new ApiError('malformed_request')
  })
  // An expectation other than 100-continue may be ignored (RFC 9110); Node would answer it with an empty 417.
  server.server.on('checkExpectation', server.routing)
  closeConnections(server, ctx)
  tellGateway(server)
  server.addHook('onResponse', async (request, reply) => logRequest(ctx, request, reply))
  server.setErrorHandler((error, request, reply) => sendError(ctx, error, request, reply))
  server.setNotFoundHandler((request, reply) => sendError(ctx, new ApiError('route_not_found'), request, reply))

  addRoutes(server, ctx, routes, authenticate)
  addMetrics(server, ctx)
  addWhere(server, ctx)
  addDescription(server, routes)
  return server
}

function openServer(ctx: Ctx): FastifyInstance {
  return Fastify({
    logger: false,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID()
    },
    rewriteUrl: ({ url = '' }) => withoutTrailingSlash(url),
    // The longest subscriberId (255 characters of 4 bytes), percent-encoded.
    routerOptions: { maxParamLength: 255 * 4 * 3 },
    // Whose X-Forwarded-For tells `request.ip`. From anybody else it is ignored.
    trustProxy: ctx.config.trustedProxies.length > 0 ? [...ctx.config.trustedProxies] : false,
    bodyLimit: 1024 * 1024,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: {
      // Checked every second: by default a slow sender could stay for half a minute more.
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      // Node would answer a missing host with an empty body; the hook in createServer answers in our format.
      requireHostHeader: false,
      // Other upgrades are offers, such as that of HTTP/2 by every Java client; they are answered as if not made.
      shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    clientErrorHandler: (error, socket) => refuseBytes(ctx, error, socket),
    // Refused before routing, so no hook runs: what the hooks do is done here.
    frameworkErrors: (error, request, reply) => {
      request.outcome = {}
      sendError(ctx, error, request, reply)
      logRequest(ctx, request, reply)
    },
  })
}

function addRoutes(server: FastifyInstance, ctx: Ctx, routes: readonly Route[], authenticate: Authenticate): void {
  // A worker has no routes, so there is nothing to sign in to.
  if (routes.length === 0) return
  const sessions = createSessions(ctx, authenticate)
  const rateLimit = ctx.config.rateLimit > 0 ? createRateLimit(ctx.config.rateLimit) : null
  // A quarter of the pool each: three flooding environments still leave connections for a fourth.
  const concurrency = createEnvironmentConcurrency(Math.max(2, Math.floor(ctx.config.databasePoolSize / 4)))
  const heavyConcurrency = createEnvironmentConcurrency(2)
  const signInLimit = createFailureLimit()
  // A whole office comes from one address in the morning.
  const beginLimit = createFailureLimit(undefined, 200)
  const activity = createActivityWatcher(ctx)
  const findVouchers = createVouchers(ctx)
  const identify = createIdentifyToken(ctx, findVouchers)
  const live = { identify, findPerson: createFindPerson(ctx), feeds: createLiveFeeds(ctx) }
  const [personLimit, sessionLimit, addressLimit] = [createRateLimit(50), createRateLimit(50), createRateLimit(200)]
  const failureLimit = createFailureLimit()
  server.addHook('preClose', async () => activity.close())
  for (const route of withOlderAddresses(ctx.config, routes)) {
    switch (route.kind) {
      case 'key':
        addKeyRoute(server, ctx, route, { sessions, rateLimit, concurrency, heavyConcurrency })
        break
      case 'stream':
        addStream(server, ctx, route, { sessions, activity })
        break
      case 'session':
        addSessionRoute(server, ctx, route, { sessions, signInLimit, beginLimit })
        break
      case 'open':
        addOpenRoute(server, ctx, route)
        break
      case 'inbox':
        addInboxRoute(server, ctx, route, { identify, findVouchers, personLimit, concurrency })
        break
      case 'inbox-stream':
        addInboxStream(server, ctx, route, live)
        break
      case 'inbox-session':
        addInboxSession(server, ctx, route, { findVouchers, failureLimit, addressLimit, sessionLimit })
        break
      default:
        route satisfies never
    }
  }
  addPreviewFrame(server, ctx, sessions)
  addSockets(server, ctx, live)
  allowOtherOrigins(server)
}

function addDescription(server: FastifyInstance, routes: readonly Route[]): void {
  let made: OpenApi | undefined
  const description = () => {
    made ??= openApi(routes)
    return made
  }
  server.get('/openapi.json', async () => description())
  server.get('/docs', async (_request, reply) => {
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    return referencePage(description())
  })
}

function watchRequest({ loopWatch }: Ctx, request: FastifyRequest, reply: FastifyReply): void {
  const route = () => `${request.method} ${request.routeOptions.url ?? 'none'}`
  reply.raw.once(
    'close',
    loopWatch.begin(() => ({ route: route(), environmentId: request.env?.environmentId })),
  )
}

const cutAfterMs = { asking: 5_000, all: 30_000 }

/**
 * During a stop: a connection left open after its reply would delay the stop by up to `keepAliveTimeout`. And Node looks
 * at its time limits no more: who says nothing, or half a request, or does not read his reply, would hold it for ever.
 */
function closeConnections(server: FastifyInstance, { drain }: Ctx): void {
  /** Whether it is asking: its next request has not come, or not whole. */
  const connections = new Map<Socket, boolean>()
  const note = (socket: Socket, isAsking: boolean) => {
    if (connections.has(socket)) connections.set(socket, isAsking)
  }
  let closing = false
  server.server.on('connection', (socket: Socket) => {
    connections.set(socket, true)
    socket.once('close', () => connections.delete(socket))
  })
  server.addHook('preHandler', async ({ raw }) => note(raw.socket, false))
  server.addHook('onResponse', async ({ raw }) => note(raw.socket, true))
  server.addHook('preClose', async () => {
    closing = true
    const cut = (isMeant: (socket: Socket, isAsking: boolean) => boolean) => {
      for (const [socket, isAsking] of connections) if (isMeant(socket, isAsking)) socket.destroy()
    }
    cut(({ bytesRead }) => bytesRead === 0)
    setTimeout(() => cut((_socket, isAsking) => isAsking), cutAfterMs.asking).unref()
    setTimeout(() => cut(() => true), cutAfterMs.all).unref()
  })
  server.addHook('onSend', async (_request, reply) => {
    if (closing || drain.begun) reply.header('connection', 'close')
  })
}

/** Whose key or token it was: a gateway that asks sends the next request with it to the right cell by itself. */
function tellGateway(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply) => {
    const { environmentId } = request.env ?? {}
    if (environmentId && request.headers['tidings-gateway'] === '1') reply.header('tidings-environment', environmentId)
  })
}

/** Answers bytes that are no request. There is no reply object yet, only the socket. */
function refuseBytes(ctx: Ctx, cause: { code?: string }, socket: Duplex): void {
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
  answerAndCut(`${lines.join('\r\n')}\r\n\r\n${body}`, socket)
}

const refusedBytes: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'Request Timeout'],
}

/** One line per request with named fields only: no bodies, no addresses, no query values. */
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
