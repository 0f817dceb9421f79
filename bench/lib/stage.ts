import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isOver, whenOver } from '../../chaos/lib/clean-up.ts'
import { type ApiNode, startNode } from '../../chaos/lib/process.ts'
import { newEncryptionKey } from '../../chaos/lib/world.ts'
import { progressBar } from '../../scripts/progress-bar.ts'
import { issueApiKey } from '../../src/core/operations/bootstrap.ts'
import { insertEnvironment, insertOrganization } from '../../src/store/access/environments.ts'
import { openDatabase } from '../../src/store/database.ts'
import { admin, withDatabase } from '../../test/find-postgres.ts'
import type { Cluster } from './cluster.ts'
import { workflowId } from './events.ts'
import { printStatements } from './statements.ts'

export type Tenant = { key: string; environmentId: string }

/** A fresh database, one API process and one worker process on it. */
export type Stage = {
  cluster: Cluster
  databaseUrl: string
  api: ApiNode
  worker: ApiNode
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  tenant(): Promise<Tenant>
  post(tenant: Tenant, path: string, body: unknown): Promise<unknown>
  get(tenant: Tenant, path: string): Promise<unknown>
  /** A workflow by the name that all events of the bench carry. */
  workflow(tenant: Tenant, steps: readonly unknown[]): Promise<unknown>
  /** Ends the nodes and drops the database. */
  close(): Promise<void>
}

let stages = 0
const open = new Set<ApiNode[]>()

/** After a series that failed: what it left running must not disturb the next one. */
export async function endNodes(): Promise<void> {
  await Promise.all([...open].flat().map((node) => node.kill()))
  open.clear()
}

/** What the nodes found worth a warning: it explains a figure, or a failure. */
export function printComplaints(): void {
  for (const node of [...open].flat()) {
    const lines = node
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":'))
    for (const line of lines.slice(0, 3)) console.log(`   a node wrote: ${line.slice(0, 400)}`)
    if (lines.length > 3) console.log(`   and ${lines.length - 3} lines more`)
  }
}

export async function openStage(cluster: Cluster, settings: Record<string, string> = {}): Promise<Stage> {
  if (isOver()) throw new Error('the run is over')
  const name = `bench_${++stages}`
  await admin(cluster.adminUrl, (client) => client.query(`create database ${name}`))
  const databaseUrl = withDatabase(cluster.adminUrl, name)
  const dataDir = mkdtempSync(join(tmpdir(), `tidings-bench-${process.pid}-node-`))
  const removeDir = whenOver(() => rmSync(dataDir, { recursive: true, force: true }))
  const { api, worker, nodes } = await startNodes({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...settings })
  // Under a name of our own: what we ask is not counted as the product's.
  const pool = new pg.Pool({
    connectionString: asObserver(databaseUrl),
    max: 4,
    application_name: 'bench',
    // One that ended would count among the product's: see `usage.ts`.
    idleTimeoutMillis: 0,
  })
  pool.on('error', () => {})
  // A query that takes minutes must not hold the end of the run: the cluster is stopped next, and it with it.
  const endPool = whenOver(() => Promise.race([pool.end(), sleep(5_000, undefined, { ref: false })]))
  if (cluster.hasStatements) await pool.query('create extension if not exists pg_stat_statements')

  const send = caller(api)
  const post: Stage['post'] = (tenant, path, body) => send(tenant, path, { method: 'POST', body: JSON.stringify(body) })
  return {
    cluster,
    databaseUrl,
    api,
    worker,
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    tenant: () => makeTenant(databaseUrl),
    post,
    workflow: (tenant, steps) => post(tenant, '/v2/workflows', { workflowId, name: workflowId, steps }),
    get: (tenant, path) => send(tenant, path, {}),
    async close() {
      await Promise.all([api.stop(), worker.stop()])
      printComplaints()
      open.delete(nodes)
      await printStatements(pool)
      await endPool()
      await removeDir()
      await admin(cluster.adminUrl, (client) => client.query(`drop database ${name} with (force)`))
      // What this series left to write must not slow the next one.
      await admin(cluster.adminUrl, (client) => client.query('checkpoint'))
    },
  }
}

