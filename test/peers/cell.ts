import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { WebSocketServer } from 'ws'

export type CellEnvironment = {
  id: string
  state: 'active' | 'arriving' | 'frozen' | 'departed'
  /** Where it lives now, if it departed. */
  cell?: string
  /** Where it lives so far, if it is arriving. */
  sourceCell?: string
  generation: number
  /** What leads to it: keys, identifiers, integrations and links, as they are asked for. */
  names: string[]
}

export type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }
type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

/** A small server that speaks as a cell does to a gateway. It knows whose a request is by `who`. */
export async function startCell(name: string, token: string) {
  const environments: CellEnvironment[] = []
  const asked: Asked[] = []
  const questions: string[] = []
  const connections = new Set<Socket>()
  const state = {
    /** In place of the usual answer. */
    answer: null as Handler | null,
    /** Called as soon as the head of a request is there; true: it has been dealt with. */
    early: null as ((request: IncomingMessage, response: ServerResponse) => boolean) | null,
    ready: true,
    /** Answers nothing, not even probes. */
    isFrozen: false,
    tellsEnvironment: true,
  }
  const find = (text: string) => environments.find(({ id, names }) => id === text || names.includes(text))

  const server = createServer((request, response) => {
    const { url = '', method = '', headers } = request
    const { pathname, searchParams } = new URL(url, 'http://cell')
    const say = (status: number, json: object, more: Record<string, string> = {}) => {
      const text = JSON.stringify(json)
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(text)
    }
    if (state.isFrozen) return
    if (pathname === '/health/live') return say(200, {})
    if (pathname === '/health/ready') return say(state.ready ? 200 : 503, {})
    if (pathname === '/v1/cells/where') {
      questions.push(url)
      if (headers.authorization !== `Bearer ${token}`) return say(401, { code: 'unauthorized' })
      const found = find([...searchParams.values()][0] ?? '')
      if (!found) return say(404, { code: 'environment_not_found' })
      const { id: environmentId, generation, state } = found
      return say(200, { environmentId, cell: found.cell ?? name, generation, state })
    }
    if (state.early?.(request, response)) return
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const found = find(whoOf(request, body))
      if (found?.state === 'departed') {
        const where = { 'tidings-cell': found.cell ?? '', 'tidings-generation': String(found.generation) }
        return say(421, { code: 'wrong_cell' }, where)
      }
      if (found && found.state !== 'active') {
        const lives = found.sourceCell && {
          'tidings-cell': found.sourceCell,
          'tidings-generation': String(found.generation),
        }
        return say(503, { code: 'held' }, { 'tidings-held': found.state, 'retry-after': '1', ...lives })
      }
      asked.push({ method, url, headers, body })
      if (state.answer) return state.answer(request, response, body)
      const tells = found && state.tellsEnvironment && headers['tidings-gateway'] === '1'
      say(found ? 200 : 401, { cell: name }, tells ? { 'tidings-environment': found.id } : {})
    })
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.send(`hello from ${name}`)
    socket.on('message', (data) => socket.send(`${name} heard ${data}`))
  })
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    name,
    port,
    url: `http://127.0.0.1:${port}`,
    environments,
    asked,
    questions,
    sockets,
    state,
    connections,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      for (const socket of connections) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export type TestCell = Awaited<ReturnType<typeof startCell>>

/** As a cell reads it: an API key, the last part of a link, or the identifier in the body. */
function whoOf({ headers, url = '' }: IncomingMessage, body: Buffer): string {
  const { authorization = '' } = headers
  if (authorization.startsWith('ApiKey ')) return authorization.slice('ApiKey '.length)
  if (authorization.startsWith('Bearer ')) return authorization.slice('Bearer '.length)
  const link = /^\/v1\/(?:webhooks|unsubscribe)\/(?:[a-z0-9]{1,16}[-.](?=sealed|[0-9a-f]{8}-))?([^?]+)/.exec(url)?.[1]
  if (link) return link
  try {
    const { applicationIdentifier, key } = JSON.parse(body.toString())
    return applicationIdentifier ?? key ?? ''
  } catch {
    return new URL(url, 'http://cell').searchParams.get('token') ?? ''
  }
}
