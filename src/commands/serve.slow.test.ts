import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { withDatabase } from '../../test/find-postgres.ts'
import { sender, useHarness } from '../../test/harness.ts'
import { makeSendgrid } from '../../test/integration-samples.ts'

const h = useHarness()
const main = join(import.meta.dirname, '../main.ts')
const key = `t1:${Buffer.alloc(32, 1).toString('base64')}`

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

type Run = { child: ChildProcess; said: () => string; ended: Promise<number | null> }

/** The program itself, as an operator starts it. */
function start(args: string[], settings: Record<string, string> = {}): Run {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    DATABASE_URL: h.databaseUrl,
    DATABASE_POOL_SIZE: '4',
    ENCRYPTION_KEYS: key,
    HOST: '127.0.0.1',
    PORT: '0',
    DASHBOARD: 'false',
    ...settings,
  }
  const child = spawn(process.execPath, [main, ...args], { env })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (data) => (text += data))
  return { child, said: () => text, ended: once(child, 'close').then(([code]) => code) }
}

async function until<T>(find: () => T | undefined | null | false, withinMs = 60_000): Promise<T> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; ) {
    const found = find()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('it did not come to pass')
}

/** For a lock, in this file's database. */
async function untilSomebodyWaits(): Promise<void> {
  for (let waiting = 0; waiting === 0; ) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(h.admin)
    waiting = rows[0]?.count ?? 0
  }
}

async function urlOf(run: Run): Promise<string> {
  const port = await until(() => /is ready at http:\/\/localhost:(\d+)/.exec(run.said())?.[1])
  return `http://127.0.0.1:${port}`
}

