import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  createSecureServer,
  createServer as createServer2,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'

export type ReceivedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer; json: unknown }

/** What the receiver does with a request. A word: what happens on the connection instead of an answer. */
export type Scripted =
  | {
      status?: number
      headers?: Record<string, string | string[]>
      body?: string | Buffer
      json?: unknown
      delayMs?: number
    }
  /** Cuts at the first bytes, and has read nothing. */
  | 'reset before read'
  /** Reads the whole request, records it, then cuts. */
  | 'accept then reset'
  /** Reads and records, but never answers. */
  | 'hang'
  /** Bytes that are not HTTP. */
  | 'garbage'
  /** A status, half of the promised body, a cut. */
  | 'cut body'
  /** A status, then one byte of body every 20 ms without end. */
  | 'drip'
  /** A status and a body without end. */
  | 'endless'

export type HttpReceiver = {
  url: string
  port: number
  /** What was read whole, in order. */
  requests: ReceivedRequest[]
  /** Connections ever made, and the most open at a time. */
  connections: { total: number; open: number; most: number }
  /** A function may take its time: what happens meanwhile happens while the request is under way. */
  answer: Scripted | ((request: ReceivedRequest) => Scripted | Promise<Scripted>)
  /** Cuts every connection that is open now. */
  cut(): void
  close(): Promise<void>
}

type Request = IncomingMessage | Http2ServerRequest
type Response = ServerResponse | Http2ServerResponse

/** A real peer on loopback that follows a script. */
export async function startHttpReceiver(
  options: { tls?: Certificate; http2?: boolean; maxStreams?: number } = {},
): Promise<HttpReceiver> {
  const sockets = new Set<Socket>()
  const receiver: HttpReceiver = {
    url: '',
    port: 0,
    requests: [],
    connections: { total: 0, open: 0, most: 0 },
    answer: {},
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      receiver.cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  const server = makeServer(options, (request, response) => void serve(receiver, request, response))
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    const { connections } = receiver
    connections.total++
    connections.most = Math.max(connections.most, ++connections.open)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      connections.open--
    })
    if (receiver.answer === 'reset before read') socket.once('data', () => socket.resetAndDestroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `${options.tls ? 'https' : 'http'}://127.0.0.1:${receiver.port}`
  return receiver
}

function makeServer(
  { tls, http2, maxStreams = 100 }: { tls?: Certificate; http2?: boolean; maxStreams?: number },
  listener: (request: Request, response: Response) => void,
): Server {
  const settings = { settings: { maxConcurrentStreams: maxStreams } }
  if (http2) return tls ? createSecureServer({ ...tls, ...settings }, listener) : createServer2(settings, listener)
  return tls ? createTlsServer(tls, listener) : createServer(listener)
}

async function serve(receiver: HttpReceiver, request: Request, response: Response): Promise<void> {
  const body = await readAll(request)
  if (!body || receiver.answer === 'reset before read') return
  const { method = '', url = '', headers } = request
  const received = { method, url, headers, body, json: parse(body) }
  receiver.requests.push(received)
  const { answer } = receiver
  act(typeof answer === 'function' ? await answer(received) : answer, request, response)
}

function act(scripted: Scripted, request: Request, response: Response): void {
  const socket = 'stream' in request ? request.stream.session?.socket : request.socket
  response.on('error', () => {})
  switch (scripted) {
    case 'hang':
    case 'reset before read':
      return
    case 'accept then reset':
      if ('stream' in request) request.stream.session?.destroy()
      socket?.destroy()
      return
    case 'garbage':
      request.socket.end('220 this is no HTTP\r\n\r\n')
      return
    case 'cut body':
      writeHead(response, 200, { 'content-type': 'application/json', 'content-length': '100' })
      write(response, '{"id":"1"}')
      setTimeout(() => request.socket.destroy(), 20)
      return
    case 'drip':
    case 'endless': {
      writeHead(response, 200, { 'content-type': 'application/json' })
      const piece = scripted === 'drip' ? ' ' : 'x'.repeat(256 * 1024)
      const timer = setInterval(() => write(response, piece), scripted === 'drip' ? 20 : 1)
      response.on('close', () => clearInterval(timer))
      return
    }
    default: {
      const {
        status = 200,
        headers = {},
        json,
        body = json === undefined ? '' : JSON.stringify(json),
        delayMs = 0,
      } = scripted
      setTimeout(() => {
        writeHead(response, status, { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers })
        response.end(body)
      }, delayMs)
    }
  }
}

// The two kinds of response have the same methods with different overloads.
function writeHead(response: Response, status: number, headers: Record<string, string | string[]>): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

function write(response: Response, piece: string): void {
  if ('stream' in response) response.write(piece)
  else response.write(piece)
}

async function readAll(request: Request): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return null
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

export type Certificate = { key: string; cert: string }

/** A new key and self-signed certificate for loopback and example.com, so that no key is in the repository. */
export function makeCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('Tidings test')))))
  const time = (year: number) => der(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`))
  const names = ['localhost', 'example.com', '*.example.com'].map((each) => der(0x82, Buffer.from(each)))
  const extension = (id: Buffer, value: Buffer) => sequence(id, der(0x04, value))
  const year = new Date().getUTCFullYear()
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(year - 1), time(year + 2)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension(oid(0x55, 0x1d, 0x11), sequence(...names, der(0x87, Buffer.from([127, 0, 0, 1])))),
        extension(oid(0x55, 0x1d, 0x13), sequence(der(0x01, Buffer.from([0xff])))),
      ),
    ),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const base64 = sequence(body, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function oid(...bytes: number[]): Buffer {
  return der(0x06, Buffer.from(bytes))
}
