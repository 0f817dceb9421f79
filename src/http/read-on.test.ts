import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'

/** A client that writes its whole body before it reads must find the 413, not a broken pipe. */
const h = useHarness()
const mb = 1024 * 1024
const piece = Buffer.alloc(64 * 1024, 'x')

const drained = (socket: Socket) => new Promise<void>((resolve) => socket.once('drain', () => resolve()))

type Told = { text: string; fault: string | null; sentBytes: number; closedAfterMs: number }

async function upload(framing: 'length' | 'chunks', bytes: number, announced = bytes): Promise<Told> {
  const { key } = await h.environment()
  const { hostname, port } = new URL(h.url)
  const socket = connect(Number(port), hostname)
  const told: Told = { text: '', fault: null, sentBytes: 0, closedAfterMs: 0 }
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', (error: NodeJS.ErrnoException) => {
    told.fault = error.code ?? error.message
  })
  await once(socket, 'connect')
  const size = framing === 'length' ? `content-length: ${announced}` : 'transfer-encoding: chunked'
  socket.write(
    `POST /v2/topics HTTP/1.1\r\nhost: x\r\nauthorization: ApiKey ${key}\r\ncontent-type: application/json\r\n${size}\r\n\r\n`,
  )
  const startedAt = performance.now()
  const frame = framing === 'length' ? [piece] : [Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]
  while (told.sentBytes < bytes && !socket.destroyed) {
    if (!socket.write(Buffer.concat(frame))) await Promise.race([drained(socket), closed])
    told.sentBytes += piece.length
    // As a client on a slow line: the server has long answered.
    if (told.sentBytes === 2 * mb) await sleep(200)
  }
  if (framing === 'chunks' && !socket.destroyed) socket.write('0\r\n\r\n')
  // Only now does it read.
  socket.setEncoding('utf8').on('data', (data) => {
    told.text += data
  })
  await closed
  told.closedAfterMs = performance.now() - startedAt
  return told
}

describe.each(['length', 'chunks'] as const)('a body past the limit, by %s', (framing) => {
  test('is read on, so that its sender finds the reply', async () => {
    const told = await upload(framing, 8 * mb)
    expect(told).toMatchObject({ fault: null, sentBytes: 8 * mb })
    expect(told.text).toMatch(/^HTTP\/1\.1 413 /)
    expect(told.text).toMatch(/^connection: close\r$/im)
    expect(JSON.parse(told.text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'body_too_large' })
  })

  test('is not read for ever', async () => {
    const { sentBytes } = await upload(framing, 500 * mb)
    expect(sentBytes).toBeLessThan(200 * mb)
  })
})

test('who announces much and sends nothing is answered and let go', async () => {
  const told = await upload('length', 0, 99_999_999_999)
  expect(told.text).toMatch(/^HTTP\/1\.1 413 /)
  expect(told.closedAfterMs).toBeLessThan(5_000)
})
