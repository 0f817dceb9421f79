import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isPrivateAddress } from '../egress/address-guard.ts'
import { answerAndCut } from '../http/read-on.ts'
import { sha256 } from '../lib/seal.ts'
import { createAskCells } from './ask-cells.ts'
import { createBudget } from './body.ts'
import { openCell } from './cell.ts'
import { pathOf } from './find-subject.ts'
import { type Control, followControl } from './follow-control.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { createGatewayMetrics } from './gateway-metrics.ts'
import { handleRequest, type Parts, requestIdOf } from './handle-request.ts'
import { addressOf, trustedProxies } from './headers.ts'
import { createHolds } from './holds.ts'
import { createSockets } from './pass-socket.ts'
import { createPlaces } from './places.ts'
import { type GatewayError, jsonType, refusalText, refuse } from './replies.ts'
import { createSnapshot } from './snapshot.ts'

export type Gateway = { url: string; stop(): Promise<void> }

// As in cells: whoever is let go by one would be cut by the other.
const requestWithinMs = 30_000
const headersWithinMs = 10_000
const keepIdleMs = 72_000
const mostHeld = 2_000
const mostAccepted = 4_096
const cutAfterMs = { asking: 5_000, all: 30_000 }

export async function startGateway(config: GatewayConfig, log: Logger): Promise<Gateway> {
  const { inHand, answerMs } = config.limits
  const limits = { inHand, waiting: inHand, open: 20_000, answerMs }
  const cells = new Map([...config.cells].map(([name, url]) => [name, openCell(name, url, limits, log)]))
  const places = createPlaces()
  const snapshot = createSnapshot(join(config.dataDir, 'gateway-map'), places, log)
  log.info({ entries: snapshot.read() }, 'the map was read from disk')
  const control = config.controlDatabaseUrl ? followControl(config.controlDatabaseUrl, places, snapshot, log) : null
  const parts: Parts = {
    cells,
    places,
    moved(environmentId, { cell, generation }) {
      // An environment that was never moved has generation 1, and is no exception.
      if (generation < 2 || !places.move(environmentId, { cell, generation })) return
      log.info({ environmentId, cell, generation }, 'learnt where an environment is')
      snapshot.write()
    },
    ask: createAskCells([...cells.values()], config.cellToken, log),
    holds: createHolds(mostHeld),
    budget: createBudget(config.limits.bufferBytes),
    metrics: createGatewayMetrics(),
    isTrusted: trustedProxies(config.trustedProxies),
    holdMs: config.limits.holdMs,
    log,
  }
  const server = await listen(config, parts, control)
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await control?.stop()
      await Promise.all([...cells.values()].map((cell) => cell.close()))
    },
  }
}

