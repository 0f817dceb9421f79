import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ledger } from './ledger.ts'
import { type Action, act, nameOf } from './provider-simulator.ts'
import { serveHttp } from './serve-http.ts'

/** One call of a vendor's API. `json`: its body, of JSON or of a form. */
export type VendorCall = {
  at: number
  path: string
  json: Record<string, unknown>
  /** What the double said. Empty: it has not been asked. */
  answer: string
  /** Whether, and when, the answer left whole. */
  isAnswered: boolean
  answeredAt: number
}

export type VendorDoor = {
  url: string
  port: number
  /** All of them, in order. */
  calls: VendorCall[]
  /** What happens to a call; `ok`: the double answers, after a while. */
  script(call: VendorCall): Action
}

type Options = {
  /** The route in the ledger. */
  name: string
  /** Where the double is. */
  to: string
  /** What a call is about that posts a message; undefined: it posts none. */
  about(call: VendorCall): string | undefined
  /** Whether the double took it. */
  took(answer: unknown): boolean
  script?: VendorDoor['script']
}

/** The way to a double of a vendor: notes what was posted before anybody is answered, and deals out faults on the way. */
export async function startVendorDoor(ledger: Ledger, options: Options): Promise<VendorDoor> {
  const port = await serveHttp((request, response) => pass(ledger, options, door, request, response))
  const script = options.script ?? (() => ({ kind: 'ok' }) as const)
  const door: VendorDoor = { url: `http://127.0.0.1:${port}`, port, calls: [], script }
  return door
}

async function pass(
  ledger: Ledger,
  { name, to, about, took }: Options,
  door: VendorDoor,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readAll(request)
  // The caller died in the middle of its request: nothing was taken.
  if (body === null) return
  const call = { at: Date.now(), path: request.url ?? '', json: toJson(body), answer: '', ...unanswered }
  door.calls.push(call)
  response.on('error', () => {})
  response.on('finish', () => {
    Object.assign(call, { isAnswered: !request.socket.destroyed, answeredAt: Date.now() })
  })
  const action = door.script(call)
  const isTaken = action.kind !== 'refuse' && action.kind !== 'reset before read'
  const answered = isTaken ? await ask(to, request, body) : null
  call.answer = answered?.text ?? ''
  const of = about(call)
  if (of !== undefined) {
    const accepted = answered !== null && took(answered.json)
    ledger.append({ at: call.at, route: name, id: '', about: of, action: nameOf(action), accepted, effect: accepted })
  }
  if (action.kind !== 'ok') return act(action, request, response)
  setTimeout(() => {
    response.writeHead(answered?.status ?? 502, answered?.headers ?? {})
    response.end(answered?.text ?? '')
  }, action.delayMs ?? 0)
}

const unanswered = { isAnswered: false, answeredAt: 0 }

async function ask(to: string, { method = 'POST', url = '/', headers }: IncomingMessage, body: Buffer) {
  const { authorization, 'content-type': type } = headers
  const reply = await fetch(`${to}${url}`, {
    method,
    headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
    ...(method !== 'GET' && { body: new Uint8Array(body) }),
    redirect: 'manual',
  })
  const text = await reply.text()
  const retryAfter = reply.headers.get('retry-after')
  const shown = {
    'content-type': reply.headers.get('content-type') ?? '',
    ...(retryAfter !== null && { 'retry-after': retryAfter }),
  }
  return { status: reply.status, headers: shown, text, json: parse(text) }
}

function toJson(body: Buffer): Record<string, unknown> {
  const json = parse(body.toString())
  if (typeof json === 'object' && json !== null) return { ...json }
  return Object.fromEntries(new URLSearchParams(body.toString()))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return null
  }
}
