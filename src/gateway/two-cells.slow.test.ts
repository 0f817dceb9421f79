import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, client, sender, useHarness } from '../../test/harness.ts'
import { makeSubscribers, makeWorkflow } from '../../test/pipeline.ts'
import { apiKeyId, newApiKey } from '../lib/api-key.ts'
import { activate, depart, freeze, setArriving, startDraining, stateOf } from '../store/access/environment-states.ts'
import type { Db } from '../store/database.ts'

/** Two cells with a database each and a gateway, all as an operator starts them. */
const databases = { ca: useHarness(), cb: useHarness() }
const main = join(import.meta.dirname, '../main.ts')
const dataDir = mkdtempSync(join(tmpdir(), 'tidings-two-cells-'))
const token = 'a-token-of-the-cells'
const children: ChildProcess[] = []
const cells = {} as Record<'ca' | 'cb', { url: string; child: ChildProcess }>
let gateway = ''

type Settings = Record<string, string>

async function start(args: string[], settings: Settings): Promise<{ url: string; child: ChildProcess }> {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: '0',
    CELL_TOKEN: token,
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  for await (const data of child.stdout ?? []) {
    const [, port] = /is ready at http:\/\/localhost:(\d+)/.exec(String(data)) ?? []
    if (!port) continue
    child.stdout?.resume()
    return { url: `http://127.0.0.1:${port}`, child }
  }
  throw new Error(`${args[0]} did not start`)
}

const settingsOf = (cell: 'ca' | 'cb'): Settings => ({
  NODE_ENV: 'development',
  CELL: cell,
  DATABASE_URL: databases[cell].databaseUrl,
  DATABASE_POOL_SIZE: '6',
  ENCRYPTION_KEYS: `t1:${Buffer.alloc(32, 1).toString('base64')}`,
  DASHBOARD: 'false',
  INBOX_HASH: 'optional',
  BOOTSTRAP_API_KEY: `own-key-of-${cell}`,
})

beforeAll(async () => {
  for (const name of ['ca', 'cb'] as const) cells[name] = await start(['start'], settingsOf(name))
  const named = `ca=${cells.ca.url},cb=${cells.cb.url}`
  const settings = { CELLS: named, DATA_DIR: dataDir, CONTROL_DATABASE_URL: databases.ca.databaseUrl }
  gateway = (await start(['gateway'], settings)).url
})

