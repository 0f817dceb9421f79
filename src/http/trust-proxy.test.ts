import { expect, test } from 'vitest'
import { sender, useHarness } from '../../test/harness.ts'

const h = useHarness()
const stranger = '203.0.113.9'

type Node = Awaited<ReturnType<typeof h.node>>

/** How often a wrong sign-in is answered 401 before it is 429, each with an X-Forwarded-For of its own. */
async function guessesOf({ url }: Node, forwarded: (n: number) => string): Promise<number> {
  const send = sender(url)
  for (let n = 0; n < 30; n++) {
    const headers = { 'x-forwarded-for': forwarded(n), 'x-tidings-session': '1', origin: url }
    const { status } = await send('POST', '/session', { body: { key: 'wrong' }, headers })
    if (status === 429) return n
    expect(status).toBe(401)
  }
  return 30
}

const metricsFrom = ({ server }: Node, remoteAddress: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'GET', url: '/metrics', remoteAddress, headers }).then((reply) => reply.statusCode)

test('without TRUST_PROXY what a caller says about its address is ignored', async () => {
  expect(await guessesOf(await h.node(), (n) => `203.0.113.${n}`)).toBe(20)
})

test('behind a trusted proxy each client has its own count, and cannot choose its address', async () => {
  const node = await h.node({ TRUST_PROXY: '127.0.0.0/8' })
  expect(await guessesOf(node, (n) => `203.0.113.${n}`)).toBe(30)
  // The client wrote the first, the proxy the last.
  expect(await guessesOf(node, (n) => `198.51.100.${n}, 203.0.113.200`)).toBe(20)
})

test('a proxy that is not on the list is not believed', async () => {
  expect(await guessesOf(await h.node({ TRUST_PROXY: '10.9.9.9' }), (n) => `203.0.113.${n}`)).toBe(20)
})

test('/metrics without METRICS_TOKEN answers loopback and private addresses only', async () => {
  const node = await h.node()
  for (const own of ['127.0.0.1', '::1', '::ffff:10.1.2.3', '10.0.0.8', '172.31.0.1', '192.168.1.1', 'fd00::1']) {
    expect(await metricsFrom(node, own), own).toBe(200)
  }
  for (const foreign of [stranger, '172.32.0.1', '2001:db8::1', '::ffff:203.0.113.9']) {
    expect(await metricsFrom(node, foreign), foreign).toBe(403)
  }
  // Whoever comes through a proxy we do not know could be anybody, and cannot say otherwise.
  expect(await metricsFrom(node, '127.0.0.1', { 'x-forwarded-for': stranger })).toBe(403)
  expect(await metricsFrom(node, stranger, { 'x-forwarded-for': '127.0.0.1' })).toBe(403)
})

test('/metrics behind a trusted proxy: the address of the client counts', async () => {
  const node = await h.node({ TRUST_PROXY: '10.0.0.0/8' })
  expect(await metricsFrom(node, '10.0.0.1', { 'x-forwarded-for': stranger })).toBe(403)
  expect(await metricsFrom(node, '10.0.0.1', { 'x-forwarded-for': '192.168.4.4' })).toBe(200)
  expect(await metricsFrom(node, '10.0.0.1')).toBe(200)
  expect(await metricsFrom(node, stranger, { 'x-forwarded-for': '10.0.0.1' })).toBe(403)
})

test('/metrics with METRICS_TOKEN answers whoever has it, from anywhere', async () => {
  const node = await h.node({ METRICS_TOKEN: 'scrape-me-please' })
  expect(await metricsFrom(node, stranger, { authorization: 'Bearer scrape-me-please' })).toBe(200)
  expect(await metricsFrom(node, '127.0.0.1')).toBe(401)
})
