import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2'
import { createServer as createNetServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type HttpReceiver, makeCertificate, startHttpReceiver } from '../../test/peers/http-receiver.ts'
import { addressGuard } from './address-guard.ts'
import { createHttp, type HttpOptions } from './http.ts'

const certificate = makeCertificate()
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

function client(port: number, options: HttpOptions = {}) {
  const http = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [port] }), options)
  open.push(http)
  return (path = '/', json: unknown = { a: 1 }, headers = {}) =>
    http({ url: `http://127.0.0.1:${port}${path}`, json, headers, http2: true })
}

async function receiver(options: Parameters<typeof startHttpReceiver>[0] = {}): Promise<HttpReceiver> {
  const started = await startHttpReceiver({ http2: true, ...options })
  open.push(started)
  return started
}

test('over TLS by agreement, in clear text by prior knowledge', async () => {
  const secure = await receiver({ tls: certificate })
  secure.answer = { status: 200, headers: { 'apns-id': '1' }, json: { ok: true } }
  const guard = addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [secure.port] })
  const http = createHttp(guard, { ca: certificate.cert })
  open.push(http)
  const answer = await http({
    url: `${secure.url}/3/device/x?y`,
    json: { aps: 1 },
    headers: { 'X-Key': 'k' },
    http2: true,
  })
  expect(answer).toMatchObject({ kind: 'reply', status: 200, headers: { 'apns-id': '1' }, json: { ok: true } })
  expect(secure.requests).toMatchObject([{ url: '/3/device/x?y', json: { aps: 1 }, headers: { 'x-key': 'k' } }])
  const strict = createHttp(guard)
  open.push(strict)
  expect(await strict({ url: secure.url, http2: true })).toMatchObject({ kind: 'fault', sent: false })

  const plain = await receiver()
  plain.answer = { status: 410, json: { reason: 'Unregistered' } }
  expect(await client(plain.port)()).toMatchObject({ status: 410, json: { reason: 'Unregistered' } })
})

test('a server that does not speak it got nothing', async () => {
  const old = await startHttpReceiver({ tls: certificate })
  open.push(old)
  const guard = addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [old.port] })
  const http = createHttp(guard, { ca: certificate.cert })
  open.push(http)
  expect(await http({ url: old.url, http2: true })).toMatchObject({ kind: 'fault', sent: false })
  expect(old.requests).toEqual([])
})

test('200 requests share one connection, within the streams the peer allows', async () => {
  const peer = await receiver({ maxStreams: 10 })
  let now = 0
  let most = 0
  peer.answer = () => {
    most = Math.max(most, ++now)
    setTimeout(() => now--, 5)
    return { delayMs: 5 }
  }
  const ask = client(peer.port)
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(`/${n}`)))
  expect(answers.filter((answer) => answer.kind === 'reply')).toHaveLength(200)
  expect(new Set(peer.requests.map(({ url }) => url)).size).toBe(200)
  expect(peer.connections.total).toBe(1)
  expect(most).toBeLessThanOrEqual(11)
})

describe('what was sent and what was not', () => {
  test('no answer, or a cut, may have been sent; the next request gets a new connection', async () => {
    const peer = await receiver()
    const ask = client(peer.port, { headersMs: 100 })
    peer.answer = 'hang'
    expect(await ask()).toMatchObject({ kind: 'fault', sent: true })
    peer.answer = 'accept then reset'
    expect(await ask()).toMatchObject({ kind: 'fault', sent: true })
    expect(peer.requests).toHaveLength(2)
    peer.answer = {}
    expect(await ask()).toMatchObject({ kind: 'reply', status: 200 })
  })

  test('a refused connection and a peer that says nothing were not sent', async () => {
    const gone = await startHttpReceiver()
    await gone.close()
    expect(await client(gone.port)()).toMatchObject({ kind: 'fault', sent: false })
    const mute = createNetServer((socket) => void socket.on('error', () => {}).end('no HTTP/2 here\r\n\r\n'))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    open.push(mute)
    const address = mute.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect(await client(port)()).toMatchObject({ kind: 'fault', sent: false })
  })

  test('a waiting request whose time is over was never sent', async () => {
    const peer = await receiver({ maxStreams: 1 })
    peer.answer = 'hang'
    const ask = client(peer.port, { totalMs: 1_000 })
    const [first, second] = await Promise.all([ask('/1'), ask('/2')])
    expect([first, second]).toMatchObject([{ sent: true }, { sent: false }])
    expect(peer.requests.map(({ url }) => url)).toEqual(['/1'])
  })

  test('a cap on the body, a drip and a cut keep the status', async () => {
    const peer = await receiver()
    const ask = client(peer.port, { totalMs: 1_000 })
    peer.answer = 'endless'
    expect(await ask()).toMatchObject({ status: 200, json: undefined })
    peer.answer = 'drip'
    expect(await ask()).toMatchObject({ status: 200, json: undefined })
  })
})

