import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { type Client, client, sender, useHarness } from '../../test/harness.ts'
import { readSamples, sumOf } from '../../test/metrics-text.ts'
import { makeWorkflow, messagesBySubscriber } from '../../test/pipeline.ts'

const h = useHarness()
const root = join(import.meta.dirname, '../..')
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

type Node = { url: string; child: ChildProcess }

/** The program itself, as an operator starts it. */
async function start(role: 'api' | 'worker', settings: Record<string, string>): Promise<Node> {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    DATABASE_URL: h.databaseUrl,
    ENCRYPTION_KEYS: `t1:${Buffer.alloc(32, 1).toString('base64')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    DASHBOARD: 'false',
    ...settings,
  }
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), role], { env })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (data) => (said += data))
  const port = await until(60_000, () => /is ready at http:\/\/localhost:(\d+)/.exec(said)?.[1])
  return { url: `http://127.0.0.1:${port}`, child }
}

async function until<T>(
  withinMs: number,
  find: () => Promise<T | null | undefined | false> | T | undefined,
): Promise<T> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await sleep(50)) {
    const found = await find()
    if (found) return found
  }
  throw new Error(`it did not come to pass within ${withinMs} ms`)
}

/** What a probe with a time limit sees. */
async function probe({ url }: Node, path: string): Promise<number | 'no answer'> {
  const answer = fetch(url + path, { signal: AbortSignal.timeout(2_500) })
  return answer.then(
    (reply) => reply.status,
    () => 'no answer',
  )
}

async function oldestDueAge({ url }: Node): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return sumOf(readSamples(text), 'tidings_oldest_due_age_seconds', { queue: 'expand-events', lane: 'transactional' })
}

async function twoNodes(settings: Record<string, string> = {}): Promise<{ api: Node; worker: Node; env: Client }> {
  const [api, worker] = await Promise.all([start('api', settings), start('worker', settings)])
  const made = await h.environment()
  const env = { ...made, ...client(sender(api.url), made.key) }
  await makeWorkflow(env)
  expect(await probe(worker, '/health/ready')).toBe(200)
  return { api, worker, env }
}

const triggerOne = (env: Client, n: number) => env.post('/v1/events/trigger', { name: 'hello', to: `p${n}` })

describe('a worker', () => {
  test('that is frozen is not ready; the API accepts, and tells within 10 s how long work has waited', {
    timeout: 180_000,
  }, async () => {
    // Else nothing would wait for the worker.
    const { api, worker, env } = await twoNodes({ AT_ONCE_PEOPLE: '0' })
    expect(await oldestDueAge(api)).toBe(0)
    worker.child.kill('SIGSTOP')
    const frozenMs = Date.now()
    let accepted = 0
    const age = await until(10_000, async () => {
      expect((await triggerOne(env, accepted++)).status).toBe(201)
      const seconds = await oldestDueAge(api)
      return seconds > 3 && seconds
    })
    const afterMs = Date.now() - frozenMs
    const ready = { api: await probe(api, '/health/ready'), worker: await probe(worker, '/health/ready') }
    console.log(`frozen for ${afterMs} ms: oldest_due_age ${age} s, ${accepted} events accepted, ready:`, ready)
    expect(ready).toEqual({ api: 200, worker: 'no answer' })

    // Nothing was lost: when it thaws, everything is done once.
    worker.child.kill('SIGCONT')
    await until(20_000, async () => Object.keys(await messagesBySubscriber(env)).length === accepted)
    await until(10_000, async () => (await oldestDueAge(api)) === 0)
    expect(await probe(worker, '/health/ready')).toBe(200)
    expect(Object.values(await messagesBySubscriber(env))).toEqual(Array(accepted).fill(1))
  })

  test('whose loops do not turn answers 503 after 10 s, and the API is ready all the while', {
    timeout: 180_000,
  }, async () => {
    const { api, worker, env } = await twoNodes()
    const holder = new pg.Client({ connectionString: h.databaseUrl })
    await holder.connect()
    // Timers look at messages. So does accepting, but it does not wait for them.
    await holder.query('begin')
    await holder.query('lock table message in access exclusive mode')
    const heldMs = Date.now()
    await until(20_000, async () => (await probe(worker, '/health/ready')) === 503)
    const stuckMs = Date.now() - heldMs
    console.log(`loops held up: 503 after ${stuckMs} ms`)
    expect(stuckMs).toBeGreaterThan(9_000)
    expect(stuckMs).toBeLessThan(15_000)
    expect(await probe(worker, '/health/live')).toBe(200)
    expect(await probe(api, '/health/ready')).toBe(200)
    expect((await triggerOne(env, 1)).status).toBe(201)
    // The database gives no numbers while it is held: the page comes all the same, and says so.
    const text = await (await fetch(`${worker.url}/metrics`)).text()
    expect(sumOf(readSamples(text), 'tidings_backlog_known')).toBe(0)
    expect(text).not.toMatch(/^tidings_(dead_letters|oldest_due_age_seconds)\b/m)
    await holder.query('rollback')
    await holder.end()
    await until(15_000, async () => (await probe(worker, '/health/ready')) === 200)
  })
})
