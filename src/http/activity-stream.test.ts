import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { makeSubscriber, makeWorkflow } from '../../test/fixture-makers.ts'
import { type Client, useHarness } from '../../test/harness.ts'
import { apiKeyId } from '../lib/api-key.ts'
import { revokeApiKey } from '../store/access/api-keys.ts'

const h = useHarness({}, { worker: true })

type Stream = {
  status: number
  headers: Headers
  said(): string
  changes(): string[]
  over: Promise<void>
  close(): void
}

async function open(env: Client, { url = h.url, headers = {} as Record<string, string> } = {}): Promise<Stream> {
  const stop = new AbortController()
  const reply = await fetch(`${url}/v1/activity/stream`, {
    headers: { authorization: `ApiKey ${env.key}`, ...headers },
    signal: stop.signal,
  })
  let text = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of reply.body ?? []) text += decoder.decode(chunk, { stream: true })
  }
  return {
    status: reply.status,
    headers: reply.headers,
    said: () => text,
    changes: () => [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data).changed),
    over: read().catch(() => {}),
    close: () => stop.abort(),
  }
}

async function until(isTrue: () => boolean, ms = 5_000): Promise<void> {
  for (const begun = performance.now(); !isTrue(); await sleep(20)) {
    expect(performance.now() - begun).toBeLessThan(ms)
  }
}

async function trigger(env: Client): Promise<void> {
  const [name, subscriberId] = [await makeWorkflow(env), await makeSubscriber(env)]
  expect((await env.post('/v1/events/trigger', { name, to: subscriberId, payload: {} })).status).toBe(201)
}

describe('GET /v1/activity/stream', () => {
  test('says that something changed after a trigger, to all who listen, and is silent otherwise', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const streams = [await open(env), await open(env)]
    const quiet = await open(other)
    expect(streams[0]?.headers.get('content-type')).toBe('text/event-stream')
    await sleep(2_500)
    for (const stream of [...streams, quiet]) expect(stream.changes()).toEqual([])
    await trigger(env)
    await until(() => streams.every((stream) => stream.changes().length > 0))
    await h.drain()
    await sleep(2_500)
    const told = streams.map((stream) => stream.changes())
    await sleep(2_500)
    expect(streams.map((stream) => stream.changes())).toEqual(told)
    expect(quiet.changes()).toEqual([])
    for (const stream of [...streams, quiet]) stream.close()
  })

  test('who comes back is told at once what was missed, and nothing when nothing was', async () => {
    const env = await h.environment()
    await trigger(env)
    await h.drain()
    const first = await open(env, { headers: { 'last-event-id': '0' } })
    await until(() => first.changes().length === 1, 900)
    const [cursor = ''] = first.changes()
    expect(first.said()).toContain(`id: ${cursor}\n`)
    const again = await open(env, { headers: { 'last-event-id': cursor } })
    await sleep(1_500)
    expect(again.changes()).toEqual([])
    first.close()
    again.close()
  })

  test('many listeners are one question a second; none, none', async () => {
    const env = await h.environment()
    let asked = 0
    const { read } = h.ctx.database
    h.ctx.database.read = (of, work) => {
      if (of.environmentId === env.environmentId) asked++
      return read(of, work)
    }
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(env)))
    asked = 0
    await sleep(3_000)
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(4)
    for (const stream of streams) stream.close()
    await sleep(1_200)
    asked = 0
    await sleep(1_500)
    expect(asked).toBe(0)
    h.ctx.database.read = read
  })

  test('fifty of one environment and no more; those who go make room', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const streams = await Promise.all(Array.from({ length: 50 }, () => open(env)))
    const refused = await env.get('/v1/activity/stream')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    const neighbour = await open(other)
    expect(neighbour.status).toBe(200)
    streams[0]?.close()
    await sleep(200)
    const next = await open(env)
    expect(next.status).toBe(200)
    for (const stream of [...streams, neighbour, next]) stream.close()
  })

  test('needs a key or a session, and ends when it is revoked: nothing is told any more', async () => {
    expect((await h.send('GET', '/v1/activity/stream')).status).toBe(401)
    const env = await h.environment()
    const made = await env.post('/v1/api-keys', { name: 'second' })
    const stream = await open({ ...env, key: made.body.key })
    await revokeApiKey(h.admin, apiKeyId(made.body.key) ?? '', new Date())
    await sleep(3_200)
    await trigger(env)
    await stream.over
    expect(stream.changes()).toEqual([])
  })

  test('a node that stops ends its streams and does not wait for them', async () => {
    const env = await h.environment()
    const node = await h.node()
    const stream = await open(env, { url: node.url })
    const begun = performance.now()
    await node.server.close()
    await stream.over
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
