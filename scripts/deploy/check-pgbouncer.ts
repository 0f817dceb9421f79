/**
 * npm run check-pgbouncer: the program behind a PgBouncer in transaction mode, with deploy/pgbouncer.ini and ten
 * connections to a private PostgreSQL. What it says when a setting is missing; a start, a trigger and its message in the
 * feed, also as the role under row-level security; and a handful of tests. PGBOUNCER names another program than the
 * installed one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { runToEnd, whenOver } from '../../chaos/lib/clean-up.ts'
import { OutcomeUnknown } from '../../src/store/connect/database-away.ts'
import { inTransaction, isDatabaseUnavailable, openDatabase } from '../../src/store/database.ts'
import { admin, findPostgres, withDatabase, withRole } from '../../test/find-postgres.ts'
import { type PgBouncer, startPgBouncer } from '../../test/peers/start-pgbouncer.ts'

const tests = [
  'src/core/accept/accept-together.test.ts',
  'src/http/idempotency.test.ts',
  'src/core/pipeline/waiting-workers.test.ts',
  'src/core/delivery/deliver.test.ts',
  'src/http/inbox/live.test.ts',
  'src/engine/signals.test.ts',
  'src/tasks/row-level-security.test.ts',
]
// Without those that wait for the clock.
const quick =
  '^(?!.*(a lost hint is healed|key that vouched is revoked|one still running after 5 s|takes long to judge))'
// If tests went past it there would be some hundred.
const leastTransactions = 2_000
const poolSize = 10
// LISTEN for tasks and for feeds, the keeper of the queues, and whoever looks.
const mostBesides = 6
// A machine that others use may stop any process for seconds.
const slowMachine = /event loop was blocked|timeout exceeded when trying to connect/
const app = { role: 'tidings_app', password: 'app' }
const key = 'check-pgbouncer-key'

const slowCommit = `
  create table slow_commit (id int);
  create function slow_commit() returns trigger language plpgsql as 'begin perform pg_sleep(5); return null; end';
  create constraint trigger slow after insert on slow_commit deferrable initially deferred
    for each row execute function slow_commit()`

type Ways = { DATABASE_URL: string; DATABASE_DIRECT_URL: string }

const commonSettings = {
  NODE_ENV: 'development',
  BOOTSTRAP_API_KEY: key,
  PORT: '0',
  LOG_LEVEL: 'warn',
  DASHBOARD: 'false',
}

const began = performance.now()
await runToEnd(async () => {
  process.env.TEST_POSTGRES = 'private'
  const postgres = await findPostgres()
  whenOver(postgres.stop)
  const bouncer = await startPgBouncer({
    url: postgres.url,
    roles: { [app.role]: app.password, tidings_rls_test: 'rls' },
    poolSize,
  })
  whenOver(bouncer.stop)
  console.log(`\n${bouncer.log().match(/version: [^,]+|PgBouncer [\d.]+/i)?.[0] ?? 'PgBouncer'}, transaction mode`)

  const owner: Ways = { DATABASE_URL: bouncer.through(postgres.url), DATABASE_DIRECT_URL: postgres.url }
  await refuses(
    'without DATABASE_DIRECT_URL',
    { DATABASE_URL: owner.DATABASE_URL },
    'is a pooler, not PostgreSQL. Set DATABASE_DIRECT_URL',
  )
  await refuses(
    'with the pooler as DATABASE_DIRECT_URL',
    { ...owner, DATABASE_DIRECT_URL: owner.DATABASE_URL },
    'DATABASE_DIRECT_URL leads to a pooler',
  )
  await refuses(
    'with another database as DATABASE_DIRECT_URL',
    { ...owner, DATABASE_DIRECT_URL: withDatabase(postgres.url, 'postgres') },
    'lead to different databases',
  )
  // A connection of before the settings, which PgBouncer keeps.
  await admin(owner.DATABASE_URL, (client) => client.query('select 1'))
  await refuses('with connections from before the settings', owner, 'say RECONNECT on PgBouncer')
  await bouncer.say('RECONNECT')
  await serves('as the owner', owner, postgres.url)

  await admin(postgres.url, makeApp)
  const asApp = (url: string) => withRole(url, app.role, app.password)
  const walled = {
    DATABASE_URL: asApp(owner.DATABASE_URL),
    DATABASE_DIRECT_URL: asApp(postgres.url),
    ROW_LEVEL_SECURITY: 'true',
  }
  await refuses('as a role without its settings', walled, 'npm start -- migrate')
  const migrated = await program(['migrate'], walled)
  report('its own migrate ended')
  if (!migrated.output.includes('set for the role "tidings_app"'))
    throw new Error(`migrate did not set the role's settings:\n${migrated.output}`)
  await bouncer.say('RECONNECT')
  await serves('under row-level security', walled, postgres.url)

  await loses(owner)

  // Tests make many databases: connections to those that are gone must not fill the server.
  await bouncer.say('SET server_idle_timeout = 5')
  await vitest(postgres.url, bouncer)
  const transactions = await bouncer.transactions()
  if (transactions < leastTransactions) throw new Error(`only ${transactions} transactions came through PgBouncer`)
  report(`${transactions} transactions came through PgBouncer`)
})

function report(line: string): void {
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${line}`)
}

/** As decision 0004 says. */
async function makeApp(client: { query(text: string): Promise<unknown> }): Promise<void> {
  await client.query(`create role ${app.role} login password '${app.password}'`)
  for (const schema of ['public', 'pgboss']) {
    await client.query(`grant usage on schema ${schema} to ${app.role}`)
    await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${app.role}`)
  }
}

async function refuses(when: string, settings: Record<string, string>, sentence: string): Promise<void> {
  const { code, output } = await program(['start'], settings)
  if (code !== 1 || !output.includes(sentence))
    throw new Error(`${when}: ended with ${code} and did not say "${sentence}":\n${output}`)
  report(`${when}: refused. "…${sentence}…"`)
}

type Ended = { code: number | null; output: string }

/** `onReady`: what to do when it serves; then it is stopped. */
async function program(
  args: string[],
  settings: Record<string, string>,
  onReady?: (url: string) => Promise<void>,
): Promise<Ended> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), ...args], {
    env: { ...process.env, ...commonSettings, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const over = whenOver(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let output = ''
  const url = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk
        const found = /ready at (\S+) after/.exec(output)?.[1]
        if (found) resolve(found)
      })
    }
  })
  const ready = await Promise.race([url, ended.then(() => null)])
  if (ready && onReady) await onReady(ready)
  if (ready) await over()
  const [code] = await ended
  await over()
  return { code: ready && !onReady ? 0 : code, output }
}

/** Fifty events at once, more than the pool has connections; every message is in its feed. */
async function serves(how: string, settings: Record<string, string>, serverUrl: string): Promise<void> {
  const people = Array.from({ length: 50 }, (_, n) => `${how.replaceAll(' ', '-')}-${n}`)
  const { output } = await program(['start'], settings, async (url) => {
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
    await Promise.all(people.map((person) => triggerAndSee(url, headers, person)))
    const connections = await admin(serverUrl, async (client) => {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and usename = $1`,
        [new URL(settings.DATABASE_URL ?? '').username],
      )
      return rows[0]?.n ?? 0
    })
    if (connections > poolSize + mostBesides) throw new Error(`${connections} connections past a pool of ${poolSize}`)
    report(`${how}: ${people.length} triggers at once are in their feeds; ${connections} connections`)
  })
  const faults = output.split('\n').filter((line) => /"level":[56]0/.test(line) && !slowMachine.test(line))
  if (faults.length > 0) throw new Error(`errors while it served ${how}:\n${faults.join('\n')}`)
}

