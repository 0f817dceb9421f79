import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { addEnvironment, useCells } from '../../test/peers/gateway.ts'

const cells = useCells()

async function health(url: string) {
  const { cells } = (await fetch(`${url}/health`).then((it) => it.json())) as { cells: Record<string, Use> }
  return cells
}
type Use = { state: string; inHand: number; open: number }

/** Writes bytes as they are and reads until the other side has been silent for a moment. */
async function speak(url: string, ...texts: (string | Buffer)[]): Promise<string> {
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  let heard = ''
  client.on('data', (data) => (heard += data.toString('latin1'))).on('error', () => {})
  for (const text of texts) {
    client.write(text)
    await sleep(30)
  }
  for (let before = -1; before !== heard.length || heard === ''; ) {
    before = heard.length
    await sleep(200)
    if (client.destroyed) break
  }
  client.destroy()
  return heard
}

describe('bytes that two servers could read differently reach no cell', () => {
  test.each([
    [
      'a length and chunks',
      'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\nhost: a\r\n\r\n',
    ],
    ['two lengths', 'content-length: 5\r\ncontent-length: 6\r\n\r\nhello!'],
    ['a length that is none', 'content-length: +5\r\n\r\nhello'],
    ['chunks under another name', 'transfer-encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['chunks said twice', 'transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['a header over two lines', 'x-a: b\r\n c: d\r\ncontent-length : 3\r\n\r\nabc'],
    ['two hosts', 'host: b\r\n\r\n'],
    ['a size of a chunk with something behind it', 'transfer-encoding: chunked\r\n\r\n5;a=\nb\r\nhello\r\n0\r\n\r\n'],
  ])('%s', async (_, rest) => {
    const { ca, gateway } = await cells.pair()
    const { key } = addEnvironment(ca)
    const heard = await speak(
      gateway.url,
      `POST /v1/topics HTTP/1.1\r\nhost: a\r\nauthorization: ApiKey ${key}\r\n${rest}`,
    )
    expect(heard).toMatch(/^HTTP\/1\.1 400 /)
    expect(ca.asked).toEqual([])
  })
})

test('headers of one connection stay on it; all others are passed on, also those that stand twice', async () => {
  const { ca, gateway } = await cells.pair()
  const { key } = addEnvironment(ca)
  const heard = await speak(
    gateway.url,
    `POST /v1/topics?a=%20b&c HTTP/1.1\r\nHost: notify.example.com\r\nAuthorization: ApiKey ${key}\r\n` +
      'Connection: keep-alive, X-Mine, Upgrade, HTTP2-Settings\r\nX-Mine: 1\r\nUpgrade: h2c\r\nHTTP2-Settings: a\r\nTE: trailers\r\n' +
      'X-Two: 1\r\nX-Two: 2\r\nCookie: a=1\r\nCookie: b=2\r\nTransfer-Encoding: chunked\r\nTrailer: x-t\r\n\r\n5\r\nhello\r\n0\r\nx-t: 1\r\n\r\n',
  )
  expect(heard).toMatch(/^HTTP\/1\.1 200 /)
  const [{ url, headers, body } = expect.fail()] = ca.asked
  expect([url, body.toString(), headers.host]).toEqual(['/v1/topics?a=%20b&c', 'hello', 'notify.example.com'])
  expect(headers).toMatchObject({ 'x-two': '1, 2', cookie: 'a=1; b=2', 'content-length': '5' })
  for (const name of ['x-mine', 'upgrade', 'http2-settings', 'te', 'trailer', 'transfer-encoding'])
    expect(headers[name], name).toBeUndefined()
})

test.each([
  [
    'nobody',
    {},
    {
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': undefined,
      forwarded: undefined,
    },
  ],
  [
    'a proxy that is trusted',
    { TRUST_PROXY: '127.0.0.0/8' },
    {
      'x-forwarded-for': '203.0.113.7, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'a.example',
      forwarded: 'for=203.0.113.7',
    },
  ],
])('who the client is: said by %s', async (_, settings, expected) => {
  const { ca, gateway } = await cells.pair(settings)
  const { authorization } = addEnvironment(ca)
  const said = {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'a.example',
    forwarded: 'for=203.0.113.7',
  }
  await fetch(`${gateway.url}/v1/topics`, { headers: { ...authorization, ...said } })
  const { headers } = ca.asked[0] ?? expect.fail()
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, headers[name]]))).toEqual(expected)
})

