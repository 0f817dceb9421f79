import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../../chaos/lib/random.ts'
import { type Client, client, sender, silentLog, testConfig, useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { buildContext, closeContext } from '../../build-context.ts'
import { findLosses } from '../../commands/conserve.ts'
import { authenticator } from '../../http/access/auth.ts'
import { createServer as createApi } from '../../http/server.ts'
import { listBootstrapKeys } from '../../store/access/api-keys.ts'

// Connections to the database that end at the worst moments. What is answered is true, and nothing is there twice.
const h = useHarness({}, { worker: true })
const path = '/v1/events/trigger'
const seed = Number(process.env.HOSTILE_SEED ?? Math.floor(Math.random() * 2 ** 31))

type Cut = 'none' | 'before' | 'after'
/** Between a node and PostgreSQL. `cut` is asked at each COMMIT: cut the line before it arrives, or after, unanswered. */
async function startLine(target: URL, cut: () => Cut): Promise<{ server: Server; port: number; cuts: () => number }> {
  let cuts = 0
  const server = createServer((inner) => {
    const outer = connect(Number(target.port), target.hostname)
    let isDeaf = false
    inner.on('data', (bytes) => {
      const kind = /^Q....(select .*; )?commit\0/is.test(bytes.toString('latin1')) ? cut() : 'none'
      if (kind !== 'none') cuts++
      if (kind === 'before') return void inner.destroy()
      isDeaf ||= kind === 'after'
      outer.write(bytes)
    })
    outer.on('data', (bytes) => (isDeaf ? void inner.destroy() : void inner.write(bytes)))
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port, cuts: () => cuts }
}

let cut: () => Cut = () => 'none'
let behindLine = ''
let cutsOf = () => 0
const cleanUps: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  const target = new URL(h.databaseUrl)
  const line = await startLine(target, () => cut())
  cutsOf = line.cuts
  const through = new URL(h.databaseUrl)
  through.port = String(line.port)
  through.hostname = '127.0.0.1'
  const ctx = await buildContext(testConfig(), through.href, {
    log: silentLog(),
    worker: false,
    engineUrl: h.databaseUrl,
  })
  const api = createApi(ctx, h.routes, authenticator(ctx, await listBootstrapKeys(h.admin)))
  behindLine = await api.listen({ host: '127.0.0.1', port: 0 })
  cleanUps.push(
    () => api.close(),
    () => closeContext(ctx),
    async () => line.server.close(),
  )
})
afterAll(async () => {
  for (const run of cleanUps) await run()
})
afterEach(async () => {
  cut = () => 'none'
  await sql`drop function if exists planted cascade`.execute(h.admin)
})