/** The server dies in the middle of a COMMIT. PgBouncer answers for it, and cannot know. */
async function loses({ DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl }: Ways): Promise<void> {
  const { db, close } = openDatabase({ url, directUrl, poolSize: 2, rowLevelSecurity: false, onError() {} })
  await admin(directUrl, (client) => client.query(slowCommit))
  const committed = inTransaction(db, async (trx) => {
    const { rows } = await sql<{
      pid: number
    }>`insert into slow_commit values (1) returning pg_backend_pid() as pid`.execute(trx)
    setTimeout(() => process.kill(rows[0]?.pid ?? 0, 'SIGKILL'), 500)
  })
  const outcome = await committed.then(
    () => 'kept',
    (error: unknown) => error,
  )
  if (!(outcome instanceof OutcomeUnknown)) throw new Error('a lost commit was not told as one', { cause: outcome })
  for (const until = performance.now() + 30_000; ; await sleep(100)) {
    const fault = await sql`select 1`.execute(db).then(
      () => null,
      (error: unknown) => error,
    )
    if (!fault) break
    if (!isDatabaseUnavailable(fault) || performance.now() > until)
      throw new Error('the database was not found again', { cause: fault })
  }
  await sql`drop table slow_commit`.execute(db)
  await close()
  report('a commit that PgBouncer lost is told as unknown, and the database is found again')
}

async function triggerAndSee(url: string, headers: Record<string, string>, subscriberId: string): Promise<void> {
  const event = { name: 'hello', to: [{ subscriberId, firstName: 'Ada' }], payload: { message: 'hi' } }
  const body = JSON.stringify({ events: [event] })
  const accepted = await fetch(`${url}/v1/events/trigger/bulk`, { method: 'POST', headers, body })
  if (accepted.status !== 201) throw new Error(`trigger answered ${accepted.status}: ${await accepted.text()}`)
  for (const until = performance.now() + 30_000; performance.now() < until; ) {
    const feed = await fetch(`${url}/v1/subscribers/${subscriberId}/notifications/feed`, { headers })
    const { totalCount = 0 } = (await feed.json()) as { totalCount?: number }
    if (totalCount > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${subscriberId} saw nothing for 30 s`)
}

/** In both lanes; the second one has those that look at rows. Two files at once, for the server's hundred connections. */
async function vitest(url: string, { host }: PgBouncer): Promise<void> {
  const args = ['--project', 'main', '--project', 'rls', '--maxWorkers', '2', '--testNamePattern', quick, ...tests]
  const settings = { TEST_DATABASE_URL: url, TEST_POOLER: host }
  const child = spawn('npx', ['vitest', 'run', ...args], { stdio: 'inherit', env: { ...process.env, ...settings } })
  whenOver(() => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`tests through PgBouncer ended with ${code}`)
}
