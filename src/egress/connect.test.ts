import { createServer, connect as netConnect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type HttpReceiver, startHttpReceiver } from '../../test/peers/http-receiver.ts'
import type { Mail } from '../lib/outbound.ts'
import { addressGuard, type Guard, refusedAddress } from './address-guard.ts'
import { createConnect } from './connect.ts'
import { createHttp } from './http.ts'
import type { Lookup } from './resolve.ts'
import { createSmtp } from './smtp.ts'

const mail: Mail = {
  from: { email: 'a@example.com' },
  to: ['b@example.com'],
  cc: [],
  bcc: [],
  subject: '',
  html: '',
  text: 'x',
  headers: {},
  attachments: [],
}

/** Listens on every address of this machine, where no connection may arrive. */
const canary = { port: 0, connections: 0 }
const trap = createServer((socket) => {
  canary.connections++
  socket.destroy()
})
let peer: HttpReceiver
beforeAll(async () => {
  await new Promise<void>((resolve) => trap.listen(0, '::', resolve))
  const address = trap.address()
  canary.port = typeof address === 'object' && address ? address.port : 0
  peer = await startHttpReceiver()
})
afterAll(async () => {
  trap.close()
  await peer.close()
})

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** The three ways out, to one host. */
function doors(guard: Guard, lookup: Lookup, port: number) {
  const http = createHttp(guard, { lookup, connectMs: 500 })
  const smtp = createSmtp(guard, { lookup, connectMs: 500, totalMs: 1_000 })
  open.push(http, smtp)
  const server = { port, secure: false, requireTls: false, ignoreTls: false, tlsOptions: {} }
  return [
    (host: string) => http({ url: `http://${bracketed(host)}:${port}/` }),
    (host: string) => http({ url: `https://${bracketed(host)}:${port}/` }),
    (host: string) => http({ url: `http://${bracketed(host)}:${port}/`, http2: true }),
    (host: string) => smtp.send({ ...server, host }, mail),
    (host: string) => smtp.verify({ ...server, host, secure: true }),
  ]
}

const bracketed = (host: string) => (host.includes('::') && !host.startsWith('[') ? `[${host}]` : host)
const words = (text: string) => text.trim().split(/\s+/)

