/**
 * npm run measure-inbox -- [--people 10000] [--rounds 200] [--p50 ms] [--p99 ms]: two API nodes and a worker, as separate
 * processes on a database of their own. From the trigger's call to the browser's event; then many people connected to one
 * node: memory of each, the processor while nothing happens, an event to a topic of all of them, and the node killed.
 * With --browser only the first, to the moment the stock component's bell changes in a real Chromium.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { WebSocket } from 'ws'
import { runToEnd, whenOver } from '../chaos/lib/clean-up.ts'
import { readDelayMs } from '../chaos/lib/event-loop.ts'
import { type ApiNode, startNode } from '../chaos/lib/process.ts'
import { openStockSocket } from '../chaos/lib/stock-socket.ts'
import { makeInboxToken } from '../src/core/inbox/inbox-token.ts'
import { createSealer } from '../src/lib/seal.ts'
import { admin, findPostgres, withDatabase } from '../test/find-postgres.ts'
import { measureBell } from './measure-bell.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '200' },
    browser: { type: 'boolean', default: false },
    p50: { type: 'string' },
    p99: { type: 'string' },
  },
})
const [people, rounds] = [Number(values.people), Number(values.rounds)]
const key = 'measure-inbox-key'
const encryptionKey = randomBytes(32)

type Stage = {
  nodes: [ApiNode, ApiNode]
  databaseUrl: string
  environmentId: string
  keyId: string
  identifier: string
}

await runToEnd(async () => {
  const stage = await start()
  if (values.browser) {
    // Node by node: the browser is at one, the trigger goes to the other.
    const [first, second] = stage.nodes
    tell('trigger to the bell of the browser', await measureBell({ triggerAt: first, browserAt: second, key, rounds }))
    return
  }
  await measureLatency(stage)
  await measureCrowd(stage)
})

async function start(): Promise<Stage> {
  const postgres = await findPostgres()
  whenOver(postgres.stop)
  const database = `tidings_te_inbox_${process.pid}`
  whenOver(() => admin(postgres.url, (client) => client.query(`drop database if exists ${database} with (force)`)))
  await admin(postgres.url, (client) => client.query(`create database ${database}`))
  const databaseUrl = withDatabase(postgres.url, database)
  const settings = {
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_API_KEY: key,
    ENCRYPTION_KEYS: `k1:${encryptionKey.toString('base64')}`,
    LOG_LEVEL: 'warn',
    DASHBOARD: 'false',
  }
  const first = await startNode('api', settings, [])
  const second = await startNode('api', settings, [])
  await startNode('worker', settings, [])
  const { data } = (await call(first, 'GET', '/v1/environment')) as { data: { _id: string; identifier: string } }
  const found = await admin(databaseUrl, (client) => client.query('select id from api_key where revoked_at is null'))
  return {
    nodes: [first, second],
    databaseUrl,
    environmentId: data._id,
    identifier: data.identifier,
    keyId: found.rows[0].id,
  }
}

async function call({ url }: ApiNode, method: string, path: string, body?: unknown): Promise<unknown> {
  const reply = await fetch(url + path, {
    method,
    headers: { authorization: `ApiKey ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply.status === 204 ? null : reply.json()
}

type Person = {
  name: string
  token: string
  socket: WebSocket | null
  counts: number[]
  received: number
  receivedAt: number
}

/** Resolves when the counts have come. */
function connect(person: Person, { url }: ApiNode): Promise<void> {
  return new Promise((resolve, reject) => {
    const event = (text: string) => {
      const [name, value] = JSON.parse(text)
      if (name === 'notification_received') {
        person.received++
        person.receivedAt = performance.now()
      }
      if (name === 'unread_count_changed') {
        person.counts.push(value.unreadCount)
        resolve()
      }
    }
    person.socket = openStockSocket(url, person.token, { event, fault: reject })
  })
}

async function measureLatency({ nodes: [first, second], identifier }: Stage): Promise<void> {
  const subscriberHash = createHmac('sha256', key).update('ada').digest('hex')
  const body = { applicationIdentifier: identifier, subscriberId: 'ada', subscriberHash }
  const { data } = (await call(second, 'POST', '/v1/inbox/session', body)) as { data: { token: string } }
  const ada: Person = { name: 'ada', token: data.token, socket: null, counts: [], received: 0, receivedAt: 0 }
  await connect(ada, second)
  const times: number[] = []
  for (let round = -10; round < rounds; round++) {
    const before = ada.received
    const started = performance.now()
    await call(first, 'POST', '/v1/events/trigger', { name: 'hello', to: 'ada', payload: { message: `${round}` } })
    while (ada.received === before) {
      if (performance.now() - started > 20_000) throw new Error('nothing came for 20 s')
      await sleep(1)
    }
    if (round >= 0) times.push(ada.receivedAt - started)
    await sleep(20)
  }
  tell('trigger to browser', times)
  ada.socket?.close()
}