async function startNodes(settings: Record<string, string>) {
  const given = {
    NODE_ENV: 'production',
    ENCRYPTION_KEYS: newEncryptionKey('k1'),
    LOG_LEVEL: 'warn',
    ...(process.env.BENCH_NODE_OPTIONS && { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS }),
    // To compare the two ways of an event.
    ...(process.env.AT_ONCE_PEOPLE && { AT_ONCE_PEOPLE: process.env.AT_ONCE_PEOPLE }),
    ...settings,
  }
  const nodes: ApiNode[] = []
  open.add(nodes)
  const start = async (role: 'api' | 'worker') => {
    const node = await startNode(role, given, [])
    nodes.push(node)
    return node
  }
  // One after the other: the first one makes the tables.
  return { api: await start('api'), worker: await start('worker'), nodes }
}

/** For what is not measured to the millisecond; throws unless it succeeds. */
function caller(api: ApiNode) {
  return async (tenant: Tenant, path: string, init: RequestInit): Promise<unknown> => {
    const headers = { authorization: `ApiKey ${tenant.key}`, 'content-type': 'application/json' }
    const reply = await fetch(api.url + path, { ...init, headers })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
}

export function asObserver(url: string): string {
  const changed = new URL(url)
  changed.username = 'observer'
  return changed.href
}

async function makeTenant(url: string): Promise<Tenant> {
  const { db, close } = openDatabase({ url, poolSize: 1, rowLevelSecurity: false, onError() {} })
  const now = new Date()
  const organizationId = await insertOrganization(db, 'bench', now)
  const environmentId = await insertEnvironment(db, organizationId, 'bench', now)
  const key = await issueApiKey(db, { environmentId, name: 'bench', cell: 'c1', now })
  await close()
  return { key, environmentId }
}

// One insert of a million would hold its locks and its memory for a minute, and show nothing.
const peoplePerInsert = 20_000

/** People whom events name by id, as they would stand there after a year. Answers their `_id`s. */
export async function seedPeople(stage: Stage, { environmentId }: Tenant, count: number): Promise<string[]> {
  const show = count > peoplePerInsert ? progressBar(count, 'people') : () => {}
  const ids: string[] = []
  for (let from = 0; from < count; from += peoplePerInsert) {
    const rows = await stage.sql<{ id: string }>(
      `insert into subscriber (environment_id, id, subscriber_id, first_name, last_name, email, locale, updated_at)
       select $1, (substr(uuid_at(now())::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid,
         's-' || n, 'Ada', 'Lovelace', 's-' || n || '@example.com', 'en-US', now()
       from generate_series($2::int, $3::int) n returning id`,
      [environmentId, from, Math.min(count, from + peoplePerInsert) - 1],
    )
    for (const row of rows) ids.push(row.id)
    show(ids.length)
  }
  await stage.sql('vacuum (analyze) subscriber')
  return ids
}

/** Until every accepted event has reached all its people: that commit also makes their in-app messages visible. */
export async function untilExpanded(stage: Stage, { environmentId }: Tenant, withinMs: number): Promise<void> {
  for (const deadline = Date.now() + withinMs; ; await sleep(25)) {
    const [row] = await stage.sql<{ open: boolean }>(
      `select exists (select from event where environment_id = $1 and state = 'accepted') as open`,
      [environmentId],
    )
    if (!row?.open) return
    const ended = stage.worker.ended() ?? stage.api.ended()
    if (ended) throw new Error(`a node ended: ${ended}`)
    if (Date.now() > deadline) throw new Error(`events still wait after ${withinMs / 1000} s`)
  }
}

export async function countMessages(stage: Stage, { environmentId }: Tenant): Promise<number> {
  const [row] = await stage.sql<{ n: number }>('select count(*)::int as n from message where environment_id = $1', [
    environmentId,
  ])
  return row?.n ?? 0
}

/** How many notifications the product writes with one transaction: bare does the same. */
export async function pageSizeOf(stage: Stage, { environmentId }: Tenant): Promise<number> {
  const [row] = await stage.sql<{ size: number }>(
    'select round(count(*)::numeric / count(distinct xmin::text))::int as size from message where environment_id = $1',
    [environmentId],
  )
  return Math.max(100, row?.size ?? 0)
}
