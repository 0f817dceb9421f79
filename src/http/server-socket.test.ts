import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { errorTable } from '../errors.ts'

const h = useHarness()

type Answer = { status: number; head: string; body: string }

/** What the server says to these bytes until it closes the connection. */
function speak(bytes: string, url = h.url): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('utf8').on('data', (data) => {
      text += data
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const end = text.indexOf('\r\n\r\n')
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]),
        head: text.slice(0, end),
        body: text.slice(end + 4),
      })
    })
    socket.write(bytes)
  })
}

function expectJsonError({ status, head, body }: Answer): void {
  const id = /^x-request-id: (\S+)$/im.exec(head)?.[1]
  expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/im)
  expect(head).toMatch(new RegExp(`^content-length: ${Buffer.byteLength(body)}$`, 'im'))
  const error = JSON.parse(body)
  expect(error).toMatchObject({ statusCode: status, requestId: id, path: expect.any(String) })
  expect(errorTable[error.code as keyof typeof errorTable][0]).toBe(status)
  expect(Date.parse(error.timestamp)).toBeGreaterThan(0)
}

const close = 'host: x\r\nconnection: close\r\n'
const chunked = `POST /v2/topics HTTP/1.1\r\n${close}content-type: application/json\r\ntransfer-encoding: chunked\r\n`

describe('bytes that are no request get the error every client can read', () => {
  test.each([
    ['text', 'hello world\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown method', `FOO /v2/topics HTTP/1.1\r\n${close}\r\n`, 400],
    ['an unknown version', `GET /v2/topics HTTP/9.9\r\n${close}\r\n`, 400],
    ['a raw NUL in the path', `GET /v2/\0 HTTP/1.1\r\n${close}\r\n`, 400],
    ['a header without a colon', `GET / HTTP/1.1\r\n${close}nonsense\r\n\r\n`, 400],
    ['no host', 'GET /v2/topics HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['a content-length that is none', `POST / HTTP/1.1\r\n${close}content-length: abc\r\n\r\n`, 400],
    ['two lengths', `POST / HTTP/1.1\r\n${close}content-length: 3\r\ncontent-length: 4\r\n\r\nabc`, 400],
    [
      'a length beside chunks',
      `POST / HTTP/1.1\r\n${close}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n`,
      400,
    ],
    ['a header of 20 kB', `GET / HTTP/1.1\r\n${close}x: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['a path of 20 kB', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\n${close}\r\n`, 431],
  ])('%s', async (_name, bytes, status) => {
    const answer = await speak(bytes)
    expect(answer.status).toBe(status)
    expectJsonError(answer)
  })

  test('a broken chunk, after a good key', async () => {
    const env = await h.environment()
    const answer = await speak(`${chunked}authorization: ApiKey ${env.key}\r\n\r\nzz\r\n\r\n`)
    expect(answer.status).toBe(400)
    expectJsonError(answer)
  })

  test('a sender too slow to wait for is told 408, which clients repeat', async () => {
    const node = await h.node()
    const accepted = new Promise<Socket>((resolve) => node.server.server.once('connection', resolve))
    const answering = speak('GET / HT', node.url)
    const cause = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    node.server.server.emit('clientError', cause, await accepted)
    const answer = await answering
    expect(answer.status).toBe(408)
    expectJsonError(answer)
  })
})

describe('unusual but readable requests are answered like any other', () => {
  test.each([
    ['HTTP/1.0 without a host', 'GET /v2/topics HTTP/1.0\r\n'],
    ['an absolute target', `GET http://elsewhere/v2/topics HTTP/1.1\r\n${close}`],
    ['an expectation we do not know', `GET /v2/topics HTTP/1.1\r\n${close}expect: miracles\r\n`],
    ['a body on GET', `GET /v2/topics HTTP/1.1\r\n${close}content-type: text/plain\r\ncontent-length: 0\r\n`],
  ])('%s', async (_name, head) => {
    const env = await h.environment()
    const answer = await speak(`${head}authorization: ApiKey ${env.key}\r\n\r\n`)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toMatchObject({ data: [] })
    const refused = await speak(`${head}\r\n`)
    expect(refused.status).toBe(401)
    expectJsonError(refused)
  })

  test('a body in chunks, one of them a byte', async () => {
    const env = await h.environment()
    const body = '1\r\n{\r\n9\r\n"key":"a"\r\n1\r\n}\r\n0\r\n\r\n'
    const answer = await speak(`${chunked}authorization: ApiKey ${env.key}\r\n\r\n${body}`)
    expect(answer.status).toBe(200)
  })
})

test('who sends what is no request and never hangs up is cut', async () => {
  const node = await h.node()
  const { hostname, port } = new URL(node.url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.resume().write('GARBAGE\r\n\r\n')
  await new Promise((resolve) => socket.once('end', resolve))
  const open = () => new Promise((resolve) => node.server.server.getConnections((_error, count) => resolve(count)))
  await expect.poll(open, { timeout: 10_000 }).toBe(0)
  socket.destroy()
})