test('100-continue: the gateway asks for the body when it wants it, and not for a cell that is away', async () => {
  const { ca, gateway } = await cells.pair()
  const { authorization } = addEnvironment(ca)
  const ask = async () => {
    const outgoing = httpRequest(`${gateway.url}/v1/topics`, {
      method: 'POST',
      headers: { ...authorization, expect: '100-continue', 'content-length': '5' },
    })
    let wasAsked = false
    outgoing.on('continue', () => {
      wasAsked = true
      outgoing.end('hello')
    })
    outgoing.flushHeaders()
    const [reply] = await once(outgoing, 'response')
    reply.resume()
    outgoing.destroy()
    return [reply.statusCode, wasAsked]
  }
  expect(await ask()).toEqual([200, true])
  expect(ca.asked[0]?.body.toString()).toBe('hello')
  const frozen = cells.freeze(ca)
  await expect.poll(async () => (await health(gateway.url)).ca?.state).toBe('down')
  expect(await ask()).toEqual([503, false])
  frozen.thaw()
})

test('HEAD, 204, 304 and answers with trailers are as the cell made them', async () => {
  const { ca, gateway } = await cells.pair()
  const { authorization, key } = addEnvironment(ca)
  ca.state.answer = ({ method, url }, response) => {
    if (method === 'HEAD') return void response.writeHead(200, { 'content-length': '1234', 'x-a': 'b' }).end()
    if (url?.startsWith('/trailers')) {
      response.writeHead(200, { trailer: 'x-sum' })
      response.write('body')
      response.addTrailers({ 'x-sum': '7' })
      return void response.end()
    }
    response.writeHead(Number(url?.slice(1)), { etag: '"1"', 'set-cookie': ['a=1', 'b=2'] }).end()
  }
  const head = await fetch(`${gateway.url}/`, { method: 'HEAD', headers: authorization })
  expect([head.status, head.headers.get('content-length'), head.headers.get('x-a')]).toEqual([200, '1234', 'b'])
  for (const status of [204, 304]) {
    const reply = await fetch(`${gateway.url}/${status}`, { headers: authorization })
    expect([reply.status, reply.headers.get('etag'), reply.headers.getSetCookie()]).toEqual([
      status,
      '"1"',
      ['a=1', 'b=2'],
    ])
  }
  const heard = await speak(gateway.url, `GET /trailers HTTP/1.1\r\nhost: a\r\nauthorization: ApiKey ${key}\r\n\r\n`)
  expect(heard).toContain('0\r\nx-sum: 7\r\n\r\n')
  // Two on one connection, one after the other.
  const twice = `HEAD / HTTP/1.1\r\nhost: a\r\nauthorization: ApiKey ${key}\r\n\r\n`
  expect((await speak(gateway.url, twice + twice)).match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})

test('a slow sender takes no place in the cell until all is there; one that leaves half way reaches none', async () => {
  const { ca, gateway } = await cells.pair()
  const { key } = addEnvironment(ca)
  let began = 0
  ca.state.early = () => {
    began++
    return false
  }
  const head = `POST /v1/topics HTTP/1.1\r\nhost: a\r\nauthorization: ApiKey ${key}\r\ncontent-length: 10\r\n\r\n`
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  client.write(`${head}12345`)
  await sleep(300)
  expect(began).toBe(0)
  client.write('67890')
  await expect.poll(() => ca.asked.map(({ body }) => body.toString())).toEqual(['1234567890'])
  client.destroy()
  const leaving = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  leaving.write(`${head}12345`, () => setTimeout(() => leaving.destroy(), 100))
  await once(leaving, 'close')
  await sleep(200)
  expect(began).toBe(1)
})

test('a large upload that is refused early: the client gets the answer', async () => {
  const { ca, gateway } = await cells.pair({}, { bufferBytes: 32 * 1024 })
  const { authorization } = addEnvironment(ca)
  ca.state.early = (request, response) => {
    // As cells do: the answer first, then what still comes is read.
    response.writeHead(413, { connection: 'close' }).write('{"code":"body_too_large"}')
    request.resume().once('end', () => response.end())
    return true
  }
  const reply = await fetch(`${gateway.url}/v1/topics`, {
    method: 'POST',
    headers: authorization,
    body: 'x'.repeat(5_000_000),
  })
  expect(reply.status).toBe(413)
})

test('addresses in other forms, and headers that no cell could be sent, are answered', async () => {
  const { ca, gateway } = await cells.pair()
  const { key } = addEnvironment(ca)
  const auth = `authorization: ApiKey ${key}\r\n`
  expect(await speak(gateway.url, `GET http://a/v1/topics?b HTTP/1.1\r\nhost: a\r\n${auth}\r\n`)).toMatch(
    /^HTTP\/1\.1 200/,
  )
  expect(ca.asked[0]?.url).toBe('/v1/topics?b')
  expect(await speak(gateway.url, `OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400/)
  expect(await speak(gateway.url, `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431/,
  )
  expect(
    await speak(gateway.url, `DELETE /v1/topics HTTP/1.1\r\nhost: a\r\n${auth}content-length: 2\r\n\r\n{}`),
  ).toMatch(/^HTTP\/1\.1 200/)
  expect(ca.asked.at(-1)).toMatchObject({ method: 'DELETE', body: Buffer.from('{}') })
})

test('server-sent events come as they are said, and end on both sides', async () => {
  const { ca, gateway } = await cells.pair()
  const { authorization } = addEnvironment(ca)
  let left = false
  ca.state.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    response.once('close', () => (left = true))
    setTimeout(() => response.write('data: 1\n\n'), 300)
  }
  const leaving = new AbortController()
  const reply = await fetch(`${gateway.url}/v1/activity/stream`, { headers: authorization, signal: leaving.signal })
  const reader = reply.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n')
  expect((await health(gateway.url)).ca).toMatchObject({ inHand: 0, open: 1 })
  leaving.abort()
  await expect.poll(() => left).toBe(true)
  await expect.poll(async () => (await health(gateway.url)).ca?.open).toBe(0)
})

test('metrics are for operators', async () => {
  const { ca, gateway } = await cells.pair({ METRICS_TOKEN: 'of-the-operator' })
  const { authorization } = addEnvironment(ca)
  await fetch(`${gateway.url}/v1/topics`, { headers: authorization })
  expect((await fetch(`${gateway.url}/metrics`)).status).toBe(401)
  const text = await fetch(`${gateway.url}/metrics`, { headers: { authorization: 'Bearer of-the-operator' } }).then(
    (it) => it.text(),
  )
  expect(text).toContain('tidings_gateway_requests_total{cell="ca",status="200"} 1')
  expect(text).toContain('tidings_gateway_cell_up{cell="cb"} 1')
  const open = await cells.gateway({ ca: ca.url })
  expect((await fetch(`${open.url}/metrics`)).status).toBe(200)
  expect((await fetch(`${open.url}/metrics`, { headers: { 'x-forwarded-for': '10.0.0.1' } })).status).toBe(403)
})

test('a connection goes on after a body that was refused before its end', async () => {
  const { ca, gateway } = await cells.pair({}, { bufferBytes: 64 * 1024 })
  const { environment, key } = addEnvironment(ca)
  environment.state = 'frozen'
  ca.state.early = (_, response) => {
    response.writeHead(503, { 'tidings-held': 'frozen' }).end()
    return true
  }
  const size = 8 * 1024 * 1024
  const head = `POST /v1/topics HTTP/1.1\r\nhost: a\r\nauthorization: ApiKey ${key}\r\ncontent-length: ${size}\r\n\r\n`
  const client = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  let heard = ''
  client.on('data', (data) => (heard += data.toString('latin1'))).on('error', () => {})
  client.write(head)
  client.write(Buffer.alloc(size))
  await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 503 /)
  client.write('GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n')
  await expect.poll(() => heard).toMatch(/HTTP\/1\.1 200 /)
  client.destroy()
})
