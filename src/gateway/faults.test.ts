import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addEnvironment, useCells } from '../../test/peers/gateway.ts'

const cells = useCells()

const get = async (url: string, headers: Record<string, string>, init: RequestInit = {}) => {
  const began = performance.now()
  const reply = await fetch(`${url}/v1/topics`, { headers, ...init })
  const text = await reply.text()
  return { status: reply.status, text, headers: reply.headers, ms: performance.now() - began }
}

const health = async (url: string) => (await fetch(`${url}/health`).then((reply) => reply.json())) as Health
type Health = { status: string; cells: Record<string, { state: string; inHand: number; waiting: number }> }

test('a request that a cell took and did not answer is not sent again', async () => {
  const { ca, gateway } = await cells.pair()
  const { authorization } = addEnvironment(ca)
  ca.state.answer = (request) => request.socket.destroy()
  for (const method of ['POST', 'GET']) {
    const body = method === 'POST' ? { body: '{}' } : {}
    const { status, text, headers } = await get(gateway.url, authorization, { method, ...body })
    expect([status, JSON.parse(text).code, headers.get('retry-after')]).toEqual([502, 'no_answer', '1'])
  }
  expect(ca.asked.map(({ method }) => method)).toEqual(['POST', 'GET'])
})

test('an answer that breaks off is cut for the client too, and not sent again', async () => {
  const { ca, gateway } = await cells.pair()
  const { authorization } = addEnvironment(ca)
  ca.state.answer = (request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => setTimeout(() => request.socket.destroy(), 50))
  }
  await expect(get(gateway.url, authorization)).rejects.toThrow()
  ca.state.answer = (request, response) => {
    response.writeHead(200)
    response.write('without a length', () => setTimeout(() => request.socket.destroy(), 50))
  }
  await expect(get(gateway.url, authorization)).rejects.toThrow()
  expect(ca.asked).toHaveLength(2)
})

test('a cell that is gone is answered for at once; the other is not disturbed, and it comes back by itself', async () => {
  const [ca, cb] = [await cells.cell('ca'), await cells.cell('cb')]
  const [one, two] = [addEnvironment(ca), addEnvironment(cb)]
  const gateway = await cells.gateway({ ca: ca.url, cb: cb.url })
  await ca.close()
  const { status, text, headers, ms } = await get(gateway.url, one.authorization)
  expect([status, JSON.parse(text).code, headers.get('retry-after')]).toEqual([503, 'cell_unavailable', '1'])
  expect(ms).toBeLessThan(1_000)
  expect((await get(gateway.url, two.authorization)).status).toBe(200)
  await expect.poll(async () => (await health(gateway.url)).cells.ca?.state).toBe('down')
  expect(await health(gateway.url)).toMatchObject({ status: 'ok', cells: { cb: { state: 'ready' } } })
  expect((await get(gateway.url, one.authorization)).status).toBe(503)
})

test('a cell that hangs fills only its own places: the rest is refused quickly, the other cell flows', async () => {
  const { ca, cb, gateway } = await cells.pair({ GATEWAY_REQUESTS: '20' })
  const [one, two] = [addEnvironment(ca), addEnvironment(cb)]
  ca.state.answer = () => {}
  const leaving = new AbortController()
  const hung = Array.from({ length: 100 }, () =>
    get(gateway.url, one.authorization, { method: 'POST', body: 'x'.repeat(10_000), signal: leaving.signal }).catch(
      () => null,
    ),
  )
  await expect.poll(async () => (await health(gateway.url)).cells.ca).toMatchObject({ inHand: 20 })
  // Beyond those places at once, and those that wait after a second.
  const { status, text, ms } = await get(gateway.url, one.authorization)
  expect([status, JSON.parse(text).code]).toEqual([503, 'cell_busy'])
  expect(ms).toBeLessThan(1_500)
  const began = performance.now()
  for (let round = 0; round < 50; round++) expect((await get(gateway.url, two.authorization)).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(5_000)
  const waiting = async () => (await health(gateway.url)).cells.ca?.waiting
  await expect.poll(waiting, { timeout: 5_000 }).toBe(0)
  leaving.abort()
  const refused = (await Promise.all(hung)).flatMap((answer) => answer ?? [])
  expect(refused.map(({ status }) => status)).toEqual(Array(80).fill(503))
  // Clients that leave give their places back.
  await expect.poll(async () => (await health(gateway.url)).cells.ca).toMatchObject({ inHand: 0, waiting: 0 })
})

test('one that does not answer its probes is down: nothing more is sent to it until it answers them', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const one = addEnvironment(ca)
  addEnvironment(cb)
  const frozen = cells.freeze(ca)
  await expect.poll(async () => (await health(gateway.url)).cells.ca?.state, { timeout: 15_000 }).toBe('down')
  const { status, ms } = await get(gateway.url, one.authorization)
  expect(status).toBe(503)
  expect(ms).toBeLessThan(500)
  frozen.thaw()
  await expect.poll(async () => (await get(gateway.url, one.authorization)).status).toBe(200)
})

