import { type ClientHttp2Session, type ClientHttp2Stream, constants, connect as http2Connect } from 'node:http2'
import { TLSSocket } from 'node:tls'
import type { Fault, HttpReply } from '../lib/outbound.ts'
import { type Connect, codeOf, describe, noneFree, notSent, timeLeft } from './connect.ts'
import { type Head, maxBodyBytes, toHeaders, toReply } from './http-reply.ts'
import type { Outgoing } from './http-request.ts'

type Limits = { headersMs: number; totalMs: number; handshakeMs: number }

/** One session to one origin, shared by its requests. */
type Peer = {
  session: ClientHttp2Session
  /** Open streams, and those that wait because the peer allows no more. */
  active: number
  waiting: (() => void)[]
  /** From the peer's goaway: it did not process streams above this. */
  lastStreamId: number
  usedAt: number
  idle?: NodeJS.Timeout
  /** A ping under way, shared by all who wait for it. */
  ping?: Promise<boolean> | undefined
}

/** `unprocessed`: the peer said that it did not process it, or nothing was sent. */
type StreamOutcome = HttpReply | Fault | 'unprocessed'

// APNs wants connections to be kept open.
const idleCloseMs = 10 * 60_000
// A session unused for this long gets a ping first: on a dead connection the request's outcome would be unknown.
const pingAfterMs = 10_000
const pingMs = 1_000
const maxStreams = 500

export function createHttp2(connect: Connect, limits: Limits) {
  const peers = new Map<string, Promise<Peer | Fault>>()

  /** The origin's session; the first request opens it. */
  async function getPeer(url: URL): Promise<Peer | Fault> {
    const known = peers.get(url.origin)
    const peer = await known
    if (peer && !('session' in peer)) return peer
    if (peer && (await isAlive(peer))) return peer
    if (peers.get(url.origin) === known) peers.delete(url.origin)
    return peers.get(url.origin) ?? start(url)
  }

  function start(url: URL): Promise<Peer | Fault> {
    const opening = openPeer(connect, url, limits)
    peers.set(url.origin, opening)
    // Requests that wait for it now share its failure; the next one tries again.
    void opening.then((peer) => {
      if (!('session' in peer) && peers.get(url.origin) === opening) peers.delete(url.origin)
    })
    return opening
  }

  /** No new requests on it; those under way may finish. */
  function retire(url: URL, peer: Peer): void {
    const known = peers.get(url.origin)
    void known?.then((current) => {
      if (current === peer && peers.get(url.origin) === known) peers.delete(url.origin)
    })
    peer.session.close()
  }

  async function exchange(
    request: Outgoing,
    totalMs: number,
    refuseStart: () => Fault | undefined,
  ): Promise<HttpReply | Fault> {
    const { url } = request
    const deadline = Date.now() + totalMs
    // Requests that the server did not process before it went away are sent once more, over a new session.
    for (let tries = 0; tries < 2; tries++) {
      const peer = await within(getPeer(url), deadline)
      if (!peer) return notSent(describe('ETIMEDOUT', url.hostname))
      if (!('session' in peer)) return peer
      if (!(await enter(peer, deadline))) return notSent(noneFree(url))
      const refused = refuseStart()
      if (refused) {
        leave(peer)
        return refused
      }
      const outcome = await roundTrip(peer, request, { ...limits, totalMs: timeLeft(deadline)() })
      leave(peer)
      if (outcome !== 'unprocessed') {
        if (outcome.kind === 'fault') retire(url, peer)
        return outcome
      }
      retire(url, peer)
    }
    return notSent(`${url.hostname} did not take the request`)
  }

  async function close(): Promise<void> {
    const all = await Promise.all(peers.values())
    peers.clear()
    for (const peer of all) if ('session' in peer) peer.session.destroy()
  }

  return { exchange, close }
}

async function openPeer(connect: Connect, url: URL, { handshakeMs }: Limits): Promise<Peer | Fault> {
  const isTls = url.protocol === 'https:'
  const target = { host: url.hostname, port: Number(url.port) || (isTls ? 443 : 80) }
  const opened = await connect(isTls ? { ...target, tls: { ALPNProtocols: ['h2'] } } : target)
  if (opened.kind === 'fault') return opened
  const { socket } = opened
  if (socket instanceof TLSSocket && socket.alpnProtocol !== 'h2') {
    socket.destroy()
    return notSent(`${url.hostname} does not speak HTTP/2`)
  }
  const session = http2Connect(url.origin, { createConnection: () => socket, settings: { enablePush: false } })
  const peer: Peer = { session, active: 0, waiting: [], lastStreamId: Number.POSITIVE_INFINITY, usedAt: Date.now() }
  session.on('goaway', (_code, lastStreamId) => {
    peer.lastStreamId = lastStreamId
  })
  // Each stream reports the error itself.
  session.on('error', () => {})
  const wakeAll = () => {
    for (const wake of peer.waiting.splice(0)) wake()
  }
  session.on('close', () => {
    clearTimeout(peer.idle)
    wakeAll()
  })
  // APNs allows one stream until it has authenticated us, then many.
  session.on('remoteSettings', wakeAll)
  if (await hasSettings(session, handshakeMs)) return peer
  session.destroy()
  return notSent(`${url.hostname} does not speak HTTP/2`)
}

