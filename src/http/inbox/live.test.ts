import { connect as connectRaw } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { hashOf, openInbox } from '../../../test/client/inbox-session.ts'
import { type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { apiKeyId } from '../../lib/api-key.ts'
import { uuid7 } from '../../lib/uuid7.ts'

const h = useHarness({}, { worker: true })

type Heard = { name: string; data: Json }
type Listener = { heard: Heard[]; texts: string[]; socket: WebSocket; closed: Promise<number> }
const sockets: WebSocket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

/** As the stock client connects; `base` may be another node. */
function connect(token: string, { base = h.url, namespace = '', query = `token=${token}&`, auth = '' } = {}): Listener {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/socket.io/?${query}EIO=4&transport=websocket`)
  sockets.push(socket)
  const listener: Listener = {
    heard: [],
    texts: [],
    socket,
    closed: new Promise((resolve) => socket.addEventListener('close', ({ code }) => resolve(code))),
  }
  socket.addEventListener('message', ({ data }) => {
    const text = String(data)
    listener.texts.push(text)
    if (text.startsWith('0')) socket.send(`40${namespace}${auth}`)
    if (text === '2') socket.send('3')
    if (text.startsWith(`42${namespace}`)) {
      const [name, value] = JSON.parse(text.slice(2 + namespace.length))
      listener.heard.push({ name, data: value })
    }
  })
  return listener
}

const countsOf = ({ heard }: Listener) =>
  heard.filter(({ name }) => name === 'unread_count_changed').map(({ data }) => data.unreadCount)
const receivedBy = ({ heard }: Listener) =>
  heard.filter(({ name }) => name === 'notification_received').map(({ data }) => data.message)

async function start() {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', {
    severity: 'high',
    tags: ['news'],
    steps: [{ name: 'Inbox', type: 'in_app', controlValues: { subject: 'S', body: 'Hi {{payload.n}}' } }],
  })
  return env
}

describe('over a socket', () => {
  test('the counts come at once, then what is new, in every window of the person, and what is changed in one of them', async () => {
    const env = await start()
    await trigger(env, { to: 'ada', payload: { n: 1 } })
    await h.drain()
    const inbox = await openInbox(env, 'ada')
    const other = await h.node()
    const [one, two] = [connect(inbox.token), connect(inbox.token, { base: other.url })]
    await expect.poll(() => [countsOf(one), countsOf(two)]).toEqual([[1], [1]])
    await trigger(env, { to: 'ada', payload: { n: 2 } })
    await expect.poll(() => [receivedBy(one).length, receivedBy(two).length], { timeout: 5_000 }).toEqual([1, 1])
    expect(receivedBy(one)[0]).toMatchObject({
      content: 'Hi 2',
      subject: 'S',
      read: false,
      seen: false,
      channel: 'in_app',
      cta: {},
      tags: ['news'],
      severity: 'high',
      workflow: { identifier: 'hello' },
      subscriber: { subscriberId: 'ada' },
    })
    await expect
      .poll(() => [countsOf(one), countsOf(two)])
      .toEqual([
        [1, 2],
        [1, 2],
      ])
    expect(one.heard.at(-1)).toEqual({
      name: 'unread_count_changed',
      data: { unreadCount: 2, counts: { total: 2, severity: { high: 2, medium: 0, low: 0, none: 0 } }, hasMore: false },
    })
    await inbox.send('PATCH', `/notifications/${receivedBy(one)[0]._id}/read`)
    await expect.poll(() => [countsOf(one).at(-1), countsOf(two).at(-1)]).toEqual([1, 1])
    expect(receivedBy(two)).toHaveLength(1)
  })

  test('to have seen a message changes the unseen count alone: the stock component counts again at each of the other', async () => {
    const env = await start()
    await trigger(env, { to: 'ada', payload: { n: 1 } })
    await h.drain()
    const inbox = await openInbox(env, 'ada')
    const one = connect(inbox.token)
    await expect.poll(() => countsOf(one)).toEqual([1])
    const unseen = () =>
      one.heard.filter(({ name }) => name === 'unseen_count_changed').map(({ data }) => data.unseenCount)
    await inbox.send('POST', '/notifications/seen', {})
    await expect.poll(unseen).toEqual([1, 0])
    expect(countsOf(one)).toEqual([1])
  })

  test('a person who is deleted: his sockets and streams end at once, and do not come again', async () => {
    const env = await start()
    const { token } = await openInbox(env, 'ada')
    const [one, other] = [connect(token), connect((await openInbox(env, 'bob')).token)]
    const stream = await fetch(`${h.url}/v1/inbox/stream`, { headers: { authorization: `Bearer ${token}` } })
    await expect.poll(() => [countsOf(one), countsOf(other)]).toEqual([[0], [0]])
    await env.delete('/v2/subscribers/ada')
    expect(await one.closed).toBe(4_401)
    expect(one.texts.at(-1)).toBe('41')
    await stream.text()
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('whose inbox is open is online; who only looks at it does not make him so', async () => {
    const env = await start()
    const { token } = await openInbox(env, 'ada')
    await env.post('/v2/subscribers', { subscriberId: 'bob' })
    const look = (await env.post('/v2/subscribers/bob/inbox-session?lookOnly=true')).body.data.token
    const isOnline = async (who: string) => (await env.get(`/v2/subscribers/${who}`)).body.isOnline ?? false
    connect(token)
    const looking = connect(look)
    await expect.poll(() => isOnline('ada'), { timeout: 10_000 }).toBe(true)
    expect(countsOf(looking)).toEqual([0])
    expect(await isOnline('bob')).toBe(false)
  })

  test('only what is new is told as new: not what stays unread, comes to the top or is marked as unread', async () => {
    const env = await start()
    for (let n = 1; n <= 8; n++) await trigger(env, { to: 'ada', payload: { n } })
    await h.drain()
    const inbox = await openInbox(env, 'ada')
    const [one, two] = [connect(inbox.token), connect(inbox.token)]
    await expect.poll(() => [countsOf(one), countsOf(two)]).toEqual([[8], [8]])
    const ids = (await inbox.send('GET', '/notifications?limit=10')).body.data.map((it: Json) => it.id)
    await inbox.send('PATCH', `/notifications/${ids[0]}/read`)
    await expect.poll(() => countsOf(one).at(-1)).toBe(7)
    await inbox.send('PATCH', `/notifications/${ids[0]}/unread`)
    await expect.poll(() => countsOf(one).at(-1)).toBe(8)
    await inbox.send('POST', '/notifications/read', {})
    await expect.poll(() => countsOf(one).at(-1)).toBe(0)
    expect([...receivedBy(one), ...receivedBy(two)]).toEqual([])
    // A change that no count shows is told too: the other window lists again.
    const before = countsOf(two).length
    await inbox.send('PATCH', `/notifications/${ids[3]}/archive`)
    await expect.poll(() => countsOf(two).slice(before), { timeout: 5_000 }).toEqual([0])
  })

  test('each hears of his own, and of his contexts alone', async () => {
    const env = await start()
    const context = { tenant: 'acme' }
    const ada = connect((await openInbox(env, 'ada')).token)
    const contextHash = hashOf(env.key, '{"tenant":"acme"}')
    const inContext = connect((await openInbox(env, 'ada', { context, contextHash })).token)
    const eve = connect((await openInbox(env, 'eve')).token)
    const stranger = connect((await openInbox(await start(), 'ada')).token)
    await expect.poll(() => [ada, inContext, eve, stranger].map(countsOf)).toEqual([[0], [0], [0], [0]])
    await trigger(env, { to: 'ada', payload: { n: 'plain' } })
    await trigger(env, { to: 'ada', payload: { n: 'acme' }, context })
    const contents = (listener: Listener) => receivedBy(listener).map((message) => message.content)
    await expect
      .poll(() => [contents(ada), contents(inContext)], { timeout: 5_000 })
      .toEqual([['Hi plain'], ['Hi acme']])
    await sleep(200)
    expect([countsOf(ada).at(-1), countsOf(inContext).at(-1)]).toEqual([1, 1])
    expect([receivedBy(eve), receivedBy(stranger)]).toEqual([[], []])
  })

  test('the token may come with the first packet, and a path in the address is a namespace', async () => {
    const env = await start()
    const { token } = await openInbox(env, 'ada')
    const auth = JSON.stringify({ token })
    const listener = connect('', { query: '', auth, namespace: '/prefix,' })
    await expect.poll(() => countsOf(listener)).toEqual([0])
    expect(listener.texts[1]).toMatch(/^40\/prefix,\{"sid":"[\w-]+"\}$/)
  })

  test('a wrong token is refused in the way that makes clients stop', async () => {
    for (const token of ['', 'x', 'ti_x.y']) {
      const listener = connect(token)
      expect(await listener.closed).toBe(4_401)
      expect(listener.texts[1]).toMatch(/^44\{"message":".+"\}$/)
    }
    const elsewhere = new WebSocket(`${h.url.replace('http', 'ws')}/elsewhere`)
    expect(await new Promise((resolve) => elsewhere.addEventListener('error', () => resolve('refused')))).toBe(
      'refused',
    )
  })

  test('a lost hint is healed by looking: within 20 s the message comes and the counts are right', async () => {
    const env = await start()
    await trigger(env, { to: 'ada', payload: { n: 1 } })
    await h.drain()
    const listener = connect((await openInbox(env, 'ada')).token)
    await expect.poll(() => countsOf(listener)).toEqual([1])
    // The first looks, when it came and when hints began to be heard, are over.
    await sleep(3_000)
    const untold = uuid7(new Date())
    await sql`insert into message select (jsonb_populate_record(m, jsonb_build_object('id', ${untold}::text))).*
      from message m where environment_id = ${env.environmentId}`.execute(h.admin)
    await sleep(500)
    expect(receivedBy(listener)).toEqual([])
    await expect.poll(() => receivedBy(listener).map((it) => it._id), { timeout: 20_000 }).toEqual([untold])
    await sql`update message set read = true, seen = true where environment_id = ${env.environmentId}`.execute(h.admin)
    await expect.poll(() => countsOf(listener), { timeout: 20_000 }).toEqual([1, 2, 0])
  }, 60_000)

  test('who introduces himself again and again is one listener, and none when he is gone', async () => {
    const env = await start()
    const { token } = await openInbox(env, 'ada')
    const listener = connect(token)
    listener.socket.addEventListener('message', ({ data }) => {
      if (String(data).startsWith('0')) for (let n = 0; n < 10; n++) listener.socket.send('40')
    })
    await expect.poll(() => countsOf(listener)).toEqual([0])
    await trigger(env, { to: 'ada', payload: { n: 1 } })
    await expect.poll(() => receivedBy(listener).length, { timeout: 5_000 }).toBe(1)
    await sleep(300)
    expect(receivedBy(listener)).toHaveLength(1)
    expect(listener.texts.filter((text) => text.startsWith('40'))).toHaveLength(1)
  })

  test('a connection that breaks while it is refused harms nobody', async () => {
    const { port } = new URL(h.url)
    for (let n = 0; n < 20; n++) {
      const raw = connectRaw(Number(port), '127.0.0.1')
      raw.on('error', () => {})
      raw.write('GET /elsewhere HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
      raw.write(Buffer.alloc(100_000))
      await sleep(n % 5)
      raw.resetAndDestroy()
    }
    expect((await h.send('GET', '/health/live')).status).toBe(200)
  })

  test('the plain kind at / speaks JSON', async () => {
    const env = await start()
    const { token } = await openInbox(env, 'ada')
    const heard: Json[] = []
    const socket = new WebSocket(`${h.url.replace('http', 'ws')}/?token=${token}`)
    sockets.push(socket)
    socket.addEventListener('message', ({ data }) => heard.push(data === 'pong' ? data : JSON.parse(String(data))))
    await expect.poll(() => heard.map(({ event }) => event)).toContain('unread_count_changed')
    socket.send('ping')
    await trigger(env, { to: 'ada', payload: { n: 1 } })
    await expect
      .poll(() => heard.find(({ event }) => event === 'notification_received')?.data.message.content, {
        timeout: 5_000,
      })
      .toBe('Hi 1')
    expect(heard).toContain('pong')
  })
})

test('as server-sent events, by header or address: counts, then notifications as the list has them', async () => {
  const env = await start()
  const inbox = await openInbox(env, 'ada')
  for (const [query, headers] of [
    ['', { authorization: `Bearer ${inbox.token}` }],
    [`?token=${inbox.token}`, {}],
  ] as const) {
    const stop = new AbortController()
    const reply = await fetch(`${h.url}/v1/inbox/stream${query}`, { headers, signal: stop.signal })
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    let text = ''
    const reading = (async () => {
      for await (const chunk of reply.body ?? []) text += Buffer.from(chunk).toString()
    })().catch(() => {})
    await expect.poll(() => text).toContain('event: unread_count_changed')
    await trigger(env, { to: 'ada', payload: { n: query } })
    await expect.poll(() => text, { timeout: 5_000 }).toContain('event: notification_received')
    const [, data = ''] = /event: notification_received\ndata: (.*)\n/.exec(text) ?? []
    expect(JSON.parse(data)).toMatchObject({ body: `Hi ${query}`, isRead: false, to: { subscriberId: 'ada' } })
    stop.abort()
    await reading
  }
  expect((await h.send('GET', '/v1/inbox/stream', { key: env.key })).status).toBe(401)
})

test('when the key that vouched is revoked, the socket is closed at its next ping', async () => {
  const env = await start()
  const next = (await env.post('/v1/api-keys', { name: 'next' })).body.key
  const listener = connect((await openInbox(env, 'ada')).token)
  await expect.poll(() => countsOf(listener)).toEqual([0])
  await h.send('DELETE', `/v1/api-keys/${apiKeyId(env.key)}`, { key: next })
  expect(await listener.closed).toBe(4_401)
  expect(listener.texts.at(-1)).toBe('41')
})