describe('npm start', () => {
  test('serves the API, is ready, works its loops, and ends on SIGTERM with 0', async () => {
    const run = start([], { BOOTSTRAP_API_KEY: 'my-own-key' })
    const url = await urlOf(run)
    const send = sender(url)
    expect((await send('POST', '/v2/topics', { key: 'my-own-key', body: { key: 'a' } })).status).toBe(200)
    expect((await send('GET', '/health/ready')).body).toEqual({
      status: 'ok',
      checks: { database: true, encryptionKeys: true, worker: true },
    })
    expect(run.said()).toMatch(/Tidings \(api and worker\)/)
    expect(run.said()).not.toContain('my-own-key')
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
  })

  test('SIGTERM lets a request that is being answered be answered, and takes no new one', async () => {
    const env = await h.environment()
    const run = start(['api'])
    const url = await urlOf(run)
    const holder = new pg.Client({ connectionString: h.databaseUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select 1 from environment where id = $1 for update', [env.environmentId])
    const body = { providerId: 'slack', channel: 'chat' }
    const answer = sender(url)('POST', '/v1/integrations', { key: env.key, body })
    await untilSomebodyWaits()
    run.child.kill('SIGTERM')
    await until(() => run.said().includes('"stopping"'))
    // The terminal and systemd signal every process of a group, and npm, which is one of them, passes it on once more.
    run.child.kill('SIGTERM')
    // A moment after it says so.
    const knock = () =>
      fetch(`${url}/health/live`).then(
        () => 'answered',
        () => 'refused',
      )
    await expect.poll(knock, { interval: 20 }).toBe('refused')
    await holder.query('commit')
    await holder.end()
    expect((await answer).status).toBe(201)
    expect(await run.ended).toBe(0)
  })

  test('somebody who asks a second time does not want to wait', async () => {
    const run = start(['api'], { STOP_DELAY_SECONDS: '60' })
    await urlOf(run)
    run.child.kill('SIGINT')
    await sleep(1_500)
    run.child.kill('SIGINT')
    expect(await run.ended).toBe(1)
  })

  test('two thousand who come while it is busy are all let in', { timeout: 120_000 }, async () => {
    const run = start([])
    const { hostname, port } = new URL(await urlOf(run))
    const crowd = Math.min(2_000, Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')))
    run.child.kill('SIGSTOP')
    const sockets = Array.from({ length: crowd }, () => connect(Number(port), hostname).on('error', () => {}))
    const isIn = (socket: Socket) => socket.readyState === 'open'
    await until(() => sockets.every(isIn), 20_000).catch(() => {})
    expect(sockets.filter(isIn)).toHaveLength(crowd)
    run.child.kill('SIGCONT')
    const answers = sockets.map(async (socket) => {
      socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n')
      const [data] = await once(socket, 'data')
      socket.destroy()
      return String(data).slice(0, 12)
    })
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200']))
  })

  test('what it logs holds no secret, not even when it fails', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env, { credentials: { apiKey: 'planted-canary-secret' } })
    const run = start(['api'])
    const send = sender(await urlOf(run))
    const change = { key: env.key, body: { credentials: { from: 'planted-canary-from' } } }
    expect((await send('PUT', `/v1/integrations/${made._id}`, change)).status).toBe(200)
    const spoil = new pg.Client({ connectionString: h.databaseUrl })
    await spoil.connect()
    await spoil.query(
      `update integration set credentials = jsonb_build_object('from', credentials->'apiKey') where id = $1`,
      [made._id],
    )
    await spoil.end()
    const failed = await send('PUT', `/v1/integrations/${made._id}`, change)
    expect(failed.status).toBe(500)
    const cause = await until(() =>
      run
        .said()
        .split('\n')
        .find((line) => line.includes('"request failed"')),
    )
    expect(JSON.parse(cause)).toMatchObject({ requestId: failed.body.requestId, err: { stack: expect.any(String) } })
    expect(run.said()).not.toMatch(/planted-canary/)
    expect(run.said()).not.toContain(env.key)
  })

  test('-- worker: healthy, without any route', async () => {
    const run = start(['worker'])
    const send = sender(await urlOf(run))
    expect((await send('GET', '/health/ready')).body).toEqual({
      status: 'ok',
      checks: { database: true, encryptionKeys: true, worker: true },
    })
    expect((await send('GET', '/v2/topics')).status).toBe(404)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
  })

  test('prints a way into the dashboard that works once; in production one signs in with a key', {
    timeout: 180_000,
  }, async () => {
    const run = start(['api'], { DASHBOARD: 'true' })
    const url = await urlOf(run)
    const link = await until(() => /Dashboard: http:\/\/localhost:\d+\/#link=(\S+)\n/.exec(run.said())?.[1])
    expect((await fetch(`${url}/`, { headers: { accept: 'text/html' } })).headers.get('content-type')).toMatch(/html/)
    const signIn = () => sender(url)('POST', '/session', { body: { link }, headers: { 'x-tidings-session': '1' } })
    expect([(await signIn()).status, (await signIn()).status]).toEqual([200, 401])
    const logged = await until(
      () =>
        run
          .said()
          .split('\n')
          .filter((line) => line.includes('"/session"'))[1],
    )
    expect(logged).not.toContain(link)
    expect(run.said().split(link)).toHaveLength(2)

    const production = start(['api'], { DASHBOARD: 'true', NODE_ENV: 'production' })
    await until(() => /"msg":"Dashboard: http:\/\/localhost:\d+\/"/.test(production.said()))
    const off = start(['api'])
    const said = await fetch(await urlOf(off), { headers: { accept: 'text/html' } })
    expect(await said.json()).toMatchObject({ name: 'Tidings', docs: '/docs' })
    expect(off.said()).not.toContain('Dashboard:')
  })

  test('on a port in use ends with 1 before anything is made, and the next start prints the key', {
    timeout: 240_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidings-port-'))
    chmodSync(folder, 0o755)
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String((other.address() as AddressInfo).port)
    const settings = { DATABASE_URL: '', DATA_DIR: folder, PORT: port }
    try {
      for (const role of ['start', 'api', 'worker']) {
        const refused = start([role], settings)
        expect(await refused.ended).toBe(1)
        expect(refused.said()).toMatch(new RegExp(`^Port ${port} is in use.* PORT=${Number(port) + 1} npm start\n$`))
      }
      expect(readdirSync(folder)).toEqual([])
      other.close()
      const served = start([], settings)
      await urlOf(served)
      await until(() => /Your API key, shown this once/.test(served.said()))
      served.child.kill('SIGTERM')
      expect(await served.ended).toBe(0)
    } finally {
      other.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('that cannot go on ends with 1 and one sentence, no stack', { timeout: 120_000 }, async () => {
    const faults: [string[], Record<string, string>, RegExp][] = [
      [['sing'], {}, /^Unknown command 'sing'\nFor help: tidings --help\n$/],
      [[], { PORT: 'x', CELL: '?' }, /2 faults:\n- PORT.*\n- CELL/],
      [[], { ENCRYPTION_KEYS: key.replace('t1', 't9') }, /"t1", which ENCRYPTION_KEYS lacks/],
      [
        ['api'],
        { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
        /database at 127.0.0.1:1 cannot be reached.*DATABASE_URL/,
      ],
      [['api'], { DATABASE_URL: 'postgres://x@localhost:1/x' }, /database at localhost:1 cannot be reached/],
      [
        ['api'],
        { DATABASE_URL: withDatabase(h.databaseUrl, 'not_there') },
        /no database "not_there".*createdb not_there/,
      ],
      [['api'], { HOST: '203.0.113.9', PORT: '3999' }, /no address 203\.0\.113\.9.*HOST/],
    ]
    const runs = faults.map(([args, settings]) => start(args, settings))
    for (const [index, run] of runs.entries()) {
      expect(await run.ended).toBe(1)
      expect(run.said()).toMatch(faults[index]?.[2] ?? /never/)
      expect(run.said()).not.toMatch(/^\s+at /m)
    }
  })
})

test('version reads no settings: it answers where a start would be refused', async () => {
  const { said, ended } = start(['version'], { NODE_ENV: 'production', DATABASE_URL: '', ENCRYPTION_KEYS: '' })
  expect(await ended).toBe(0)
  expect(said()).toMatch(/^Tidings \d+\.\d+\.\d+ · schema \d+ · Node 24\./)
})