async function listen(config: GatewayConfig, parts: Parts, control: Control | null): Promise<Gateway> {
  const sockets = createSockets(parts)
  const drain = { begun: false, closing: false }
  const connections = new Set<Socket>()
  const answering = new Set<ServerResponse>()

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    answering.add(response)
    response.once('close', () => answering.delete(response))
    if (drain.closing) response.shouldKeepAlive = false
    const about = { id: requestIdOf(request), path: pathOf(request.url ?? '') }
    const fault = faultOf(request)
    if (fault) return refuse(response, fault, about)
    if (answerItself(config, parts, control, drain, request, response)) return
    handleRequest(parts, request, response).catch((error: unknown) => {
      parts.log.error({ err: error }, 'a request could not be passed on')
      if (response.headersSent) response.destroy()
      else refuse(response, 'no_answer', about)
    })
  }

  const server = createServer(
    {
      requestTimeout: requestWithinMs,
      headersTimeout: headersWithinMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: keepIdleMs,
      // Other upgrades are offers, and are answered as if not made.
      shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    handle,
  )
  server.on('checkContinue', handle).on('checkExpectation', handle)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {})
    if (drain.closing || faultOf(request)) return void socket.destroy()
    void sockets.pass(request, socket, head)
  })
  server.on('clientError', refuseBytes)
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: config.host, port: config.port, backlog: mostAccepted }, resolve)
  })
  // Listening: an address.
  const { port } = server.address() as AddressInfo

  return {
    url: `http://localhost:${port}`,
    async stop() {
      drain.begun = true
      await sleep(config.stopDelaySeconds * 1000)
      drain.closing = true
      const cut = (isMeant: (socket: Socket) => boolean) => {
        for (const socket of connections) if (isMeant(socket)) socket.destroy()
      }
      // A connection left open after its answer would delay the stop.
      for (const response of answering) response.shouldKeepAlive = false
      const isAsking = (socket: Socket) => ![...answering].some((response) => response.socket === socket)
      const timers = [setTimeout(cut, cutAfterMs.asking, isAsking), setTimeout(cut, cutAfterMs.all, () => true)]
      sockets.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      cut(({ bytesRead }) => bytesRead === 0)
      await closed
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** What no cell has to see. */
function faultOf(request: IncomingMessage): GatewayError | null {
  const { url = '', rawHeaders, headers } = request
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) return 'malformed_request'
  if (headers['tidings-gateway'] !== undefined) return 'gateway_loop'
  if (!url.startsWith('/')) {
    const parsed = URL.parse(url)
    if (!parsed || !/^https?:$/.test(parsed.protocol)) return 'malformed_request'
    request.url = parsed.pathname + parsed.search
  }
  // Between gateway and cells only.
  return /^\/+v1\/+cells(\/|$)/i.test(decoded(pathOf(request.url ?? ''))) ? 'route_not_found' : null
}

/** As a cell reads it, to which `%63` is a `c`. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function answerItself(
  config: GatewayConfig,
  parts: Parts,
  control: Control | null,
  drain: { begun: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const path = pathOf(request.url ?? '')
  const say = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': jsonType, 'cache-control': 'no-store' })
    response.end(JSON.stringify(body))
    return true
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  switch (path) {
    case '/health/live':
      return say(200, { status: 'ok' })
    case '/health':
    case '/health/ready':
      return say(drain.begun ? 503 : 200, {
        status: drain.begun ? 'stopping' : 'ok',
        cells: Object.fromEntries(
          [...parts.cells].map(([name, cell]) => [name, { state: cell.state(), ...cell.use() }]),
        ),
        map: { entries: parts.places.exceptions.size, ageSeconds: control?.ageSeconds() ?? null },
      })
    case '/metrics': {
      const fault = metricsFault(config, parts, request)
      if (fault) refuse(response, fault, { id: requestIdOf(request), path })
      else void sayMetrics(parts, control, response)
      return true
    }
    default:
      return false
  }
}

function metricsFault({ metricsToken }: GatewayConfig, { isTrusted }: Parts, request: IncomingMessage) {
  const { authorization, forwarded } = request.headers
  if (metricsToken !== undefined) {
    return timingSafeEqual(sha256(`Bearer ${metricsToken}`), sha256(authorization ?? '')) ? null : 'unauthorized'
  }
  const chain = request.headers['x-forwarded-for']
  const from = addressOf(request)
  // Behind a proxy everybody looks private, so what came through one needs the token.
  const isForwarded = chain !== undefined || forwarded !== undefined || isTrusted(from)
  return isForwarded || !isPrivateAddress(from) ? 'metrics_private' : null
}

async function sayMetrics(parts: Parts, control: Control | null, response: ServerResponse): Promise<void> {
  const { metrics, cells, holds, budget, places } = parts
  for (const [cell, { state, use }] of cells) {
    metrics.cellUp.set({ cell }, state() === 'down' ? 0 : 1)
    metrics.cellReady.set({ cell }, state() === 'ready' ? 1 : 0)
    const { inHand, waiting, open } = use()
    metrics.inHand.set({ cell }, inHand)
    metrics.waiting.set({ cell }, waiting)
    metrics.open.set({ cell }, open)
  }
  metrics.held.set(holds.count())
  metrics.bufferedBytes.set(budget.used())
  metrics.exceptions.set(places.exceptions.size)
  metrics.mapAge.remove({})
  const age = control?.ageSeconds() ?? null
  if (age !== null) metrics.mapAge.set(age)
  const text = await metrics.registry.metrics()
  response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text)
}

const refusedBytes: Record<string, GatewayError> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Bytes that are no request, such as one with two lengths. Nothing of them reaches a cell. */
function refuseBytes(error: Error & { code?: string }, socket: Duplex): void {
  socket.on('error', () => {})
  if (!socket.writable) return
  answerAndCut(refusalText(refusedBytes[error.code ?? ''] ?? 'malformed_request', { id: 'none', path: '' }), socket)
}
