import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { discovery } from '../../../test/bridge/discovery.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { trigger } from '../../../test/pipeline.ts'

const bridge = await startHttpReceiver()
const settings = allowing(bridge.port)
// An API node: what works are processes of their own.
const h = useHarness(settings)
const main = join(import.meta.dirname, '../../main.ts')
const workers = new Set<ChildProcess>()

function startWorker(): { child: ChildProcess; said: () => string } {
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
  const child = spawn(process.execPath, [main, 'worker'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (it: string) => (text += it))
  workers.add(child)
  return { child, said: () => text }
}
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  const began = performance.now()
  workers.delete(child)
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'close')
    child.kill(signal)
    await gone
  }
  return performance.now() - began
}
afterEach(() => Promise.all([...workers].map((it) => end(it, 'SIGKILL'))))
afterAll(() => bridge.close())

const people = Array.from({ length: 30 }, (_, n) => `person-${n}`)
const executions = () => bridge.requests.filter(({ url }) => url.includes('action=execute'))

async function begin(delayMs: number): Promise<Client> {
  const env = await h.environment()
  bridge.answer = discovery()
  expect((await env.post('/v1/bridge/sync', { bridgeUrl: bridge.url })).status).toBe(201)
  bridge.requests.length = 0
  bridge.answer = { json: { outputs: { body: 'From code' }, options: { skip: false } }, delayMs }
  expect((await trigger(env, { name: 'coded', to: people, payload: {} })).status).toBe('processed')
  return env
}
async function sent(env: Client): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from message where environment_id = ${env.environmentId}`.execute(h.admin)
  return rows[0]?.n ?? 0
}

test('a worker that is told to stop ends its calls in order: nothing is asked twice', { timeout: 90_000 }, async () => {
  const first = startWorker()
  const env = await begin(2_500)
  await expect.poll(() => executions().length, { timeout: 20_000 }).toBeGreaterThan(5)
  const second = startWorker()
  expect(await end(first.child, 'SIGTERM')).toBeLessThan(10_000)
  expect(first.child.exitCode).toBe(0)
  await expect.poll(() => sent(env), { timeout: 40_000 }).toBe(people.length)
  expect(executions()).toHaveLength(people.length)
  await end(second.child, 'SIGTERM')
})

test.each(['cut', 'only read'])(
  'the database is %s while calls are under way: nothing is lost or asked twice',
  { timeout: 120_000 },
  async (how) => {
    const worker = startWorker()
    const env = await begin(1_500)
    await expect.poll(() => executions().length, { timeout: 20_000 }).toBeGreaterThan(5)
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    const name = new URL(h.databaseUrl).pathname.slice(1)
    if (how === 'only read')
      await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(h.admin)
    for (let n = 0; n < 4; n++) {
      await cut.execute(h.admin).catch(() => {})
      await sleep(600)
    }
    if (how === 'only read') {
      await sleep(1_500)
      await h.admin.connection().execute(async (db) => {
        await sql`set default_transaction_read_only = off`.execute(db)
        await sql.raw(`alter database ${name} set default_transaction_read_only = off`).execute(db)
      })
      await cut.execute(h.admin).catch(() => {})
    }
    await expect.poll(() => sent(env), { timeout: 60_000 }).toBe(people.length)
    expect(executions().length).toBeLessThan(people.length + 15)
    expect(worker.child.exitCode).toBe(null)
    await end(worker.child, 'SIGTERM')
  },
)

test('two workers share what there is to ask: each once, 40 at a time at most', { timeout: 90_000 }, async () => {
  const both = [startWorker(), startWorker()]
  const env = await begin(300)
  const more = Array.from({ length: 200 }, (_, n) => `more-${n}`)
  await trigger(env, { name: 'coded', to: more.slice(0, 100), payload: {} })
  await trigger(env, { name: 'coded', to: more.slice(100), payload: {} })
  bridge.connections.most = 0
  await expect.poll(() => sent(env), { timeout: 60_000 }).toBe(230)
  expect(executions()).toHaveLength(230)
  expect(bridge.connections.most).toBeLessThanOrEqual(40)
  await Promise.all(both.map(({ child }) => end(child, 'SIGTERM')))
})
