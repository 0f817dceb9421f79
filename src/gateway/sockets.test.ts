import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { addEnvironment, move, useCells } from '../../test/peers/gateway.ts'
import { makeInboxToken } from '../core/inbox/inbox-token.ts'
import { createSealer } from '../lib/seal.ts'
import { uuid7 } from '../lib/uuid7.ts'

const cells = useCells()
const sealer = createSealer([{ id: 'k1', bytes: Buffer.alloc(32, 1) }])

function tokenOf(environmentId: string): string {
  const claims = { subscriberId: uuid7(new Date()), contextKeys: [], vouchedBy: null, lookOnly: false }
  return makeInboxToken(sealer, { environmentId, ...claims, expiresAt: new Date(Date.now() + 60_000) })
}

function open(url: string, environmentId: string) {
  const query = `EIO=4&transport=websocket&token=${tokenOf(environmentId)}`
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?${query}`)
  const heard: string[] = []
  socket.on('message', (data) => heard.push(String(data)))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  return { socket, heard, closed }
}

type Uses = { cells: Record<string, { open: number }> }

async function openOf(url: string, cell: string) {
  const { cells } = (await fetch(`${url}/health`).then((it) => it.json())) as Uses
  return cells[cell]?.open
}

test('a socket goes to the cell of its environment, says and hears, and ends on both sides', async () => {
  const { cb, gateway } = await cells.pair()
  const { environment } = addEnvironment(cb)
  const { socket, heard, closed } = open(gateway.url, environment.id)
  await expect.poll(() => heard).toEqual(['hello from cb'])
  const long = 'x'.repeat(100_000)
  socket.send(long)
  await expect.poll(() => heard[1]).toBe(`cb heard ${long}`)
  expect(await openOf(gateway.url, 'cb')).toBe(1)
  for (const one of cb.sockets.clients) one.close(1_012)
  expect(await closed).toBe(1_012)
  await expect.poll(() => openOf(gateway.url, 'cb')).toBe(0)
  const second = open(gateway.url, environment.id)
  await expect.poll(() => second.heard.length).toBe(1)
  second.socket.terminate()
  await expect.poll(() => cb.sockets.clients.size).toBe(0)
})

test('a cell that dies takes its sockets with it, and no others', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const one = open(gateway.url, addEnvironment(ca).environment.id)
  const two = open(gateway.url, addEnvironment(cb).environment.id)
  await expect.poll(() => [one.heard.length, two.heard.length]).toEqual([1, 1])
  for (const connection of ca.connections) connection.destroy()
  expect(await one.closed).toBe(1_006)
  two.socket.send('still here')
  await expect.poll(() => two.heard[1]).toBe('cb heard still here')
})

test('after a move a socket goes to the new cell at once, though the old one would have taken it', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const { environment } = addEnvironment(ca)
  const first = open(gateway.url, environment.id)
  await expect.poll(() => first.heard).toEqual(['hello from ca'])
  // What the cell said of it is remembered for a second.
  await sleep(1_100)
  environment.state = 'frozen'
  const second = open(gateway.url, environment.id)
  await sleep(500)
  expect(second.heard).toEqual([])
  move(environment, ca, cb)
  await expect.poll(() => second.heard).toEqual(['hello from cb'])
})

test('who is not read is not read from: a cell cannot fill the gateway', async () => {
  const { ca, gateway } = await cells.pair()
  const { socket, heard } = open(gateway.url, addEnvironment(ca).environment.id)
  await expect.poll(() => heard.length).toBe(1)
  socket.pause()
  const [inCell] = ca.sockets.clients
  const part = Buffer.alloc(1024 * 1024)
  for (let count = 0; count < 64; count++) inCell?.send(part)
  await sleep(1_000)
  expect(inCell?.bufferedAmount).toBeGreaterThan(32 * part.length)
  socket.resume()
  await expect.poll(() => heard.length).toBe(65)
})

test('a socket for a cell that is away is refused, one that a cell refuses gets its answer', async () => {
  const { ca, gateway } = await cells.pair()
  const { environment } = addEnvironment(ca)
  ca.sockets.options.verifyClient = (_: unknown, done: (ok: boolean, code: number) => void) => done(false, 404)
  const [, refused] = await once(open(gateway.url, environment.id).socket, 'unexpected-response')
  expect(refused.statusCode).toBe(404)
  await ca.close()
  const [, reply] = await once(open(gateway.url, environment.id).socket, 'unexpected-response')
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1'])
})

test('a cell that hangs lets only so many sockets wait, and the other cell takes its own', async () => {
  const { ca, cb, gateway } = await cells.pair({ GATEWAY_REQUESTS: '10' })
  const [hung, well] = [addEnvironment(ca).environment, addEnvironment(cb).environment]
  // Nobody says yes or no.
  ca.sockets.options.verifyClient = (_: unknown, _done: unknown) => {}
  const waiting = Array.from({ length: 60 }, () => open(gateway.url, hung.id))
  const refused: number[] = []
  for (const { socket } of waiting) socket.on('unexpected-response', (_, reply) => refused.push(reply.statusCode ?? 0))
  await expect.poll(() => refused.length, { timeout: 5_000 }).toBe(50)
  expect(new Set(refused)).toEqual(new Set([503]))
  const { heard } = open(gateway.url, well.id)
  await expect.poll(() => heard).toEqual(['hello from cb'])
  for (const { socket } of waiting) socket.terminate()
})

test('sockets end when the gateway stops', async () => {
  const { ca, gateway } = await cells.pair()
  const { heard, closed } = open(gateway.url, addEnvironment(ca).environment.id)
  await expect.poll(() => heard.length).toBe(1)
  const began = performance.now()
  await gateway.stop()
  await closed
  expect(performance.now() - began).toBeLessThan(3_000)
  await expect.poll(() => ca.sockets.clients.size).toBe(0)
})
