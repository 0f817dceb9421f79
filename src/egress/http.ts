import { Agent, type buildConnector, type Dispatcher } from 'undici'
import { type Fault, type Http, type HttpReply, notBegun } from '../lib/outbound.ts'
import type { Guard } from './address-guard.ts'
import {
  type Connect,
  type ConnectOptions,
  codeOf,
  createConnect,
  describe,
  noneFree,
  notSent,
  refuse,
} from './connect.ts'
import { type Head, maxBodyBytes, toHeaders, toReply } from './http-reply.ts'
import { type Outgoing, toOutgoing } from './http-request.ts'
import { createHttp2 } from './http2.ts'

export type HttpOptions = ConnectOptions & {
  /** From the last byte of the request to the status. */
  headersMs?: number
  /** For everything, waiting for a free connection included. */
  totalMs?: number
  /** How slow a line may be: by it an upload is given its time, besides that for the answer. */
  uploadBytesPerMs?: number
  /** Further requests wait. An origin that hangs holds only these. */
  connectionsPerOrigin?: number
}

type Limits = { headersMs: number; totalMs: number; uploadBytesPerMs: number }

/** The longest any request may take; the caller's deadline is mostly shorter. */
export const httpTotalMs = 60_000

// A request that begins with next to no time left is given up before it can be answered, and nobody knows what became of
// it. One that has waited for this part of its time does not begin.
const latestStart = 0.9

// A slow line.
const slowBytesPerMs = 250

/** HTTP/1.1 and, where asked for, HTTP/2. Never throws and never sends a request twice; a redirect is a reply. */
export function createHttp(guard: Guard, options: HttpOptions = {}): Http & { close(): Promise<void> } {
  const limits: Limits = {
    headersMs: options.headersMs ?? 10_000,
    totalMs: options.totalMs ?? httpTotalMs,
    uploadBytesPerMs: options.uploadBytesPerMs ?? slowBytesPerMs,
  }
  const connect = createConnect(guard, options)
  const agent = new Agent({
    connect: toConnector(connect),
    connections: options.connectionsPerOrigin ?? 160,
    allowH2: false,
    pipelining: 1,
    // Shorter than most servers' own (5 s and more): when the server closes a connection during a request, its outcome
    // is unknown. A time that the server names is used, up to the second number.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    // Our own timers are exact and know what has been sent; undici's run in steps of a second.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const http2 = createHttp2(connect, { ...limits, handshakeMs: options.handshakeMs ?? 5_000 })
  const http: Http = async (request) => {
    const refusal = guard.refuseUrl(request.url)
    if (refusal) return refuse(refusal)
    const outgoing = toOutgoing(request)
    if (outgoing.kind === 'fault') return outgoing
    const totalMs = Math.min(limits.totalMs, (request.deadline ?? Number.POSITIVE_INFINITY) - Date.now())
    if (totalMs <= 0) return notSent('no time was left for the call')
    const latest = Date.now() + totalMs * latestStart
    const refuseStart = () => {
      if (request.mayBegin && !request.mayBegin()) return notSent(notBegun)
      return Date.now() > latest ? notSent(noneFree(outgoing.url)) : undefined
    }
    const refused = refuseStart()
    if (refused) return refused
    return request.http2
      ? http2.exchange(outgoing, totalMs, refuseStart)
      : exchange(agent, outgoing, { ...limits, totalMs, refuseStart, mostBytes: request.mostBytes ?? maxBodyBytes })
  }
  const close = async () => {
    await Promise.all([agent.destroy(), http2.close()])
  }
  return Object.assign(http, { close })
}

class NotConnected extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.reason)
    this.fault = fault
  }
}

function toConnector(connect: Connect): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const isTls = protocol === 'https:'
    const target = { host: hostname, port: Number(port) || (isTls ? 443 : 80) }
    void connect(isTls ? { ...target, tls: { ALPNProtocols: ['http/1.1'] } } : target).then((opened) =>
      opened.kind === 'fault' ? callback(new NotConnected(opened), null) : callback(null, opened.socket),
    )
  }
}

/**
 * One request, one answer. undici calls `onRequestStart` right before it writes the first byte: until then nothing can
 * have been sent. Nor while the last part of a large body is still here: no server acts on a request that it has only in
 * part. From then on it may have been.
 */