test('a peer that allows more streams later is believed', async () => {
  const server = createServer({ settings: { maxConcurrentStreams: 1 } })
  let now = 0
  let most = 0
  server.on('stream', (stream) => {
    if (most === 0) stream.session?.settings({ maxConcurrentStreams: 50 })
    most = Math.max(most, ++now)
    setTimeout(() => {
      now--
      if (!stream.destroyed) stream.respond({ ':status': 200 }, { endStream: true })
    }, 50)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  const address = server.address()
  const ask = client(typeof address === 'object' && address ? address.port : 0)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask()))
  expect(answers.filter((answer) => answer.kind === 'reply')).toHaveLength(20)
  expect(most).toBeGreaterThan(5)
})

test('requests that wait for one connection share its failure, and the next one tries anew', async () => {
  const gone = await startHttpReceiver({ http2: true })
  await gone.close()
  let asked = 0
  const lookup = async () => {
    asked++
    return ['127.0.0.1']
  }
  const http = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [gone.port] }), { lookup })
  open.push(http)
  const ask = () => http({ url: `http://apns.example.com:${gone.port}/`, http2: true })
  const answers = await Promise.all(Array.from({ length: 10 }, ask))
  expect(answers.filter((answer) => answer.kind === 'fault' && !answer.sent)).toHaveLength(10)
  expect(asked).toBe(1)
  await ask()
  expect(asked).toBe(2)
})

describe('a peer that goes away', () => {
  type Act = (session: ServerHttp2Session, path: string, respond: () => void) => void

  /** A server that sees every stream before it processes it. */
  async function scripted(act: Act): Promise<{ port: number; seen: string[]; sessions: number }> {
    const state = { port: 0, seen: [] as string[], sessions: 0 }
    const server: Http2Server = createServer()
    server.on('session', () => state.sessions++)
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {})
      const path = String(headers[':path'])
      state.seen.push(path)
      if (stream.session)
        act(stream.session as ServerHttp2Session, path, () => stream.respond({ ':status': 200 }, { endStream: true }))
      if (path.includes('refused')) stream.close(7)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push(server)
    const address = server.address()
    state.port = typeof address === 'object' && address ? address.port : 0
    return state
  }

  test('a refused stream goes once more over a new connection, and was not sent if that is refused too', async () => {
    const peer = await scripted(() => {})
    expect(await client(peer.port)('/refused')).toMatchObject({ kind: 'fault', sent: false })
    expect(peer.seen).toEqual(['/refused', '/refused'])
    expect(peer.sessions).toBe(2)
  })

  test('streams above the number it names were not processed, those below may have been', async () => {
    let isFirst = true
    const peer = await scripted((session, path, respond) => {
      if (!isFirst) return respond()
      if (path !== '/b') return
      isFirst = false
      // It processed the first stream (id 1) and none after it, and goes away.
      session.goaway(2, 1)
      setImmediate(() => session.destroy())
    })
    const ask = client(peer.port)
    const [a, b] = await Promise.all([ask('/a'), ask('/b')])
    expect(a).toMatchObject({ kind: 'fault', sent: true })
    expect(b).toMatchObject({ kind: 'reply', status: 200 })
    expect(peer.seen).toEqual(['/a', '/b', '/b'])
  })

  test('a friendly goodbye lets the request end and sends the next one over a new connection', async () => {
    const peer = await scripted((session, path, respond) => {
      if (path === '/a') session.goaway(0, 1)
      setTimeout(respond, 20)
    })
    const ask = client(peer.port)
    expect(await ask('/a')).toMatchObject({ status: 200 })
    expect(await ask('/b')).toMatchObject({ status: 200 })
    expect([peer.seen, peer.sessions]).toEqual([['/a', '/b'], 2])
  })
})
