import { connect as connectRaw } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openInbox } from '../../../test/client/inbox-session.ts'
import { useHarness } from '../../../test/harness.ts'

const h = useHarness()

test('an offer to speak HTTP/2, as Java clients make it, is answered as if it were not made', async () => {
  const env = await h.environment()
  const { port, hostname } = new URL(h.url)
  const raw = connectRaw(Number(port), hostname)
  raw.write(
    `GET /v1/environment HTTP/1.1\r\nhost: x\r\nauthorization: ApiKey ${env.key}\r\nconnection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n`,
  )
  let text = ''
  for await (const chunk of raw) text += String(chunk)
  expect(text).toMatch(/^HTTP\/1.1 200 OK/)
  expect(text).toContain('"identifier":"te_')
})

/** Opens one, and answers how it ended. */
function open(path: string, base = h.url): { socket: WebSocket; closed: Promise<number> } {
  const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`)
  socket.on('error', () => {})
  return { socket, closed: new Promise((resolve) => socket.on('close', resolve)) }
}

const anonymous = '/socket.io/?EIO=4&transport=websocket'

test.each([
  ['pings', (socket: WebSocket) => socket.ping('x'.repeat(100))],
  ['packets', (socket: WebSocket) => socket.send('2')],
  ['packets that mean nothing', (socket: WebSocket) => socket.send('')],
])('who sends %s without end is cut, with and without a token', async (_what, send) => {
  const { token } = await openInbox(await h.environment(), 'ada')
  for (const path of [anonymous, `${anonymous}&token=${token}`, `/?token=${token}`]) {
    const { socket, closed } = open(path)
    await new Promise((resolve) => socket.on('open', resolve))
    let answers = 0
    socket.on('pong', () => answers++)
    for (let n = 0; n < 2_000; n++) if (socket.readyState === WebSocket.OPEN) send(socket)
    expect(await closed).toBe(1_006)
    expect(answers).toBeLessThanOrEqual(20)
  }
})

test('who pings as a browser does is answered', async () => {
  const { token } = await openInbox(await h.environment(), 'ada')
  const { socket } = open(`/?token=${token}`)
  await new Promise((resolve) => socket.on('open', resolve))
  const answered = new Promise((resolve) => socket.on('pong', (data) => resolve(String(data))))
  socket.ping('still here?')
  expect(await answered).toBe('still here?')
  socket.close()
})

test('twenty windows of one person and no more, by sockets and streams together', async () => {
  const { token } = await openInbox(await h.environment(), 'ada')
  const headers = { authorization: `Bearer ${token}` }
  const stop = new AbortController()
  const stream = () => fetch(`${h.url}/v1/inbox/stream`, { headers, signal: stop.signal })
  const opened = await Promise.all(Array.from({ length: 12 }, stream))
  const sockets = Array.from({ length: 8 }, () => open(`/?token=${token}`))
  await Promise.all(sockets.map(({ socket }) => new Promise((resolve) => socket.once('message', resolve))))
  expect(opened.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect((await stream()).status).toBe(429)
  expect(await open(`/?token=${token}`).closed).toBe(4_401)
  stop.abort()
  for (const { socket } of sockets) socket.close()
  await expect.poll(async () => (await h.ctx.metrics.inboxListeners.get()).values[0]?.value).toBe(0)
})

test('who is refused is cut, also one who never hangs up: the node stops without waiting for him', async () => {
  const node = await h.node()
  const { port, hostname } = new URL(node.url)
  const raw = connectRaw({ port: Number(port), host: hostname, allowHalfOpen: true })
  raw.write('GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  const [text] = await new Promise<Buffer[]>((resolve) => raw.once('data', (chunk) => resolve([chunk])))
  expect(String(text)).toMatch(/^HTTP\/1.1 404/)
  await expect(node.server.close()).resolves.toBeUndefined()
  raw.destroy()
})

test('a socket and a stream that are opened while the node stops do not keep it', async () => {
  // Of two environments: those of one are read together.
  const [ada, bob] = [await openInbox(await h.environment(), 'ada'), await openInbox(await h.environment(), 'bob')]
  const node = await h.node()
  const headers = { authorization: `Bearer ${ada.token}` }
  const [stream, socket, stopped] = await h.admin.transaction().execute(async (held) => {
    await sql`lock table subscriber in access exclusive mode`.execute(held)
    const asked = fetch(`${node.url}/v1/inbox/stream`, { headers })
    const opened = open(`/?token=${bob.token}`, node.url)
    const waiting = sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(h.admin)).rows[0]?.n, { timeout: 5_000 }).toBe(2)
    return [asked, opened, node.server.close()] as const
  })
  await stopped
  expect(await (await stream).text()).toMatch(/^retry: \d{4}\n\n$/)
  expect(await socket.closed).toBe(1_012)
})
