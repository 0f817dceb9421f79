import { afterAll, beforeAll } from 'vitest'
import { addressGuard } from '../src/egress/address-guard.ts'
import { createHttp } from '../src/egress/http.ts'
import type { Http, HttpRequest } from '../src/lib/outbound.ts'
import { type HttpReceiver, type ReceivedRequest, type Scripted, startHttpReceiver } from './peers/http-receiver.ts'

/** A request that the vendor saw. `url` is the vendor's own, although a local peer answered. */
export type Seen = { method: string; url: string; headers: Record<string, string>; body: string; json: unknown }
/** What the vendor answers, or what happens on the connection instead. `refused`: nobody listens. */
export type Answer = Scripted | 'refused'

export type Vendor = {
  http: Http
  answer: Answer
  /** Replaces the table's answer to earlier calls, such as those for a token. */
  early: Answer | undefined
  seen: Seen[]
  /** Whether the sending call asked for HTTP/2. */
  usesHttp2: boolean
}

// Nobody listens on this reserved port.
const closedPort = 1

/**
 * Real local peers for both versions of HTTP behind the real client; only the host of each URL is replaced. `decrypt`:
 * what the receiver reads in a body is what was seen.
 */
export function useVendor(before: Record<string, Answer>, decrypt?: (body: Buffer) => string): Vendor {
  const vendor: Vendor = {
    http: () => Promise.reject(new Error('not started')),
    answer: { status: 500 },
    early: undefined,
    seen: [],
    usesHttp2: false,
  }
  const answer = (request: ReceivedRequest): Scripted => {
    const url = String(request.headers['x-vendor-url'])
    const early = earlyOf(before, url)
    if (!early) vendor.seen.push(toSeen(request, url, decrypt))
    const scripted = early ? (vendor.early ?? early) : vendor.answer
    if (scripted === 'refused') throw new Error('who refuses hears nothing')
    return scripted
  }
  const open: { close(): Promise<void> }[] = []
  beforeAll(async () => {
    const [plain, http2, cutting, cutting2] = await Promise.all(
      [false, true, false, true].map((isHttp2) => startHttpReceiver({ http2: isHttp2 })),
    )
    if (!plain || !http2 || !cutting || !cutting2) throw new Error('not started')
    plain.answer = http2.answer = answer
    cutting.answer = cutting2.answer = 'reset before read'
    const receivers = [plain, http2, cutting, cutting2]
    const ports = receivers.map(({ port }) => port)
    const guard = addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [...ports, closedPort] })
    const patient = createHttp(guard)
    // Only for a peer that never answers: others may take longer on a busy machine.
    const impatient = createHttp(guard, { headersMs: 50 })
    open.push(patient, impatient, ...receivers)
    vendor.http = (request) => {
      const isEarly = earlyOf(before, request.url) !== undefined
      if (!isEarly) vendor.usesHttp2 = request.http2 === true
      const current = isEarly ? (vendor.early ?? {}) : vendor.answer
      const port = portOf(
        current,
        request.http2 ? { answering: http2, cutting: cutting2 } : { answering: plain, cutting },
      )
      return (current === 'hang' ? impatient : patient)(redirected(request, port))
    }
  })
  afterAll(async () => {
    for (const each of open) await each.close()
  })
  return vendor
}

function earlyOf(before: Record<string, Answer>, url: string): Answer | undefined {
  return Object.entries(before).find(([part]) => url.includes(part))?.[1]
}

function portOf(answer: Answer, { answering, cutting }: Record<'answering' | 'cutting', HttpReceiver>): number {
  if (answer === 'refused') return closedPort
  return (answer === 'reset before read' ? cutting : answering).port
}

function redirected(request: HttpRequest, port: number): HttpRequest {
  const { pathname, search } = new URL(request.url)
  return {
    ...request,
    url: `http://127.0.0.1:${port}${pathname}${search}`,
    headers: { ...request.headers, 'x-vendor-url': request.url },
  }
}

function toSeen(request: ReceivedRequest, url: string, decrypt?: (body: Buffer) => string): Seen {
  const { method, body } = request
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  if (!decrypt) return { method, url, headers, body: body.toString('utf8'), json: request.json }
  const plain = decrypt(body)
  return { method, url, headers, body: plain, json: JSON.parse(plain) }
}