/** Waits for the peer's settings: they say how many streams it allows, and more would be refused. */
function hasSettings(session: ClientHttp2Session, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (answer: boolean) => {
      clearTimeout(timer)
      resolve(answer)
    }
    const timer = setTimeout(finish, timeoutMs, false)
    session.once('remoteSettings', () => finish(true))
    session.once('close', () => finish(false))
  })
}

async function isAlive(peer: Peer): Promise<boolean> {
  const { session, active, usedAt } = peer
  if (session.closed || session.destroyed) return false
  if (active > 0 || Date.now() - usedAt < pingAfterMs) return true
  peer.ping ??= within(ping(session), Date.now() + pingMs).then((answered) => {
    peer.ping = undefined
    if (answered) peer.usedAt = Date.now()
    else session.destroy()
    return answered ?? false
  })
  return peer.ping
}

function ping(session: ClientHttp2Session): Promise<boolean> {
  return new Promise((resolve) => session.ping((error) => resolve(error === null)))
}

async function within<T>(promise: Promise<T>, deadline: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeLeft(deadline)(), undefined)
  })
  const first = await Promise.race([promise, timeout])
  clearTimeout(timer)
  return first
}

async function enter(peer: Peer, deadline: number): Promise<boolean> {
  const { session } = peer
  peer.usedAt = Date.now()
  clearTimeout(peer.idle)
  while (!session.closed && peer.active >= Math.min(session.remoteSettings.maxConcurrentStreams ?? 100, maxStreams)) {
    const isWoken = await new Promise<boolean>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        peer.waiting.splice(peer.waiting.indexOf(wake), 1)
        resolve(false)
      }, timeLeft(deadline)())
      peer.waiting.push(wake)
    })
    if (!isWoken) return false
  }
  peer.active++
  if (!session.destroyed) session.ref()
  return true
}

function leave(peer: Peer): void {
  peer.active--
  peer.usedAt = Date.now()
  peer.waiting.shift()?.()
  if (peer.active > 0 || peer.session.destroyed) return
  // An idle session must not keep the process from ending.
  peer.session.unref()
  peer.idle = setTimeout(() => peer.session.close(), idleCloseMs).unref()
}

function roundTrip(peer: Peer, request: Outgoing, { headersMs, totalMs }: Limits): Promise<StreamOutcome> {
  const { url, body } = request
  const stream = openStream(peer.session, request)
  if (!stream) return Promise.resolve('unprocessed')
  return new Promise((resolve) => {
    let head: Head | undefined
    let isWhole = false
    let code = 'ECONNRESET'
    let size = 0
    const chunks: Buffer[] = []
    const giveUp = (why: string) => {
      code = why
      stream.close(constants.NGHTTP2_CANCEL)
    }
    const headTimer = setTimeout(giveUp, Math.min(headersMs, totalMs), 'ETIMEDOUT')
    const timer = setTimeout(giveUp, totalMs, 'ETIMEDOUT')
    stream.on('response', (headers) => {
      clearTimeout(headTimer)
      const { ':status': status = 0, ...rest } = headers
      head = { status, headers: toHeaders(rest) }
    })
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBodyBytes + chunk.length) chunks.push(chunk)
      if (size > maxBodyBytes) giveUp('too large')
    })
    stream.on('end', () => {
      isWhole = code === 'ECONNRESET' && !stream.aborted
    })
    // 'close' follows every error and tells what the peer said about the stream.
    stream.on('error', () => {})
    stream.on('close', () => {
      clearTimeout(headTimer)
      clearTimeout(timer)
      // After the events of this turn: the goaway that closed the stream may come just after.
      setImmediate(() => {
        if (head) resolve(toReply(head, chunks, isWhole && stream.rstCode === constants.NGHTTP2_NO_ERROR))
        else if (isUnprocessed(stream, peer)) resolve('unprocessed')
        else resolve({ kind: 'fault', sent: true, reason: describe(code, url.hostname) })
      })
    })
    stream.end(body)
  })
}

function openStream(session: ClientHttp2Session, { method, url, headers }: Outgoing): ClientHttp2Stream | null {
  try {
    return session.request({
      ':method': method,
      ':scheme': url.protocol.slice(0, -1),
      ':authority': url.host,
      ':path': url.pathname + url.search,
      ...headers,
    })
  } catch (error) {
    // The session ended in between, or has no stream ids left.
    if (codeOf(error).startsWith('ERR_HTTP2_')) return null
    throw error
  }
}

/** RFC 9113, 8.7: refused streams, and those above the goaway's number, were not processed in any way. */
function isUnprocessed(stream: ClientHttp2Stream, { lastStreamId }: Peer): boolean {
  return stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || (stream.id !== undefined && stream.id > lastStreamId)
}
