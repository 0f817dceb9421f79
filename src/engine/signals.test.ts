import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { makeWorkflow } from '../../test/pipeline.ts'
import { buildContext, closeContext } from '../build-context.ts'
import type { Ctx } from '../context.ts'
import { envOf } from '../store/database.ts'
import expandEvents from '../tasks/expand-events.ts'
import type { Task } from './define-task.ts'
import { startEngine, type TaskData } from './engine.ts'
import { loadTasks } from './load-tasks.ts'
import { workTasks } from './work-tasks.ts'

/** A process without workers. */
const h = useHarness({ AT_ONCE_PEOPLE: '0' })
/** One with workers that never look by themselves: what they take, they were told of. */
let worker: Ctx
const ran: TaskData[] = []
const task: Task = { ...expandEvents, run: async (_ctx, tasks) => void ran.push(...tasks) }

beforeAll(async () => {
  const log = pino({ level: 'silent' })
  worker = await buildContext(h.ctx.config, h.databaseUrl, { log, worker: true, engineUrl: h.databaseUrl })
  await workTasks(worker, [task])
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1))
})
afterAll(() => closeContext(worker))

async function listeners(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and application_name = 'tidings signals' and query ~ '^(listen|select 1)'`.execute(
    h.admin,
  )
  return rows.map(({ pid }) => pid)
}

async function enqueue(what: string): Promise<void> {
  await h.ctx.engine.enqueue(h.admin, task.name, 'bulk', [{ environmentId: 'e', what }])
}

const tookWhat = () => ran.map((it) => it.what)

test('another process is told of a task, and takes it without looking by itself', async () => {
  await enqueue('told')
  await vi.waitFor(() => expect(tookWhat()).toContain('told'))
})

test('it is told after the commit, not before it', async () => {
  const fetches = vi.spyOn(worker.engine.boss, 'fetch')
  try {
    await h.ctx.database.write(envOf('00000000-0000-0000-0000-000000000000'), async (db) => {
      await h.ctx.engine.enqueue(db, task.name, 'bulk', [{ environmentId: 'e', what: 'committed' }])
      // Another signal goes and comes meanwhile: one that was sent before would have come before it.
      await enqueue('meanwhile')
      await vi.waitFor(() => expect(tookWhat()).toContain('meanwhile'))
      fetches.mockClear()
    })
    await vi.waitFor(() => expect(tookWhat()).toContain('committed'))
    expect(fetches).toHaveBeenCalled()
  } finally {
    fetches.mockRestore()
  }
})

test('a listener that was cut off listens again, and asks for what it missed', async () => {
  const [pid] = await listeners()
  await sql`select pg_terminate_backend(${pid}::int)`.execute(h.admin)
  await enqueue('missed')
  await vi.waitFor(() => expect(tookWhat()).toContain('missed'), { timeout: 10_000 })
  await enqueue('heard again')
  await vi.waitFor(() => expect(tookWhat()).toContain('heard again'))
})

test('a process with a free worker takes its own tasks and tells nobody', async () => {
  const sent = await watchChannels()
  await worker.engine.enqueue(h.admin, task.name, 'bulk', [{ environmentId: 'e', what: 'own' }])
  await vi.waitFor(() => expect(tookWhat()).toContain('own'))
  await enqueue('of another')
  await vi.waitFor(() => expect(sent.heard.map((it) => it.payload)).toEqual([expect.stringContaining(task.name)]))
  await sent.close()
})

test('many tasks at once are told by few signals', async () => {
  const sent = await watchChannels()
  await Promise.all(Array.from({ length: 100 }, (_, n) => enqueue(`many ${n}`)))
  await vi.waitFor(() => expect(tookWhat().filter((what) => String(what).startsWith('many'))).toHaveLength(100), 10_000)
  expect(sent.heard.length).toBeGreaterThan(0)
  expect(sent.heard.length).toBeLessThan(50)
  await sent.close()
})

type Heard = { name: string; payload: string; pid: number }

/** Whatever is said on the channels of the service and on that of the engine. */
async function watchChannels(): Promise<{ heard: Heard[]; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: h.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ channel: string }>(
    `select 'pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24) as channel`,
  )
  const heard: Heard[] = []
  client.on('notification', ({ channel, payload = '', processId }) =>
    heard.push({ name: channel, payload, pid: processId }),
  )
  for (const channel of ['tidings_queues', 'tidings_inbox', rows[0]?.channel]) await client.query(`listen ${channel}`)
  return { heard, close: () => client.end() }
}

test('no transaction of ours notifies: whoever does has a connection for nothing else', async () => {
  const sent = await watchChannels()
  const env = await h.environment()
  await makeWorkflow(env)
  await env.post('/v1/events/trigger', { name: 'hello', to: 'somebody' })
  await vi.waitFor(() => expect(sent.heard.length).toBeGreaterThan(0))
  const { rows } = await sql<{ pid: number; name: string }>`
    select pid, application_name as name from pg_stat_activity where datname = current_database()`.execute(h.admin)
  const names = new Map(rows.map(({ pid, name }) => [pid, name]))
  expect(new Set(sent.heard.map(({ pid }) => names.get(pid)))).toEqual(new Set(['tidings signals']))
  await sent.close()
})

test('the engine does not notify either, also in a database where it did', async () => {
  const told = async () =>
    (await sql<{ name: string }>`select name from pgboss.queue where notify`.execute(h.admin)).rows.map((it) => it.name)
  await sql`update pgboss.queue set notify = true`.execute(h.admin)
  const { tasks } = await loadTasks()
  const names = tasks.map(({ name }) => name)
  const log = pino({ level: 'silent' })
  const engine = await startEngine({
    target: { connectionString: h.databaseUrl },
    log,
    tasks: names,
    worker: false,
    ownsQueues: true,
  })
  await engine.stop()
  expect((await told()).filter((name) => names.includes(name))).toEqual([])
})

test('only the module for it notifies', () => {
  const root = join(import.meta.dirname, '../..')
  const files = ['src', 'migrations'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const notifying = files
    .filter((file) => /\.(ts|sql)$/.test(file) && !file.endsWith('.test.ts'))
    .filter((file) => /\bpg_notify\b|^\s*notify\s+\w+\s*[,;]/im.test(readFileSync(join(root, file), 'utf8')))
  expect(notifying).toEqual(['src/store/signals/channel.ts'])
})