describe('no byte to a private address', () => {
  const hosts = words(`
    127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0x7f.1 0177.0.0.1 017700000001
    0177.0.0.01 127.0.0.1. 0 0.0.0.0 00000000 0x0 1.0x0.0x0.0x0.0x0 ①②⑦.⓪.⓪.① １２７．０．０．１ 127。0。0。1 127｡0｡0｡1
    localhost LOCALHOST localhost. api.localhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ localhost.localdomain
    ::1 [::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1] [::7f00:1]
    [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [2002:7f00:1::] [2001:0:7f00:1::] [fe80::1] [fd00::1] [fc00::1] [fec0::1]
    [fd00:ec2::254] [::ffff:a9fe:a9fe] [::ffff:10.0.0.1] [ff02::1]
    10.0.0.1 10.1 172.16.0.1 172.31.255.255 192.168.0.1 192.168.257 100.64.0.1 100.100.100.200 169.254.169.254 2852039166
    0xA9FEA9FE 0251.0376.0251.0376 198.18.0.1 192.0.2.1 203.0.113.1 224.0.0.1 255.255.255.255 240.0.0.1 168.63.129.16
    metadata.google.internal metadata.goog metadata printer.local nas.lan db.internal kubernetes.default.svc.cluster.local`)

  test(`none of ${hosts.length} spellings opens a connection, by any door`, async () => {
    canary.connections = 0
    const guard = addressGuard({ allowedRanges: [], allowedPorts: [canary.port] })
    const asked: string[] = []
    const lookup = async (name: string) => {
      asked.push(name)
      return ['127.0.0.1']
    }
    const ways = doors(guard, lookup, canary.port)
    expect(hosts.length).toBeGreaterThanOrEqual(60)
    for (const host of hosts) {
      for (const ask of ways) {
        const answer = await ask(host)
        expect([host, answer]).toMatchObject([host, { kind: 'fault', sent: false, refused: true }])
        // Malformed ones have their own sentence; every address has the same.
        if (!host.startsWith('1.0x0')) expect([host, answer]).toMatchObject([host, { reason: refusedAddress }])
      }
    }
    expect([asked, canary.connections]).toEqual([[], 0])
  })

  test('userinfo, odd schemes and odd ports open none', async () => {
    canary.connections = 0
    const guard = addressGuard({ allowedRanges: [], allowedPorts: [canary.port] })
    const http = createHttp(guard, { lookup: async () => ['127.0.0.1'] })
    open.push(http)
    const { port } = canary
    const urls = words(`
      http://example.com@127.0.0.1:${port}/ http://127.0.0.1:${port}@example.com/ http://example.com:22/ http://example.com:25/
      http://example.com:6379/ ftp://example.com/ file:///etc/passwd gopher://127.0.0.1:${port}/ unix:/var/run/docker.sock
      http:127.0.0.1:${port} http:///127.0.0.1:${port} http:\\\\127.0.0.1:${port} http://127.0.0.1:${port}\\@example.com/
      http://example.com\\@127.0.0.1:${port}/ //127.0.0.1:${port}/ http://[::1 http://0x7f.1:${port}/ http://%31%32%37.0.0.1:${port}/`)
    for (const url of ['', ' http://example.com/', 'http://exa mple.com/', 'http://example.com/\r\n', ...urls]) {
      for (const http2 of [undefined, true] as const) {
        const answer = await http({ url, ...(http2 && { http2 }) })
        expect([url, answer]).toMatchObject([url, { kind: 'fault', sent: false, refused: true }])
      }
    }
    const smtp = createSmtp(addressGuard({ allowedRanges: [], allowedPorts: [] }))
    const server = { host: 'mail.example.com', secure: false, requireTls: false, ignoreTls: false, tlsOptions: {} }
    for (const smtpPort of [22, 6379, 5432, 0, -1, 65_536, 25.5]) {
      expect(await smtp.send({ ...server, port: smtpPort }, mail)).toMatchObject({ sent: false, refused: true })
    }
    expect(canary.connections).toBe(0)
  })

  const answers = [
    ...[
      ['127.0.0.1'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['10.0.0.1'],
      ['169.254.169.254'],
      ['fe80::1%lo'],
      ['0.0.0.0'],
      ['::'],
    ],
    ...[
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['2606:4700::1111', '::1'],
      ['8.8.8.8', '8.8.4.4', '192.168.0.1'],
    ],
    ...[['nonsense'], [''], ['8.8.8.8', ''], ['127.0.0.1 '], ['0x7f.1']],
  ]
  test.each(answers.map((given) => [given]))('a name with the answers %j is refused', async (given) => {
    canary.connections = 0
    const guard = addressGuard({ allowedRanges: [], allowedPorts: [canary.port] })
    for (const ask of doors(guard, async () => given, canary.port)) {
      expect(await ask('rebind.example.com')).toEqual({
        kind: 'fault',
        sent: false,
        reason: refusedAddress,
        refused: true,
      })
    }
    expect(canary.connections).toBe(0)
  })
})

describe('one look-up, and what it said', () => {
  // 127.0.0.1 stands for the public internet here, 127.0.0.2 for what must not be reached.
  const guardFor = (port: number) => addressGuard({ allowedRanges: ['127.0.0.1/32'], allowedPorts: [port] })

  test('a resolver that answers something else the second time is not asked a second time', async () => {
    let asked = 0
    const lookup = async () => [asked++ === 0 ? '127.0.0.1' : '127.0.0.2']
    const http = createHttp(guardFor(peer.port), { lookup })
    open.push(http)
    const url = `http://rebind.example.com:${peer.port}/`
    expect(await http({ url })).toMatchObject({ kind: 'reply', status: 200 })
    expect(asked).toBe(1)
    peer.cut()
    await expect.poll(() => peer.connections.open).toBe(0)
    expect(await http({ url })).toMatchObject({ kind: 'fault', reason: refusedAddress })
    expect([asked, peer.requests.at(-1)?.headers.host]).toEqual([2, `rebind.example.com:${peer.port}`])
  })

  test('the connected peer is judged once more, before a byte is written', async () => {
    const guard = guardFor(peer.port)
    const before = peer.requests.length
    let judged = 0
    const fickle: Guard = {
      ...guard,
      refuseUrl: () => null,
      refuseHost: () => null,
      allowsAddress: () => judged++ % 2 === 0,
    }
    for (const ask of doors(fickle, async () => ['127.0.0.1'], peer.port)) {
      expect(await ask('peer.example.com')).toMatchObject({ sent: false, refused: true, reason: refusedAddress })
    }
    expect(peer.requests).toHaveLength(before)
  })

  test('an address that does not answer costs a moment, not the request', async () => {
    await digHole('127.0.0.3', peer.port)
    const guard = addressGuard({ allowedRanges: ['127.0.0.0/8', '::1/128'], allowedPorts: [peer.port] })
    const lookup = async () => ['::1', '127.0.0.3', '127.0.0.9', '127.0.0.1']
    const http = createHttp(guard, { lookup })
    open.push(http)
    expect(await http({ url: `http://many.example.com:${peer.port}/` })).toMatchObject({ kind: 'reply', status: 200 })
  })

  test('a black hole is given up in time and was not sent', async () => {
    await digHole('127.0.0.4', peer.port)
    const guard = addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [peer.port] })
    const started = Date.now()
    for (const ask of doors(guard, async () => ['127.0.0.4'], peer.port)) {
      const answer = await ask('hole.example.com')
      expect(answer).toEqual({ kind: 'fault', sent: false, reason: 'hole.example.com did not answer in time' })
    }
    expect(Date.now() - started).toBeGreaterThan(2_000)
    expect(Date.now() - started).toBeLessThan(5_000)
  })

  test('a failing connector names the host and nothing else', async () => {
    const connect = createConnect(guardFor(1), { lookup: async () => ['127.0.0.1'] })
    expect(await connect({ host: 'peer.example.com.', port: 1 })).toEqual({
      kind: 'fault',
      sent: false,
      reason: 'peer.example.com refused the connection',
    })
  })
})

/** A listener with a full queue: the next connection gets no answer. */
async function digHole(host: string, port: number): Promise<void> {
  const hole = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     require('node:net').createServer().listen({ ...workerData, backlog: 1 }, () => {
       parentPort.postMessage('open')
       setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
     })`,
    { eval: true, workerData: { host, port } },
  )
  await new Promise((resolve, reject) => hole.once('message', resolve).once('error', reject))
  await new Promise((resolve) => setTimeout(resolve, 50))
  const fillers = Array.from({ length: 4 }, () => netConnect({ host, port }).on('error', () => {}))
  await new Promise((resolve) => setTimeout(resolve, 50))
  open.push({
    async close() {
      for (const filler of fillers) filler.destroy()
      await hole.terminate()
    },
  })
}
