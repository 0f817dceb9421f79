import { createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type HttpReceiver, makeCertificate, type Scripted, startHttpReceiver } from '../../test/peers/http-receiver.ts'
import type { Fault, HttpReply, HttpRequest } from '../lib/outbound.ts'
import { addressGuard } from './address-guard.ts'
import { createHttp, type HttpOptions } from './http.ts'

const certificate = makeCertificate()
// More than the system takes before anybody reads.
const largeBytes = 16 * 1024 * 1024
const large = 'x'.repeat(largeBytes)
const open: { close(): Promise<void> }[] = []
let plain: HttpReceiver
let secure: HttpReceiver

beforeAll(async () => {
  plain = await startHttpReceiver()
  secure = await startHttpReceiver({ tls: certificate })
  return async () => {
    await plain.close()
    await secure.close()
  }
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  plain.answer = {}
  plain.requests.length = 0
})

function client(options: HttpOptions = {}, ...ports: number[]) {
  const allowedPorts = [plain.port, secure.port, ...ports]
  const http = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts }), options)
  open.push(http)
  return http
}

const post = (request: Partial<HttpRequest> = {}, options: HttpOptions = {}) =>
  client(options)({ url: plain.url, json: { a: 1 }, ...request })

function expectReply(answer: HttpReply | Fault): HttpReply {
  if (answer.kind === 'fault') throw new Error(`a fault: ${answer.reason}`)
  return answer
}

describe('requests', () => {
  test('each form of body arrives as it is meant, with its type', async () => {
    const http = client()
    const url = `${plain.url}/path?q=1&r=%20x`
    const file = {
      name: 'file"\r\nx: y',
      filename: 'ü"\r\n.txt',
      mime: 'text/plain\r\nx: y',
      content: Buffer.from('hi'),
    }
    await http({ url, json: { ü: [1, null] } })
    await http({ url, form: { a: '1&2', b: 'ü' } })
    await http({
      url,
      form: [
        ['a', '1'],
        ['a', '2'],
      ],
    })
    await http({ url, multipart: [{ name: 'b', value: 'v' }, file, { name: 'a', value: 'w' }] })
    await http({ url, body: '<x/>', headers: { 'Content-Type': 'text/xml', 'X-Key': ' k ' }, method: 'PUT' })
    await http({ url, body: new Uint8Array([0, 255]) })
    await http({ url, method: 'GET' })
    const [json, form, pairs, multipart, body, bytes, get] = plain.requests
    expect(json).toMatchObject({ method: 'POST', url: '/path?q=1&r=%20x', json: { ü: [1, null] } })
    expect(json?.headers).toMatchObject({ 'content-type': 'application/json', 'accept-encoding': 'identity' })
    expect([form?.body.toString(), pairs?.body.toString()]).toEqual(['a=1%262&b=%C3%BC', 'a=1&a=2'])
    const read = await new Response(multipart?.body, {
      headers: { 'content-type': String(multipart?.headers['content-type']) },
    }).formData()
    expect([...read.keys()]).toEqual(['b', 'file"\r\nx: y', 'a'])
    const sent = read.get('file"\r\nx: y')
    expect(sent instanceof File && [sent.name, sent.type]).toEqual(['ü"\r\n.txt', 'application/octet-stream'])
    expect(body).toMatchObject({ method: 'PUT', headers: { 'content-type': 'text/xml', 'x-key': 'k' } })
    expect(bytes?.body).toEqual(Buffer.from([0, 255]))
    expect(get?.headers['content-length']).toBeUndefined()
  })

  test('the same parts are the same bytes at every try', async () => {
    const http = client()
    const multipart = [{ name: 'a', value: 'b' }]
    await http({ url: plain.url, multipart })
    await http({ url: plain.url, multipart })
    const [first, second] = plain.requests
    expect(first?.body).toEqual(second?.body)
    expect(first?.headers['content-type']).toBe(second?.headers['content-type'])
  })

  test.each([
    { 'x-key': 'a\r\nx-other: b' },
    { 'x-key': 'a\nb' },
    { 'x-key': 'a\0' },
    { 'x-key': 'snow\u2603' },
    { 'x-key': '\u2028' },
    { 'x key': 'a' },
    { 'x\r\ny': 'a' },
    { '': 'a' },
    { Host: 'other.example.com' },
    { 'Content-Length': '1' },
    { 'transfer-encoding': 'chunked' },
    { Connection: 'upgrade' },
    { expect: '100-continue' },
  ])('a header that would change the message is refused: %j', async (headers) => {
    expect(await post({ headers })).toMatchObject({ kind: 'fault', sent: false, refused: true })
    expect(plain.requests).toEqual([])
  })

  test('what is no JSON is refused, not thrown', async () => {
    const loop: Record<string, unknown> = {}
    loop.self = loop
    for (const json of [loop, 1n, () => 1]) {
      expect(await post({ json })).toMatchObject({ kind: 'fault', sent: false, refused: true })
    }
  })
})

