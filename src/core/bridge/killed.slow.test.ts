import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { prepareBridgeApp } from '../../../test/bridge/start-app.ts'
import { type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { trigger } from '../../../test/pipeline.ts'

const [app, receiver] = [await prepareBridgeApp(), await startHttpReceiver()]
const settings = allowing(app.port, receiver.port)
// An API node: what works is a process of its own, which is killed.
const h = useHarness(settings)
const main = join(import.meta.dirname, '../../main.ts')

let worker: ChildProcess | null = null
function startWorker(): void {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    DATABASE_URL: h.databaseUrl,
    DATABASE_POOL_SIZE: '8',
    ENCRYPTION_KEYS: `t1:${Buffer.alloc(32, 1).toString('base64')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    DASHBOARD: 'false',
    ...settings,
  }
  worker = spawn(process.execPath, [main, 'worker'], { env, stdio: 'ignore' })
}
async function killWorker(): Promise<void> {
  const own = worker
  worker = null
  if (!own || own.exitCode !== null) return
  const gone = once(own, 'close')
  own.kill('SIGKILL')
  await gone
}
afterEach(() => Promise.all([killWorker(), app.kill()]))
afterAll(() => receiver.close())

const people = Array.from({ length: 12 }, (_, n) => `person-${n}`)
const open = ['pending', 'queued', 'delayed', 'running']

test('bridge and worker are killed again and again: each person has each message once, each step one state', {
  timeout: 300_000,
}, async () => {
  const env = await h.environment()
  await app.start(env.key)
  expect((await env.post('/v1/bridge/sync', { bridgeUrl: app.url })).status).toBe(201)
  await makeIntegration(env, emailWebhook(`${receiver.url}/mail`))
  for (const subscriberId of people) {
    await env.post('/v2/subscribers', { subscriberId, firstName: subscriberId, email: `${subscriberId}@example.com` })
  }
  startWorker()
  // Two events for each person: the second is gathered with the first.
  for (const number of [1, 2]) {
    const payload = { number, seconds: 40, quiet: true }
    const result = await trigger(env, { name: 'everything', to: people, payload, transactionId: `event-${number}` })
    expect(result.status).toBe('processed')
  }
  for (let round = 0; round < 4; round++) {
    // In the middle of it: some more steps were run.
    const before = app.seen().length
    const seen = () => app.seen().length
    await expect.poll(seen, { timeout: 90_000, interval: 10 }).toBeGreaterThan(before + (round === 3 ? 2 : 15))
    if (round % 2 === 0) await app.kill()
    await sleep(300)
    await killWorker()
    await app.kill()
    // As if the dead worker's time were over: half a minute for the bridge, some seconds for what it asked.
    await sql`update bridge set busy_by = null, busy_until = now()`.execute(h.admin)
    await sql`update bridge_call set next_at = now()`.execute(h.admin)
    startWorker()
    await sleep(500)
    await app.start(env.key)
  }
  // A call that nobody recorded, and a pause after failures, end by themselves; the test does not wait for all of it.
  const nudge = setInterval(() => {
    void sql`update bridge_call set next_at = now() where next_at > now() and number = failures`.execute(h.admin)
  }, 2_000)
  try {
    const left = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from job where environment_id = ${env.environmentId} and status = any (${open})`.execute(
        h.admin,
      )
      return rows[0]?.n
    }
    const written = () =>
      sql`select 1 from job where environment_id = ${env.environmentId}`
        .execute(h.admin)
        .then(({ rows }) => rows.length)
    // Eleven steps of two events for each.
    await expect.poll(written, { timeout: 60_000, interval: 500 }).toBe(people.length * 22)
    await expect.poll(left, { timeout: 120_000, interval: 500 }).toBe(0)
  } finally {
    clearInterval(nudge)
  }

  const { rows: jobs } = await sql<{ subscriber: string; type: string; status: string; n: number }>`
    select s.subscriber_id as subscriber, j.type, j.status, count(*)::int as n from job j
    join notification n on n.environment_id = j.environment_id and n.id = j.notification_id
    join subscriber s on s.environment_id = n.environment_id and s.id = n.subscriber_id
    where j.environment_id = ${env.environmentId} group by 1, 2, 3`.execute(h.admin)
  const countOf = (subscriber: string, type: string, status: string) =>
    jobs.find((it) => it.subscriber === subscriber && it.type === type && it.status === status)?.n ?? 0
  const mails = receiver.requests.map(({ json }) => JSON.stringify(json))
  for (const person of people) {
    // Eleven steps of two notifications, all with one end.
    expect(jobs.filter((it) => it.subscriber === person).reduce((sum, it) => sum + it.n, 0)).toBe(22)
    expect([countOf(person, 'throttle', 'completed'), countOf(person, 'in_app', 'completed')]).toEqual([2, 2])
    expect([countOf(person, 'digest', 'completed'), countOf(person, 'digest', 'merged')]).toEqual([1, 1])
    expect([countOf(person, 'delay', 'completed'), countOf(person, 'email', 'completed')]).toEqual([1, 1])
    const own = mails.filter((mail) => mail.includes(`${person}@example.com`))
    expect(new Set(own).size).toBe(1)
    expect(own[0]).toContain('2 of 2, read: false')
    const feed: Json[] = (await env.get(`/v1/messages?subscriberId=${person}&channel=in_app`)).body.data
    expect(feed.map(({ subject }) => subject).sort()).toEqual(['Number 1', 'Number 2'])
  }
  const { rows: calls } = await sql`select 1 from bridge_call`.execute(h.admin)
  expect(calls).toEqual([])
  // A try that was cut may come again, by the same id.
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(people.length)
})