test('a cell that takes too long is answered for', async () => {
  const { ca, gateway } = await cells.pair({}, { answerMs: 1_000 })
  const { authorization } = addEnvironment(ca)
  ca.state.answer = () => {}
  const { status, text } = await get(gateway.url, authorization, { method: 'POST', body: '{}' })
  expect([status, JSON.parse(text).code]).toEqual([502, 'no_answer'])
  expect(ca.asked).toHaveLength(1)
})

test('a client that leaves takes its request from the cell', async () => {
  const { ca, gateway } = await cells.pair()
  const { authorization } = addEnvironment(ca)
  let left = false
  ca.state.answer = (request) => request.socket.once('close', () => (left = true))
  const leaving = new AbortController()
  const asked = get(gateway.url, authorization, { signal: leaving.signal }).catch(() => 'left')
  await expect.poll(() => ca.asked.length).toBe(1)
  leaving.abort()
  expect(await asked).toBe('left')
  await expect.poll(() => left).toBe(true)
})

test('a client that reads slowly slows the cell down and fills no memory', async () => {
  const { ca, gateway } = await cells.pair()
  const { key } = addEnvironment(ca)
  const megabyte = Buffer.alloc(1024 * 1024)
  let written = 0
  ca.state.answer = async (_, response) => {
    response.writeHead(200)
    for (let count = 0; count < 100; count++) {
      written++
      if (!response.write(megabyte)) await once(response, 'drain')
    }
    response.end()
  }
  const { port } = new URL(gateway.url)
  const client = connect(Number(port), '127.0.0.1')
  client.write(`GET /v1/topics HTTP/1.1\r\nhost: a\r\nauthorization: ApiKey ${key}\r\n\r\n`)
  client.pause()
  await expect.poll(() => written).toBeGreaterThan(0)
  await sleep(1_000)
  const stuck = written
  expect(stuck).toBeLessThan(50)
  let bytes = 0
  client.on('data', (chunk) => (bytes += chunk.length)).resume()
  await expect.poll(() => bytes).toBeGreaterThan(100 * megabyte.length)
  client.destroy()
})

test('when it stops it is not ready, answers what has come, and then ends', async () => {
  const { ca, gateway } = await cells.pair({ STOP_DELAY_SECONDS: '1' })
  const { authorization } = addEnvironment(ca)
  ca.state.answer = (_, response) => void setTimeout(() => response.end('{}'), 1_500)
  const asked = get(gateway.url, authorization)
  await expect.poll(() => ca.asked.length).toBe(1)
  const stopped = gateway.stop()
  expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(503)
  expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200)
  const { status, headers } = await asked
  expect([status, headers.get('connection')]).toEqual([200, 'close'])
  const began = performance.now()
  await stopped
  expect(performance.now() - began).toBeLessThan(2_000)
  await expect(fetch(`${gateway.url}/health/live`)).rejects.toThrow()
})