/** Says how long it took, and fails above the limits that were given. */
function tell(what: string, times: number[]): void {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
  const [p50, p95, p99] = [at(0.5), at(0.95), at(0.99)].map((ms) => ms.toFixed(0))
  say(`${what} over ${times.length}: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`)
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const limit = values[name]
    if (limit === undefined || at(share) <= Number(limit)) continue
    console.error(`${name} is above its limit of ${limit} ms`)
    process.exitCode = 1
  }
}

async function measureCrowd({ nodes: [first, second], databaseUrl, environmentId, keyId }: Stage): Promise<void> {
  const crowd = await makePeople(first, { databaseUrl, environmentId, keyId })
  await sleep(2_000)
  const before = first.memoryMb('VmRSS')
  const started = performance.now()
  for (let from = 0; from < crowd.length; from += 250) {
    await Promise.all(crowd.slice(from, from + 250).map((person) => connect(person, first)))
  }
  const took = (performance.now() - started) / 1000
  await sleep(2_000)
  const each = ((first.memoryMb('VmRSS') - before) * 1024) / people
  say(
    `${people} sockets on one node in ${took.toFixed(1)} s: ${each.toFixed(1)} KB each (${before} to ${first.memoryMb('VmRSS')} MB)`,
  )
  const [busy, since] = [processorMs(first.pid), performance.now()]
  await sleep(30_000)
  say(`idle: ${(((processorMs(first.pid) - busy) / (performance.now() - since)) * 100).toFixed(2)} % of a core`)

  const told = performance.now()
  await readDelayMs(first.url)
  await call(first, 'POST', '/v1/events/trigger', {
    name: 'hello',
    to: { type: 'Topic', topicKey: 'all' },
    payload: { message: 'x' },
  })
  await until(
    () => crowd.every((person) => person.received === 1),
    120_000,
    () => `${crowd.filter((p) => p.received === 1).length} have it`,
  )
  const lastHasIt = ((performance.now() - told) / 1000).toFixed(1)
  say(
    `one event to a topic of ${people}: the last has it after ${lastHasIt} s; the node stood still for ${await readDelayMs(first.url)} ms at most`,
  )

  for (const person of crowd) person.counts = []
  await readDelayMs(second.url)
  const killed = performance.now()
  await first.kill()
  // The stock client comes again after 1 to 5 s, at random.
  await Promise.all(
    crowd.map(async (person) => {
      await sleep(500 + Math.random() * 4_500)
      await connect(person, second)
    }),
  )
  const still = await readDelayMs(second.url)
  const wrong = crowd.filter((person) => person.counts.at(-1) !== 1).length
  say(
    `node killed: all back and told after ${((performance.now() - killed) / 1000).toFixed(1)} s, ${wrong} with a wrong count; the other node stood still for ${still} ms at most`,
  )
  if (wrong > 0) process.exitCode = 1
  for (const person of crowd) person.socket?.terminate()
}

async function makePeople(node: ApiNode, place: { databaseUrl: string; environmentId: string; keyId: string }) {
  const names = Array.from({ length: people }, (_, n) => `p${n}`)
  await call(node, 'POST', '/v2/topics', { key: 'all', name: 'All' })
  for (let from = 0; from < people; from += 100) {
    const some = names.slice(from, from + 100)
    await call(node, 'POST', '/v1/subscribers/bulk', { subscribers: some.map((subscriberId) => ({ subscriberId })) })
    await call(node, 'POST', '/v2/topics/all/subscriptions', { subscriptions: some })
  }
  const found = await admin(place.databaseUrl, (client) =>
    client.query("select id, subscriber_id from subscriber where subscriber_id ~ '^p[0-9]+$'"),
  )
  // Made here: ten thousand sessions from one address would be told to wait.
  const sealer = createSealer([{ id: 'k1', bytes: encryptionKey }])
  const expiresAt = new Date(Date.now() + 3_600_000)
  return found.rows.map((row): Person => {
    const claims = {
      environmentId: place.environmentId,
      subscriberId: row.id,
      contextKeys: [],
      vouchedBy: place.keyId,
      lookOnly: false,
      expiresAt,
    }
    return {
      name: row.subscriber_id,
      token: makeInboxToken(sealer, claims),
      socket: null,
      counts: [],
      received: 0,
      receivedAt: 0,
    }
  })
}

function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function until(holds: () => boolean, withinMs: number, what: () => string): Promise<void> {
  const started = performance.now()
  while (!holds()) {
    if (performance.now() - started > withinMs) throw new Error(`not within ${withinMs / 1000} s: ${what()}`)
    await sleep(20)
  }
}

function say(line: string): void {
  console.log(`${line} · load ${(loadavg()[0] ?? 0).toFixed(1)}`)
}