afterAll(async () => {
  for (const child of children) child.kill('SIGCONT')
  for (const child of children.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(dataDir, { recursive: true, force: true })
})

let made = 0

/** As `npm start -- environments create` in a cell. */
async function environmentIn(cell: 'ca' | 'cb') {
  const child = spawn(process.execPath, [main, 'environments', 'create', `Shop ${++made}`], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...settingsOf(cell) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (data) => (said += data))
  await once(child, 'close')
  const key = /td_[a-z0-9]+_[0-9a-f]{32}_[A-Za-z0-9]+/.exec(said)?.[0] ?? expect.fail(said)
  const { environment_id: id, identifier } = await databases[cell].admin
    .selectFrom('api_key')
    .innerJoin('environment', 'environment.id', 'api_key.environment_id')
    .select(['environment_id', 'identifier'])
    .where('api_key.id', '=', apiKeyId(key))
    .executeTakeFirstOrThrow()
  return { key, env: through(key, id), id, identifier }
}

const through = (key: string, environmentId = ''): Client => ({
  ...client(sender(gateway), key),
  environmentId,
  organizationId: '',
})

const statusOf = async (key: string) => {
  const reply = await fetch(`${gateway}/v2/topics`, { headers: { authorization: `ApiKey ${key}` } })
  await reply.text()
  return reply.status
}

const countEvents = async (db: Db, environmentId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from event where environment_id = ${environmentId}`.execute(db)
  return rows[0]?.count
}

test('each cell serves its own, by keys, keys of operators, and the inbox', async () => {
  const [one, two] = [await environmentIn('ca'), await environmentIn('cb')]
  expect(one.key).toMatch(/^td_ca_/)
  expect(two.key).toMatch(/^td_cb_/)
  for (const { env } of [one, two]) expect((await env.post('/v2/topics', { key: 'news' })).status).toBe(200)
  for (const cell of ['ca', 'cb'] as const) {
    const own = through(`own-key-of-${cell}`)
    expect((await own.post('/v2/topics', { key: `of-${cell}` })).status).toBe(200)
    expect((await own.get('/v2/topics')).body.data.map((it: { key: string }) => it.key)).toEqual([`of-${cell}`])
  }
  expect(await statusOf(newApiKey('cb', new Date()).text)).toBe(401)
  expect(await statusOf('nobody-s-key')).toBe(401)
  const session = { applicationIdentifier: two.identifier, subscriberId: 'ada' }
  const opened = await sender(gateway)('POST', '/v1/inbox/session', { body: session, key: null })
  expect(opened.status).toBe(201)
  const socket = new WebSocket(`${gateway.replace('http', 'ws')}/?token=${opened.body.data.token}`)
  const [said] = await once(socket, 'message')
  expect(JSON.parse(String(said)).event).toBe('connected')
  socket.terminate()
})

test('an environment moves under load: every call is answered, every event is there once', async () => {
  const { env, id, key } = await environmentIn('ca')
  await makeWorkflow(env)
  await makeSubscribers(env, ['ada'])
  const answers: number[] = []
  const refused: number[] = []
  let isOver = false
  const call = async (caller: number) => {
    for (let number = 0; !isOver; ) {
      const began = performance.now()
      const body = { name: 'hello', to: 'ada', transactionId: `t-${caller}-${number}` }
      const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
      const reply = await fetch(`${gateway}/v1/events/trigger`, { method: 'POST', headers, body: JSON.stringify(body) })
      await reply.text()
      if (reply.status === 201) {
        answers.push(performance.now() - began)
        number++
      } else refused.push(reply.status)
      await sleep(20)
    }
  }
  const callers = [1, 2, 3, 4].map(call)
  const some = async () => {
    const before = answers.length
    await expect.poll(() => answers.length, { timeout: 60_000 }).toBeGreaterThan(before + 20)
  }
  await some()
  const frozenMs = await moveByHand(id)
    .then(async (ms) => {
      await some()
      return ms
    })
    .finally(async () => {
      isOver = true
      await Promise.all(callers)
    })
  const slowest = Math.round(Math.max(...answers))
  console.log(`frozen ${Math.round(frozenMs)} ms, ${answers.length} calls, slowest ${slowest} ms, refused ${refused}`)
  // On a machine so slow that the freeze outlasts the hold, callers are told to come again, and nothing else.
  expect(refused).toEqual(frozenMs > 4_000 ? refused.map(() => 503) : [])
  expect(await countEvents(databases.cb.admin, id)).toBe(answers.length)
  // The other way of finding it: a gateway that knows nothing.
  const fresh = await start(['gateway'], {
    CELLS: `ca=${cells.ca.url},cb=${cells.cb.url}`,
    DATA_DIR: mkdtempSync(join(dataDir, 'fresh-')),
  })
  expect((await sender(fresh.url)('GET', '/v2/subscribers/ada', { key })).status).toBe(200)
})

test('a cell that is stopped leaves the other alone, and is back as soon as it answers', async () => {
  const { child } = cells.cb
  child.kill('SIGSTOP')
  const health = async () => (await sender(gateway)('GET', '/health')).body.cells
  await expect.poll(async () => (await health()).cb.state, { timeout: 20_000 }).toBe('down')
  const began = performance.now()
  expect(await statusOf('own-key-of-cb')).toBe(503)
  expect(performance.now() - began).toBeLessThan(1_000)
  expect(await statusOf('own-key-of-ca')).toBe(200)
  child.kill('SIGCONT')
  await expect.poll(() => statusOf('own-key-of-cb'), { timeout: 20_000 }).toBe(200)
})

/** What a mover does, without a live copy: the whole copy happens in the freeze. Returns how long that was, in ms. */
async function moveByHand(id: string): Promise<number> {
  const [from, to] = [databases.ca.admin, databases.cb.admin]
  const { organization_id, name, identifier, signing_secret } = await from
    .selectFrom('environment')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const arriving = { id, organizationId: organization_id, organizationName: 'moved', name, identifier }
  await setArriving(to, { ...arriving, signingSecret: signing_secret, sourceCell: 'ca', generation: 1 })
  await startDraining(from, id, 10_000)
  await sleep(300)
  const began = performance.now()
  await freeze(from, id, 10_000)
  await copyRows(from, to, id)
  expect(await depart(from, id, 'cb')).toBe(true)
  expect(await activate(to, id, 2)).toBe(true)
  expect(await stateOf(to, id)).toMatchObject({ state: 'active', generation: 2 })
  await sql`insert into placement (environment_id, cell, generation) values (${id}, 'cb', 2)`.execute(from)
  return performance.now() - began
}

async function copyRows(from: Db, to: Db, id: string): Promise<void> {
  const { rows: tables } = await sql<{ name: string; columns: string[] }>`
    select c.relname as name, (
      select array_agg(a.attname::text) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('placement', 'outcome_tally', 'environment')
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'environment_id')`.execute(from)
  await to.transaction().execute(async (trx) => {
    // Their order is not that of the foreign keys.
    await sql`set local session_replication_role = replica`.execute(trx)
    for (const { name, columns } of tables) {
      const table = sql.table(name)
      const list = sql.join(columns.map((column) => sql.ref(column)))
      const { rows } = await sql<{ rows: string }>`
        select coalesce(jsonb_agg(t), '[]')::text as rows from ${table} t where environment_id = ${id}`.execute(from)
      await sql`insert into ${table} (${list})
        select ${list} from jsonb_populate_recordset(null::${table}, ${rows[0]?.rows}::jsonb)`.execute(trx)
    }
  })
}
