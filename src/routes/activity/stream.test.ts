import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeSubscriber, makeWorkflow } from '../../../test/fixture-makers.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import { apiKeyId } from '../../lib/api-key.ts'
import { revokeApiKey } from '../../store/access/api-keys.ts'

const h = useHarness({}, { worker: true })

type Stream = {
  status: number
  headers: Headers
  said(): string
  changes(): string[]
  over: Promise<void>
  close(): void
}

type Given = { url?: string; headers?: Record<string, string>; key?: null }

async function open(env: Client, { url = h.url, headers = {}, key }: Given = {}): Promise<Stream> {
  const stop = new AbortController()
  const reply = await fetch(`${url}/v1/activity/stream`, {
    headers: { ...(key !== null && { authorization: `ApiKey ${env.key}` }), ...headers },
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

async function trigger(env: Client): Promise<void> {
  const [name, subscriberId] = [await makeWorkflow(env), await makeSubscriber(env)]
  expect((await env.post('/v1/events/trigger', { name, to: subscriberId, payload: {} })).status).toBe(201)
}

const soon = { interval: 10, timeout: 5_000 }
afterEach(() => vi.restoreAllMocks())

/** A key is remembered for 2 s; after this it is looked up anew. */
function letFourSecondsPass(): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 4_000)
}

/** What the watcher behind it promises is tested beside it; this is what only HTTP shows. */
describe('GET /v1/activity/stream', () => {
  test('tells a change to all who listen in the environment, and at once to who comes back', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const streams = [await open(env), await open(env)]
    const quiet = await open(other)
    expect(streams[0]?.headers.get('content-type')).toBe('text/event-stream')
    await trigger(env)
    await expect.poll(() => streams.every((stream) => stream.changes().length > 0), soon).toBe(true)
    const again = await open(env, { headers: { 'last-event-id': '0' } })
    await expect.poll(() => again.changes().length, { ...soon, timeout: 900 }).toBe(1)
    expect(again.said()).toContain(`id: ${again.changes()[0]}\n`)
    expect(quiet.changes()).toEqual([])
    for (const stream of [...streams, again, quiet]) stream.close()
  })

  test('fifty of one environment and no more; those who go make room', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const streams = await Promise.all(Array.from({ length: 50 }, () => open(env)))
    const refused = await env.get('/v1/activity/stream')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(refused.headers.get('retry-after')).toBe('30')
    const neighbour = await open(other)
    expect(neighbour.status).toBe(200)
    streams[0]?.close()
    const next = await vi.waitUntil(async () => {
      const stream = await open(env)
      return stream.status === 200 && stream
    }, soon)
    for (const stream of [...streams, neighbour, next]) stream.close()
  })

  test('those who go before they were answered take no seat', async () => {
    const env = await h.environment()
    const gone = Array.from({ length: 60 }, async (_, index) => {
      const headers = { authorization: `ApiKey ${env.key}` }
      const signal = AbortSignal.timeout(index)
      await fetch(`${h.url}/v1/activity/stream`, { headers, signal }).catch(() => {})
    })
    await Promise.all(gone)
    const streams = await vi.waitUntil(async () => {
      const opened = await Promise.all(Array.from({ length: 50 }, () => open(env)))
      if (opened.every(({ status }) => status === 200)) return opened
      for (const stream of opened) stream.close()
      return null
    }, soon)
    for (const stream of streams) stream.close()
  })

  test('needs a key or a session, and ends when it is revoked: nothing is told any more', async () => {
    expect((await h.send('GET', '/v1/activity/stream')).status).toBe(401)
    const env = await h.environment()
    const made = await env.post('/v1/api-keys', { name: 'second' })
    const own = { 'x-tidings-session': '1' }
    const signedIn = await h.send('POST', '/session', { body: { key: env.key }, headers: own })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const byKey = await open({ ...env, key: made.body.key })
    const bySession = await open(env, { headers: { cookie }, key: null })
    expect([byKey.status, bySession.status]).toEqual([200, 200])
    await revokeApiKey(h.admin, apiKeyId(made.body.key) ?? '', new Date())
    await h.send('DELETE', '/session', { headers: { ...own, cookie } })
    letFourSecondsPass()
    await trigger(env)
    await Promise.all([byKey.over, bySession.over])
    expect([...byKey.changes(), ...bySession.changes()]).toEqual([])
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
