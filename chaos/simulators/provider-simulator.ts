import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ledger } from './ledger.ts'
import { serveHttp } from './serve-http.ts'

/** What the provider does with a request. */
export type Action =
  /** Takes it and says so. */
  | { kind: 'ok'; delayMs?: number; body?: string }
  /** Does not take it: 4xx, 5xx, a redirect. */
  | { kind: 'refuse'; status: number; headers?: Record<string, string>; body?: string; delayMs?: number }
  /** Cuts before it has read anything. */
  | { kind: 'reset before read' }
  /** Takes it, then cuts. */
  | { kind: 'accept then reset' }
  /** Takes it and says nothing. */
  | { kind: 'hang' }
  /** Takes it and answers with bytes that are no HTTP. */
  | { kind: 'garbage' }
  /** Takes it; 200 and a body of megabytes. */
  | { kind: 'huge' }
  /** Takes it; 200 and a byte of body now and then. */
  | { kind: 'drip' }

export type Call = {
  id: string
  /** How often this key came before. */
  before: number
  /** How many requests the route had before. */
  index: number
}

export type Route = {
  name: string
  /** Drops what it knows by its key already. */
  dedupes?: boolean
  script(call: Call): Action
  /** Tells what a body is about. */
  about?(body: unknown): string
}

export type HttpSimulator = {
  port: number
  url(route: Route): string
  add(route: Route): Route
  connections(): number
}

/** A provider on loopback, in the runner's own process: it outlives every worker that is killed. */
export async function startHttpSimulator(ledger: Ledger, host = '127.0.0.1', at = 0): Promise<HttpSimulator> {
  const routes = new Map<string, Known>()
  let connections = 0
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const route = routes.get((request.url ?? '').slice(1))
    if (route) void serve(ledger, route, request, response)
    else response.writeHead(404).end()
  }
  const port = await serveHttp(handle, { host, port: at, onConnection: () => connections++ })
  return {
    port,
    url: (route) => `http://${host}:${port}/${route.name}`,
    add(route) {
      routes.set(route.name, { ...route, seen: new Map(), effects: new Set(), index: 0 })
      return route
    },
    connections: () => connections,
  }
}

type Known = Route & { seen: Map<string, number>; effects: Set<string>; index: number }

async function serve(ledger: Ledger, route: Known, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = Date.now()
  const id = String(request.headers['webhook-id'] ?? '')
  const before = route.seen.get(id) ?? 0
  route.seen.set(id, before + 1)
  const action = route.script({ id, before, index: route.index++ })
  const note = (about: string, accepted: boolean) => {
    const effect = accepted && (route.dedupes !== true || !route.effects.has(id))
    if (effect) route.effects.add(id)
    ledger.append({ at, route: route.name, id, about, action: nameOf(action), accepted, effect })
  }
  if (action.kind === 'reset before read') {
    note('', false)
    act(action, request, response)
    return
  }
  const body = await readBody(request)
  // The caller died in the middle of its request: nothing was taken.
  if (body === null) return
  note((route.about ?? defaultAbout)(body), action.kind !== 'refuse')
  act(action, request, response)
}

export function nameOf(action: Action): string {
  return action.kind === 'refuse' ? String(action.status) : action.kind
}

/** E-mails have it as their subject, texts as their content. */
function defaultAbout(body: unknown): string {
  if (typeof body !== 'object' || body === null) return ''
  if ('subject' in body) return String(body.subject)
  return 'content' in body ? String(body.content) : ''
}

export function act(action: Action, request: IncomingMessage, response: ServerResponse): void {
  response.on('error', () => {})
  switch (action.kind) {
    case 'ok': {
      const body = action.body ?? '{"id":"taken"}'
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), action.delayMs ?? 0)
      return
    }
    case 'refuse':
      setTimeout(
        () => response.writeHead(action.status, action.headers ?? {}).end(action.body ?? ''),
        action.delayMs ?? 0,
      )
      return
    case 'reset before read':
    case 'accept then reset':
      request.socket.resetAndDestroy()
      return
    case 'hang':
      return
    case 'garbage':
      request.socket.end('220 \u0000\u0001 this is no HTTP\r\n\r\n')
      return
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(Buffer.alloc(8 * 1024 * 1024, 'x'))
      return
    case 'drip': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(timer))
    }
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return JSON.parse(Buffer.concat(chunks).toString() || '{}')
  } catch {
    return null
  }
}
