import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { buildContext, closeContext } from '../src/build-context.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Ctx } from '../src/context.ts'
import { announceKeys } from '../src/core/operations/announce-keys.ts'
import { issueApiKey } from '../src/core/operations/bootstrap.ts'
import { loadTasks } from '../src/engine/load-tasks.ts'
import { workTasks } from '../src/engine/work-tasks.ts'
import { startWorker } from '../src/engine/worker.ts'
import { errorTable } from '../src/errors.ts'
import { authenticator } from '../src/http/access/auth.ts'
import { addHealth } from '../src/http/health.ts'
import type { Route } from '../src/http/load-routes.ts'
import { loadRoutes } from '../src/http/load-routes.ts'
import { createServer } from '../src/http/server.ts'
import { listBootstrapKeys } from '../src/store/access/api-keys.ts'
import { insertEnvironment, insertOrganization } from '../src/store/access/environments.ts'
import { type Db, openDatabase } from '../src/store/database.ts'
import { asOwn } from './client/own-words.ts'
import { withinSeconds } from './client/within-seconds.ts'
import { withDatabase, withRole } from './find-postgres.ts'
import { makeSettingsOf, poolerSettings, throughPooler } from './peers/pooler.ts'

/** biome-ignore lint/suspicious/noExplicitAny: what a server said is whatever it said; assertions judge it */
export type Json = any
export type Reply = { status: number; headers: Headers; body: Json; text: string }
type Sent = { body?: unknown; raw?: string | Uint8Array; headers?: Record<string, string> }
type Call = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

export type Client = {
  key: string
  environmentId: string
  organizationId: string
  get: Call
  post: Call
  put: Call
  patch: Call
  delete: Call
  send(method: string, path: string, sent?: Sent): Promise<Reply>
}

export type Harness = {
  ctx: Ctx
  url: string
  databaseUrl: string
  routes: Route[]
  /** Without row-level security: for arranging and looking at rows. */
  admin: Db
  /** A new environment with a key, in a new organization unless one is given. */
  environment(options?: { organizationId?: string }): Promise<Client>
  /** Any request, any key. */
  send(method: string, path: string, sent?: Sent & { key?: string | null }): Promise<Reply>
  /** Waits until nothing is queued or running; tasks more than a minute ahead do not count. */
  drain(): Promise<void>
  /** Also waits until no message is to be sent or retried. */
  settled(timeoutMs?: number): Promise<void>
  /** A second API node on the same database. */
  node(settings?: Record<string, string>): Promise<{ url: string; server: FastifyInstance }>
}

export const underRowLevelSecurity = process.env.TEST_RLS === '1'

const testKeys = `t1:${Buffer.alloc(32, 1).toString('base64')}`

type Options = { worker?: true }
/** Without `node`: a node with other settings would affect the test files that follow. */
export type SharedHarness = Omit<Harness, 'node'>

/** A real server on a database of this file's own; with `worker` also the background work. Call once per test file. */
export function useHarness(settings: Record<string, string> = {}, options: Options = {}): Harness {
  const harness = {} as Harness
  let close = async () => {}
  beforeAll(async () => {
    const opened = await openHarness(settings, options)
    close = opened.close
    Object.assign(harness, opened.harness)
  })
  afterAll(() => close())
  return harness
}

/**
 * The same, shared by the test files that run in this process, because starting one takes half a second. For tests that
 * look only at environments of their own.
 */
export function useSharedHarness(): SharedHarness {
  const harness = {} as SharedHarness
  beforeAll(async () => {
    shared ??= openHarness({}, {})
    const { node: _more, ...harnessOfAll } = (await shared).harness
    Object.assign(harness, harnessOfAll)
    Object.assign(harness.ctx, { clock: () => new Date(), log: silentLog() }) // A previous file may have changed these.
  })
  return harness
}

// Never closed: it ends with the process, and global-setup.ts drops its database.
let shared: ReturnType<typeof openHarness> | undefined