describe('replies', () => {
  test('status, headers in lower case, text and JSON', async () => {
    plain.answer = { status: 201, headers: { 'X-A': ['1', '2'], __proto__: 'x' }, json: { id: 'ü' } }
    const reply = expectReply(await post())
    expect(reply).toMatchObject({ status: 201, headers: { 'x-a': '1, 2' }, text: '{"id":"ü"}', json: { id: 'ü' } })
  })

  test('a redirect is a reply, wherever it points', async () => {
    for (const location of ['http://169.254.169.254/', `${secure.url}/`, '/again']) {
      plain.answer = { status: 307, headers: { location } }
      expect(await post()).toMatchObject({ status: 307, headers: { location } })
    }
    expect(plain.requests).toHaveLength(3)
  })

  test('a body without end is cut at the cap and is still an answer', async () => {
    plain.answer = 'endless'
    const reply = expectReply(await post())
    expect([reply.status, reply.text.length, reply.json]).toEqual([200, 64 * 1024, undefined])
  })

  test('a large body below the cap is read whole', async () => {
    plain.answer = { json: { text: 'x'.repeat(900_000) } }
    expect(expectReply(await post()).json).toEqual({ text: 'x'.repeat(900_000) })
  })

  test('a packed body is read although not asked for, and a bomb is not', async () => {
    const headers = { 'content-encoding': 'gzip' }
    plain.answer = { headers, body: gzipSync('{"a":1}') }
    expect(expectReply(await post()).json).toEqual({ a: 1 })
    plain.answer = { headers, body: gzipSync(Buffer.alloc(100 * 1024 * 1024)) }
    const before = process.memoryUsage().rss
    expect(await post()).toMatchObject({ status: 200, text: '', json: undefined })
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024)
    for (const encoding of ['gzip, gzip', 'zstd', '__proto__']) {
      plain.answer = { headers: { 'content-encoding': encoding }, body: 'not that' }
      expect(await post()).toMatchObject({ status: 200, text: '', json: undefined })
    }
  })

  test('a body that is cut or drips too long keeps its status, and is no JSON', async () => {
    plain.answer = 'cut body'
    expect(await post()).toMatchObject({ kind: 'reply', status: 200, text: '{"id":"1"}', json: undefined })
    plain.answer = 'drip'
    const started = Date.now()
    expect(await post({}, { totalMs: 1_000 })).toMatchObject({ kind: 'reply', status: 200, json: undefined })
    expect(Date.now() - started).toBeLessThan(5_000)
  })
})