type Counts = { events: number; notifications: number; messages: number; notified: number }
async function rowsOf(env: Client): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select count(*)::int from event where environment_id = ${env.environmentId}) as events,
      (select coalesce(sum(notified_count), 0)::int from event where environment_id = ${env.environmentId}) as notified,
      (select count(*)::int from notification where environment_id = ${env.environmentId}) as notifications,
      (select count(*)::int from message where environment_id = ${env.environmentId}) as messages`.execute(h.admin)
  return rows[0] as Counts
}

/** How many messages each person has. */
async function messagesOf(env: Client): Promise<Map<string, number>> {
  const { rows } = await sql<{ who: string; n: number }>`
    select s.subscriber_id as who, count(m.id)::int as n from subscriber s
    left join message m on m.environment_id = s.environment_id and m.subscriber_id = s.id
    where s.environment_id = ${env.environmentId} group by 1`.execute(h.admin)
  return new Map(rows.map(({ who, n }) => [who, n]))
}

test('a line that is cut at the COMMIT gives 503 or the truth; a repeat doubles nothing', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const random = seededRandom(seed)
  const there = client(sender(behindLine), env.key)
  // Calls that come together share a commit: there may be few, and one is cut for certain.
  let isFirst = true
  cut = () => {
    const isCut = isFirst || random.chance(0.4)
    isFirst = false
    return isCut ? random.pick(['before', 'after'] as const) : 'none'
  }
  const statuses = new Map<number, number>()
  const calls = Array.from({ length: 120 }, async (_, n) => {
    await sleep(random.integer(0, 400))
    const event = { name: 'hello', to: `p${n}`, transactionId: `t${n}` }
    for (let turn = 0; turn < 100; turn++) {
      const reply = n % 3 === 0 ? await there.post(`${path}/bulk`, { events: [event] }) : await there.post(path, event)
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      if (reply.status === 201) return
      expect(reply.status, reply.text).toBe(503)
      await sleep(20)
    }
    throw new Error('never accepted')
  })
  await Promise.all(calls)
  expect(cutsOf()).toBeGreaterThan(0)
  await h.drain()
  expect(await rowsOf(env), `seed ${seed}`).toEqual({ events: 120, notifications: 120, messages: 120, notified: 120 })
  expect([...(await messagesOf(env)).values()].every((n) => n === 1)).toBe(true)
})

test('without a transactionId nothing is repeated inside: one call is at most one event, and 201 exactly one', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const random = seededRandom(seed + 1)
  const there = client(sender(behindLine), env.key)
  cut = () => (random.chance(0.5) ? random.pick(['before', 'after'] as const) : 'none')
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      await sleep(random.integer(0, 500))
      const keyed: Record<string, string> = n % 4 === 0 ? { 'idempotency-key': `k${n}` } : {}
      return (await there.post(path, { name: 'hello', to: `p${n}` }, keyed)).status
    }),
  )
  cut = () => 'none'
  await h.drain()
  const counts = await messagesOf(env)
  for (const [n, status] of answers.entries()) {
    const found = counts.get(`p${n}`) ?? 0
    expect([201, 503], String(n)).toContain(status)
    if (status === 201) expect(found, `seed ${seed}, call ${n}`).toBe(1)
    else expect(found, `seed ${seed}, call ${n}`).toBeLessThanOrEqual(1)
  }
})

test('the same idempotency-key again after 503 ends in one event', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const random = seededRandom(seed + 2)
  const there = client(sender(behindLine), env.key)
  cut = () => (random.chance(0.5) ? random.pick(['before', 'after'] as const) : 'none')
  const seen = new Map<number, number>()
  const ids = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      for (let turn = 0; turn < 200; turn++) {
        const reply = await there.post(path, { name: 'hello', to: `p${n}` }, { 'idempotency-key': `k${n}` })
        seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
        if (reply.status === 201) return reply.body.transactionId
        expect([503, 409], reply.text).toContain(reply.status)
        await sleep(50)
      }
      throw new Error('never accepted')
    }),
  )
  cut = () => 'none'
  await h.drain()
  expect(await rowsOf(env), `seed ${seed}`).toEqual({ events: 40, notifications: 40, messages: 40, notified: 40 })
  const { rows } = await sql<{ transaction_id: string }>`
    select transaction_id from event where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(new Set(rows.map((row) => row.transaction_id))).toEqual(new Set(ids))
})

test('backends that are terminated at any moment, also by the dozen, lose and double nothing', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const steps = [
    { name: 'Inbox', type: 'in_app', controlValues: { subject: 'Hi', body: 'Hello' } },
    { name: 'Delay', type: 'delay', controlValues: { amount: 1, unit: 'seconds', type: 'regular' } },
    { name: 'Again', type: 'in_app', controlValues: { subject: 'Hi', body: 'Hello' } },
  ]
  await makeWorkflow(env, 'twice', { steps })
  const random = seededRandom(seed + 3)
  await sql`create function planted() returns trigger language plpgsql as
    'begin perform pg_sleep(0.01); return null; end'`.execute(h.admin)
  await sql
    .raw(
      'create constraint trigger planted after insert on event_key deferrable initially deferred for each row execute function planted()',
    )
    .execute(h.admin)
  const second = client(sender((await h.node({ AT_ONCE_PEOPLE: '0' })).url), env.key)
  let isOver = false
  let killed = 0
  const killer = (async () => {
    while (!isOver) {
      await sleep(random.integer(20, 120))
      const { rows } = await sql<{ n: number }>`
        select count(pg_terminate_backend(pid))::int as n from (
          select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            and application_name = 'tidings' and random() < 0.3) a`
        .execute(h.admin)
        .catch(() => ({ rows: [] }))
      killed += rows[0]?.n ?? 0
    }
  })()
  const failures = new Map<string, number>()
  await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      await sleep(random.integer(0, 1500))
      const event = { name: n % 2 ? 'twice' : 'hello', to: [`p${n}`], transactionId: `t${n}` }
      for (let turn = 0; turn < 200; turn++) {
        const reply = await (n % 3 ? env : second).post(path, event)
        if (reply.status === 201) return
        failures.set(
          `${reply.status} ${reply.body.code}`,
          (failures.get(`${reply.status} ${reply.body.code}`) ?? 0) + 1,
        )
        expect(reply.status, reply.text).toBe(503)
        await sleep(30)
      }
      throw new Error('never accepted')
    }),
  ).finally(() => {
    isOver = true
  })
  await killer
  expect(killed).toBeGreaterThan(0)
  await expect.poll(async () => (await rowsOf(env)).messages, { timeout: 40_000, interval: 200 }).toBe(150)
  await h.drain()
  expect(await rowsOf(env), `seed ${seed}`).toEqual({ events: 100, notifications: 100, messages: 150, notified: 100 })
  expect((await findLosses(h.ctx)).filter((it) => it.environmentId === env.environmentId)).toEqual([])
})