function exchange(
  agent: Agent,
  request: Outgoing,
  {
    headersMs,
    totalMs,
    uploadBytesPerMs,
    refuseStart,
    mostBytes,
  }: Limits & { refuseStart(): Fault | undefined; mostBytes: number },
): Promise<HttpReply | Fault> {
  const { hostname } = request.url
  return new Promise((resolve) => {
    let writing: Dispatcher.DispatchController | undefined
    let head: Head | undefined
    let headTimer: NodeJS.Timeout | undefined
    let isOver = false
    const upload = createUpload(request.body)
    const chunks: Buffer[] = []
    let size = 0
    const finish = (fault: Fault, isWhole = false) => {
      if (isOver) return
      isOver = true
      clearTimeout(headTimer)
      clearTimeout(timer)
      resolve(head ? toReply(head, chunks, isWhole, mostBytes) : fault)
      if (!isWhole) writing?.abort(new Error('given up'))
    }
    const fail = (reason: string) =>
      finish({ kind: 'fault', sent: writing !== undefined && upload.isComplete(), reason })
    const awaitHead = (ms: number) => {
      clearTimeout(headTimer)
      headTimer = setTimeout(() => fail(describe('ETIMEDOUT', hostname)), ms)
    }
    const timer = setTimeout(() => fail(writing ? describe('ETIMEDOUT', hostname) : noneFree(request.url)), totalMs)
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // Too late to begin, given up while it waited, or about to be written a second time: none may be sent.
        const refused = writing ? undefined : refuseStart()
        if (refused) finish(refused)
        if (isOver || writing) return controller.abort(new Error('given up'))
        writing = controller
        const answerBy = Date.now() + headersMs + (request.body?.length ?? 0) / uploadBytesPerMs
        awaitHead(answerBy - Date.now())
        // What has left us may still wait in the line's buffers: the time for the upload is never cut short.
        upload.whenOut(() => {
          if (!isOver && !head) awaitHead(Math.max(headersMs, answerBy - Date.now()))
        })
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return
        clearTimeout(headTimer)
        head = { status, headers: toHeaders(headers) }
      },
      onResponseData(_controller, chunk) {
        size += chunk.length
        chunks.push(chunk)
        if (size > mostBytes) fail('too large')
      },
      onResponseEnd: () => finish({ kind: 'fault', sent: true, reason: `${hostname} sent no answer` }, true),
      onResponseError: (_controller, error) =>
        error instanceof NotConnected && !writing ? finish(error.fault) : fail(toReason(error, hostname)),
    }
    try {
      agent.dispatch(toDispatch(request, upload.body), handler)
    } catch (error) {
      fail(`the request could not be made (${codeOf(error)})`)
    }
  })
}

// As much as Node keeps by itself: the last part of a body leaves only when the system has taken those before it.
const partBytes = 64 * 1024

/** A body that says how far it is. A small one leaves in one piece. */
function createUpload(whole: Buffer | undefined) {
  const small = whole === undefined || whole.length <= partBytes
  let isLastTaken = small
  let tell = () => {}
  async function* parts(body: Buffer) {
    for (let at = 0; at < body.length; at += partBytes) {
      isLastTaken = at + partBytes >= body.length
      yield body.subarray(at, at + partBytes)
    }
    // undici asks for more once the last part is with the system.
    tell()
  }
  return {
    body: small ? (whole ?? null) : parts(whole),
    isComplete: () => isLastTaken,
    whenOut(then: () => void) {
      tell = then
    },
  }
}

function toDispatch(
  { method, url, headers, body: whole }: Outgoing,
  body: Buffer | AsyncIterable<Buffer> | null,
): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: whole ? { ...headers, 'content-length': String(whole.length) } : headers,
    // undici takes whatever can be iterated; its types name only a few of those.
    body: body as NonNullable<Dispatcher.DispatchOptions['body']>,
    // undici then shares its connection with no other request, and never sends it again.
    idempotent: false,
  }
}

function toReason(error: Error, hostname: string): string {
  const code = codeOf(error)
  if (code === 'UND_ERR_SOCKET') return describe('ECONNRESET', hostname)
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW')
    return `${hostname} answered something else than HTTP`
  return describe(code, hostname)
}