describe('what was sent and what was not', () => {
  const sent: [name: string, script: Scripted, options: HttpOptions][] = [
    ['cut before it was read', 'reset before read', {}],
    ['cut after it was read', 'accept then reset', {}],
    ['no answer in time', 'hang', { headersMs: 100 }],
    ['no answer in all the time', 'hang', { totalMs: 1_000 }],
    ['an answer that is not HTTP', 'garbage', {}],
    ['headers without end', { headers: { 'x-long': 'x'.repeat(60_000) } }, {}],
  ]
  test.each(sent)('%s: may have been sent', async (_name, script, options) => {
    plain.answer = script
    const answer = await post({ url: `${plain.url}/path-secret?token=secret` }, options)
    expect(answer).toMatchObject({ kind: 'fault', sent: true })
    expect(answer).not.toHaveProperty('refused')
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  test('a refused connection was not sent', async () => {
    const gone = await startHttpReceiver()
    await gone.close()
    const answer = await client({}, gone.port)({ url: gone.url })
    expect(answer).toEqual({ kind: 'fault', sent: false, reason: '127.0.0.1 refused the connection' })
  })

  test('a name that is not found, or not found in time, was not sent', async () => {
    const url = 'https://hooks.example.com/secret?token=secret'
    const missing = Object.assign(new Error('secret'), { code: 'ENOTFOUND' })
    expect(await client({ lookup: () => Promise.reject(missing) })({ url })).toEqual({
      kind: 'fault',
      sent: false,
      reason: 'the name hooks.example.com was not found',
    })
    expect(await client({ lookup: async () => [] })({ url })).toMatchObject({ sent: false })
    const never = () => new Promise<string[]>(() => {})
    expect(await client({ lookup: never, connectMs: 50 })({ url })).toMatchObject({
      sent: false,
      reason: 'hooks.example.com did not answer in time',
    })
  })

  test('what still waits for a connection when it may not begin any more was not sent', async () => {
    plain.answer = { delayMs: 1_000 }
    const http = client({ connectionsPerOrigin: 1 })
    let isStopping = false
    const ask = () => http({ url: plain.url, mayBegin: () => !isStopping })
    const answers = [ask(), ask(), ask()]
    await expect.poll(() => plain.requests.length, { interval: 5 }).toBe(1)
    isStopping = true
    expect(await Promise.all(answers)).toMatchObject([{ status: 200 }, { sent: false }, { sent: false }])
    expect(plain.requests).toHaveLength(1)
  })

  test('a large request has more time, as on a slow line', async () => {
    plain.answer = { delayMs: 400 }
    const options = { headersMs: 100 }
    expect(await post({ json: 'x'.repeat(250_000) }, options)).toMatchObject({ status: 200 })
    expect(await post({}, options)).toMatchObject({ sent: true })
  })

  test('the time for an answer begins when the request is out, however slow the line was', async () => {
    const slow = await listen((socket) => {
      socket.pause()
      setTimeout(() => socket.resume(), 500)
      let bytes = 0
      socket.on('data', (chunk) => {
        bytes += chunk.length
        if (bytes > largeBytes) setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 600)
      })
    })
    const options = { headersMs: 900, uploadBytesPerMs: 1_000_000 }
    const answer = await client(options, slow.port)({ url: `http://127.0.0.1:${slow.port}`, body: large })
    expect(answer).toMatchObject({ status: 200 })
  })

  const halfway: [name: string, serve: (socket: Socket) => void, options: HttpOptions][] = [
    ['that nobody takes', (socket) => socket.pause(), { totalMs: 1_000 }],
    ['on a line that is too slow', (socket) => socket.pause(), { headersMs: 500, uploadBytesPerMs: 1_000_000 }],
    ['that is cut halfway', (socket) => socket.once('data', () => socket.resetAndDestroy()), {}],
  ]
  test.each(halfway)('a large request %s was not sent: nobody acts on a part of one', async (_name, serve, options) => {
    const peer = await listen(serve)
    const answer = await client(options, peer.port)({ url: `http://127.0.0.1:${peer.port}`, body: large })
    expect(answer).toMatchObject({ kind: 'fault', sent: false })
  })

  test('a large request that went out whole and had no answer may have been sent', async () => {
    plain.answer = 'hang'
    expect(await post({ json: 'x'.repeat(largeBytes) }, { totalMs: 3_000 })).toMatchObject({
      kind: 'fault',
      sent: true,
    })
    plain.answer = 'accept then reset'
    expect(await post({ json: 'x'.repeat(largeBytes) })).toMatchObject({ kind: 'fault', sent: true })
  })

  test('a large request arrives as it was given, also on a connection that is used again', async () => {
    const http = client({ connectionsPerOrigin: 1 })
    const bodies = [64 * 1024, 64 * 1024 + 1, 3 * 64 * 1024, 5].map((bytes) => 'x'.repeat(bytes))
    for (const body of bodies) expect(await http({ url: plain.url, body })).toMatchObject({ status: 200 })
    expect(plain.requests.map(({ body }, n) => body.toString() === bodies[n])).toEqual([true, true, true, true])
    expect(plain.requests.map(({ headers }) => headers['content-length'])).toEqual(bodies.map((it) => `${it.length}`))
  })

  test('a failed TLS handshake was not sent', async () => {
    const fault = (reason: string) => ({ kind: 'fault', sent: false, reason: expect.stringContaining(reason) })
    expect(await client()({ url: secure.url })).toMatchObject(fault('signed itself; to trust it'))
    const noTls = await client()({ url: plain.url.replace('http', 'https') })
    expect(noTls).toMatchObject(fault('does not speak TLS on this port'))
    expect(secure.requests).toEqual([])
    expect(await client({ ca: certificate.cert })({ url: secure.url })).toMatchObject({ status: 200 })
  })

  test('a certificate for another name is not accepted', async () => {
    const lookup = async () => ['127.0.0.1']
    const ask = (name: string) => client({ ca: certificate.cert, lookup })({ url: `https://${name}:${secure.port}/` })
    expect(await ask('hooks.example.com')).toMatchObject({ status: 200 })
    const reason = expect.stringContaining('is for another name')
    expect(await ask('hooks.example.org')).toMatchObject({ kind: 'fault', sent: false, reason })
  })

  test('a handshake that hangs was not sent', async () => {
    const silent = await listen(() => {})
    const answer = await client({ handshakeMs: 50 }, silent.port)({ url: `https://127.0.0.1:${silent.port}/` })
    expect(answer).toEqual({ kind: 'fault', sent: false, reason: '127.0.0.1 did not answer in time' })
  })

  test('a request that waited too long for a connection was never sent', async () => {
    plain.answer = 'hang'
    const http = client({ connectionsPerOrigin: 1, totalMs: 1_500 })
    const first = http({ url: `${plain.url}/1` })
    await expect.poll(() => plain.requests.length).toBe(1)
    // Its time is over long before the first one gives the connection back.
    expect(await http({ url: `${plain.url}/2`, deadline: Date.now() + 100 })).toMatchObject({ sent: false })
    expect(await first).toMatchObject({ sent: true })
    plain.answer = {}
    await http({ url: `${plain.url}/3` })
    expect(plain.requests.map(({ url }) => url)).toEqual(['/1', '/3'])
  })

  test('a request whose turn comes when its time is as good as over was never sent', async () => {
    plain.answer = { delayMs: 950 }
    const http = client({ connectionsPerOrigin: 1, totalMs: 1_000 })
    const first = http({ url: `${plain.url}/1`, deadline: Date.now() + 10_000 })
    expect(await http({ url: `${plain.url}/2` })).toMatchObject({ sent: false })
    await first
    expect(plain.requests.map(({ url }) => url)).toEqual(['/1'])
  })

  test('a request on a kept connection that the peer cuts is sent once and may have arrived', async () => {
    const http = client()
    for (const method of ['POST', 'GET', 'PUT', 'DELETE'] as const) {
      plain.requests.length = 0
      plain.answer = {}
      await http({ url: plain.url, method })
      plain.answer = 'accept then reset'
      expect(await http({ url: plain.url, method })).toMatchObject({ kind: 'fault', sent: true })
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(plain.requests).toHaveLength(2)
    }
  })

  test('a kept connection that the peer closed meanwhile is not used', async () => {
    const http = client()
    await http({ url: plain.url })
    plain.cut()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await http({ url: plain.url })).toMatchObject({ status: 200 })
  })
})

describe('many at once', () => {
  test('500 requests share a bounded number of connections, and a hanging origin holds up no other', async () => {
    const other = await startHttpReceiver()
    open.push(other)
    const http = client({ connectionsPerOrigin: 20, totalMs: 5_000 }, other.port)
    other.answer = 'hang'
    const hanging = Array.from({ length: 100 }, () => http({ url: other.url }))
    plain.answer = { delayMs: 5 }
    const before = plain.connections.total
    const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => http({ url: `${plain.url}/${n}` })))
    expect(answers.filter((answer) => answer.kind === 'reply')).toHaveLength(500)
    expect(new Set(plain.requests.map(({ url }) => url)).size).toBe(500)
    expect(plain.connections.total - before).toBeLessThanOrEqual(20)
    expect(other.connections.most).toBe(20)
    await http.close()
    const ends = await Promise.all(hanging)
    expect(ends.filter((answer) => answer.kind === 'fault' && answer.sent)).toHaveLength(20)
    expect(ends.filter((answer) => answer.kind === 'fault' && !answer.sent)).toHaveLength(80)
  })
})

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

async function listen(onConnection: (socket: Socket) => void): Promise<{ port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onConnection(socket)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0 }
}