async function openHarness(
  settings: Record<string, string>,
  options: Options,
): Promise<{ harness: Harness; close(): Promise<void> }> {
  const cleanUps: { what: string; run(): Promise<unknown> }[] = []
  const { url, template, databases, rlsRole } = inject('postgres')
  const name = `${databases}${randomBytes(4).toString('hex')}`
  // Copying the files takes half the processor time of copying through the log, as PostgreSQL does by itself.
  await sqlOn(url, `create database ${name} template ${template} strategy file_copy`)

  const databaseUrl = withDatabase(url, name)
  const owner = openDatabase({ url: databaseUrl, poolSize: 5, rowLevelSecurity: false, onError() {} })
  cleanUps.unshift({ what: 'owner of the rows', run: owner.close })
  const routes = await loadRoutes()

  const servingUrl = underRowLevelSecurity ? withRole(databaseUrl, rlsRole, 'rls') : databaseUrl
  await makeSettingsOf([servingUrl, databaseUrl])

  const startNode = async (extra: Record<string, string> = {}) => {
    const config = testConfig({ ...poolerSettings(servingUrl), ...settings, ...extra })
    const ctx = await buildContext(config, throughPooler(servingUrl), {
      log: silentLog(),
      worker: options.worker ?? false,
      engineUrl: throughPooler(databaseUrl),
      engineDirectUrl: databaseUrl,
    })
    const announcement = await announceKeys(ctx, 'test')
    const server = createServer(ctx, routes, authenticator(ctx, await listBootstrapKeys(ctx.database.db)))
    addHealth(server, {})
    cleanUps.unshift(
      { what: 'HTTP server', run: () => server.close() },
      { what: 'context', run: () => closeContext(ctx, announcement.end) },
    )
    if (options.worker) {
      const { tasks, loops } = await loadTasks()
      await workTasks(ctx, tasks)
      // Only what wakes others: housekeeping would change the rows that tests look at.
      const timers = startWorker(
        ctx,
        loops.filter(({ name }) => /^(wake-.*|watch-queues|watch-sends|send-own-mails)$/.test(name)),
      )
      cleanUps.unshift({ what: 'timers', run: timers.stop })
    }
    return { ctx, server, url: await server.listen({ host: '127.0.0.1', port: 0 }) }
  }
  const first = await startNode()
  const send = sender(first.url)
  const harness: Harness = {
    ctx: first.ctx,
    url: first.url,
    databaseUrl,
    routes,
    admin: owner.db,
    send,
    node: (extra) => startNode({ DATABASE_POOL_SIZE: '4', ...extra }),
    drain: () => drain(owner.db),
    settled: (timeoutMs = mostMs) => settled(owner.db, timeoutMs),
    environment: async (options: { organizationId?: string } = {}) => {
      const now = new Date()
      const organizationId = options.organizationId ?? (await insertOrganization(owner.db, 'test', now))
      const environmentId = await insertEnvironment(owner.db, organizationId, 'test', now)
      const made = { environmentId, name: 'test', cell: 'c1', now, sealer: first.ctx.sealer }
      const key = await issueApiKey(owner.db, made)
      const ours = settings.VENDOR_NAMES === undefined ? send : asOwn(send)
      return { ...client(ours, key), environmentId, organizationId }
    },
  }
  const close = async () => {
    for (const { what, run } of cleanUps) await withinSeconds(30, run(), what)
    // Not awaited: a drop waits for a checkpoint, on a slow disk a minute. global-setup.ts drops what is left.
    void sqlOn(url, `drop database if exists ${name} with (force)`).catch(() => {})
  }
  return { harness, close }
}

export function testConfig(settings: Record<string, string> = {}): Config {
  return readConfig({
    NODE_ENV: 'development',
    DATA_DIR: '.data/test',
    ENCRYPTION_KEYS: testKeys,
    LOG_LEVEL: 'silent',
    // Several harnesses share a server with a hundred connections; further nodes of one take four.
    DATABASE_POOL_SIZE: '8',
    ROW_LEVEL_SECURITY: String(underRowLevelSecurity),
    // As in production: in development the machine itself may be called.
    EGRESS_ALLOWED_RANGES: '',
    ...settings,
  })
}

/** Sends requests to one node, and checks that every error has the shape that clients parse. */
export function sender(url: string): Harness['send'] {
  return async (method, path, { body, raw, headers = {}, key } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key ? { authorization: `ApiKey ${key}` } : {}),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : Buffer.from(sent) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const reply = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text, text }
    if (reply.status >= 400) expectErrorShape(reply)
    return reply
  }
}

export function client(send: Harness['send'], key: string) {
  const call =
    (method: string): Call =>
    (path, body, headers) =>
      send(method, path, { body, headers: headers ?? {}, key })
  return {
    key,
    get: ((path, _body, headers) => send('GET', path, { headers: headers ?? {}, key })) satisfies Call,
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
    send: (method: string, path: string, sent: Sent = {}) => send(method, path, { ...sent, key }),
  }
}

export function expectErrorShape({ status, headers, body }: Reply): void {
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(body).toMatchObject({
    statusCode: status,
    message: expect.any(String),
    path: expect.any(String),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    requestId: headers.get('x-request-id'),
  })
  expect(Object.keys(errorTable)).toContain(body.code)
  expect(errorTable[body.code as keyof typeof errorTable][0]).toBe(status)
  if (status === 422) {
    expect(Object.keys(body.errors).length).toBeGreaterThan(0)
    for (const fault of Object.values<Json>(body.errors)) expect(fault.messages.length).toBeGreaterThan(0)
  }
}

/** Until work is over. Whoever waits goes on at once when it is; a machine that others use takes its time. */
const mostMs = 60_000

async function drain(db: Db): Promise<void> {
  for (const until = Date.now() + mostMs; Date.now() < until; ) {
    const { rows } = await sql<{ open: boolean }>`
      select exists (select 1 from pgboss.job where name <> 'dead-letters' and state < 'completed'
        and start_after < now() + interval '1 minute') as open`.execute(db)
    if (!rows[0]?.open) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const { rows } = await sql`
    select name, state, data, priority, group_id, start_after, output from pgboss.job
    where name <> 'dead-letters' and state < 'completed' and start_after < now() + interval '1 minute' limit 3`.execute(
    db,
  )
  throw new Error(`work is still queued after a minute: ${JSON.stringify(rows)}`)
}

async function settled(db: Db, timeoutMs: number): Promise<void> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; ) {
    await drain(db)
    const { rows } = await sql<{ open: boolean }>`
      select exists (select 1 from message where delivery = 'open') as open`.execute(db)
    if (!rows[0]?.open) return drain(db)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`messages still wait to be sent after ${timeoutMs} ms`)
}

export function silentLog() {
  return pino({ level: 'silent' })
}

async function sqlOn(url: string, text: string): Promise<void> {
  const connection = new pg.Client({ connectionString: url })
  await connection.connect()
  try {
    for (let attempt = 0; ; attempt++) {
      // 55006: another file clones the template right now.
      const error = await connection.query(text).then(
        () => null,
        (reason: unknown) => reason,
      )
      if (!error) return
      if (!(error instanceof pg.DatabaseError && error.code === '55006') || attempt > 50) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    await connection.end()
  }
}
