import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reach } from '../../src/store/access/api-keys.ts'
import type { Client } from '../../test/harness.ts'
import { patient } from './patience.ts'

export type Reply = { status: number; headers: Headers; text: string; body: unknown }
export type TimedReply = Reply & { ms: number }
export type Sent = {
  body?: unknown
  raw?: string | Uint8Array
  headers?: Record<string, string>
  key?: string | null
  /** Connections of one's own, for whoever must not wait for others here, or not make them wait. */
  agent?: http.Agent
}
export type Tenant = { key: string; keyId: string; environmentId: string; organizationId: string; reach: Reach }

/** No reply came: the node is gone, or it closed the connection. */
export class NoReply extends Error {}

const agent = new http.Agent({ keepAlive: true, maxSockets: 128 })
const patienceMs = 20_000

export function send(url: string, method: string, path: string, sent: Sent = {}): Promise<TimedReply> {
  const payload = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const bytes = payload === undefined ? undefined : Buffer.from(payload)
  const headers = {
    ...(sent.key ? { authorization: `ApiKey ${sent.key}` } : {}),
    ...(bytes ? { 'content-type': 'application/json', 'content-length': String(bytes.length) } : {}),
    ...sent.headers,
  }
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new NoReply(`${method} ${path}: ${error.message}`))
    const { hostname, port } = new URL(url)
    const request = http.request(
      { hostname, port, method, path, headers, agent: sent.agent ?? agent, timeout: patient(patienceMs) },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const replyHeaders = toHeaders(response.rawHeaders)
          const body = parse(text, replyHeaders)
          resolve({
            status: response.statusCode ?? 0,
            headers: replyHeaders,
            text,
            body,
            ms: performance.now() - started,
          })
        })
      },
    )
    request.on('timeout', () => request.destroy(new Error(`no reply within ${patienceMs} ms`)))
    request.on('error', fail)
    request.end(bytes)
  })
}

/** One person may ask 50 times a second: who is told to wait waits, but not for ever. */
export async function sendPatiently(...call: Parameters<typeof send>): Promise<TimedReply> {
  for (let tries = 1; ; tries++) {
    const reply = await send(...call)
    if (reply.status !== 429 || tries === 150) return reply
    await sleep(200)
  }
}

function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '')
  return headers
}

function parse(text: string, headers: Headers): unknown {
  if (!headers.get('content-type')?.startsWith('application/json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A client of one tenant; what the fixtures of the route tests call. Each call goes to the next of the nodes. */
export function clientOf(urls: string | readonly string[], tenant: Tenant): Client {
  const nodes = typeof urls === 'string' ? [urls] : urls
  let turn = 0
  const sendAs = (method: string, path: string, sent: Sent = {}) =>
    send(nodes[turn++ % nodes.length] ?? '', method, path, { ...sent, key: tenant.key })
  const call =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      sendAs(method, path, { headers, ...(method === 'GET' ? {} : { body }) })
  return {
    key: tenant.key,
    environmentId: tenant.environmentId,
    organizationId: tenant.organizationId,
    send: sendAs,
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
  }
}
