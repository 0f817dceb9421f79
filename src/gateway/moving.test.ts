import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addEnvironment, move, useCells } from '../../test/peers/gateway.ts'

const cells = useCells()

const post = async (url: string, headers: Record<string, string>, body = '{"a":1}', init: RequestInit = {}) => {
  const began = performance.now()
  const reply = await fetch(`${url}/v1/events/trigger`, { method: 'POST', headers, body, ...init })
  const json = (await reply.json()) as Record<string, unknown>
  return { status: reply.status, json, headers: reply.headers, ms: performance.now() - began }
}

test('a cell that gave an environment away is asked once; its keys go to the right one from then on', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const { environment, authorization } = addEnvironment(ca)
  move(environment, ca, cb)
  let refused = 0
  ca.state.early = () => {
    refused++
    return false
  }
  for (let round = 0; round < 3; round++) {
    expect(await post(gateway.url, authorization)).toMatchObject({ status: 200, json: { cell: 'cb' } })
  }
  expect(refused).toBe(1)
  expect(cb.asked.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"a":1}'))
})

test('an environment that was moved on, and one that came back, are found without a map', async () => {
  const [ca, cb, cc] = [await cells.cell('ca'), await cells.cell('cb'), await cells.cell('cc')]
  const gateway = await cells.gateway({ ca: ca.url, cb: cb.url, cc: cc.url })
  const { environment, authorization } = addEnvironment(ca)
  const there = move(environment, ca, cb)
  const further = move(there, cb, cc)
  expect((await post(gateway.url, authorization)).json).toEqual({ cell: 'cc' })
  // Back home: its first cell has it again, under a higher generation.
  Object.assign(further, { state: 'departed', cell: 'ca', generation: 4 })
  Object.assign(environment, { state: 'active', generation: 4 })
  delete environment.cell
  expect((await post(gateway.url, authorization)).json).toEqual({ cell: 'ca' })
})

test('cells that point at each other end in an answer, not in a circle', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const { environment, authorization } = addEnvironment(ca)
  const there = move(environment, ca, cb)
  Object.assign(there, { state: 'departed', cell: 'ca' })
  expect(await post(gateway.url, authorization)).toMatchObject({ status: 503, json: { code: 'cell_unavailable' } })
})

test('requests of a frozen environment wait and are answered by the new cell, each once; others do not wait', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const { environment, authorization } = addEnvironment(ca)
  const other = addEnvironment(ca)
  await post(gateway.url, authorization)
  environment.state = 'frozen'
  let refused = 0
  ca.state.early = ({ headers }) => {
    if (headers.authorization === authorization.authorization) refused++
    return false
  }
  const waiting = Array.from({ length: 50 }, (_, n) => post(gateway.url, authorization, JSON.stringify({ n })))
  await sleep(600)
  expect((await post(gateway.url, other.authorization)).ms).toBeLessThan(300)
  move(environment, ca, cb)
  const answers = await Promise.all(waiting)
  expect(answers.every(({ status, json }) => status === 200 && json.cell === 'cb')).toBe(true)
  expect(Math.min(...answers.map(({ ms }) => ms))).toBeGreaterThan(500)
  const got = cb.asked.map(({ body }) => JSON.parse(body.toString()).n).sort((a, b) => a - b)
  expect(got).toEqual(Array.from({ length: 50 }, (_, n) => n))
  // One asks for all; the others came before it was known that it is frozen.
  expect(refused).toBeLessThan(50 + 10)
})

test('where it has arrived and does not live yet it waits on; a freeze that is given up lets all through', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const { environment, authorization } = addEnvironment(ca)
  const arrived = move(environment, ca, cb)
  arrived.state = 'arriving'
  const waiting = post(gateway.url, authorization)
  await sleep(300)
  arrived.state = 'active'
  expect(await waiting).toMatchObject({ status: 200, json: { cell: 'cb' } })
  arrived.state = 'frozen'
  const second = post(gateway.url, authorization)
  await sleep(300)
  arrived.state = 'active'
  expect(await second).toMatchObject({ status: 200, json: { cell: 'cb' } })
})

test('where it is arriving again nobody waits for the copy: it still lives where it comes from', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const { environment, authorization } = addEnvironment(ca)
  move(environment, ca, cb)
  // It goes back to the cell that its keys name.
  Object.assign(environment, { state: 'arriving', sourceCell: 'cb' })
  const { status, json, ms } = await post(gateway.url, authorization)
  expect([status, json]).toEqual([200, { cell: 'cb' }])
  expect(ms).toBeLessThan(1_000)
})

test('nobody waits longer than the hold, and everybody is told to come again', async () => {
  const { ca, gateway } = await cells.pair({}, { holdMs: 700 })
  const { environment, authorization } = addEnvironment(ca)
  await post(gateway.url, authorization)
  environment.state = 'frozen'
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(gateway.url, authorization)))
  for (const { status, json, headers, ms } of answers) {
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'environment_held', '1'])
    expect(ms).toBeLessThan(1_500)
  }
  environment.state = 'active'
  expect((await post(gateway.url, authorization)).status).toBe(200)
})

test('the one that tries for all may leave: the next one tries', async () => {
  const { ca, gateway } = await cells.pair()
  const { environment, authorization } = addEnvironment(ca)
  await post(gateway.url, authorization)
  environment.state = 'frozen'
  const leaving = new AbortController()
  const first = post(gateway.url, authorization, '{}', { signal: leaving.signal }).catch(() => 'left')
  await sleep(150)
  const second = post(gateway.url, authorization, '{"second":1}')
  await sleep(150)
  leaving.abort()
  expect(await first).toBe('left')
  await sleep(100)
  environment.state = 'active'
  expect((await second).status).toBe(200)
  expect(ca.asked.at(-1)?.body.toString()).toBe('{"second":1}')
})

test('a body that cannot be kept is passed as it comes, and its client is told to come again', async () => {
  const { ca, cb, gateway } = await cells.pair({}, { bufferBytes: 64 * 1024 })
  const { environment, authorization } = addEnvironment(ca)
  const large = 'x'.repeat(3_000_000)
  expect((await post(gateway.url, authorization, large)).status).toBe(200)
  expect(ca.asked[0]?.body.length).toBe(large.length)
  expect(ca.asked[0]?.headers['content-length']).toBe(String(large.length))
  environment.state = 'frozen'
  const held = await post(gateway.url, authorization, large)
  expect([held.status, held.json.code]).toEqual([503, 'environment_held'])
  move(environment, ca, cb)
  expect((await post(gateway.url, authorization, large)).status).toBe(503)
  // It has learnt from that.
  expect((await post(gateway.url, authorization, large)).json).toEqual({ cell: 'cb' })
})

test('a 503 of a cell that holds nothing is passed on as it is', async () => {
  const { ca, gateway } = await cells.pair()
  const { authorization } = addEnvironment(ca)
  ca.state.answer = (_, response) =>
    response.writeHead(503, { 'retry-after': '2' }).end('{"code":"service_unavailable"}')
  const { status, json, headers } = await post(gateway.url, authorization)
  expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2'])
  expect(ca.asked).toHaveLength(1)
})
