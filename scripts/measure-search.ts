/**
 * npm run measure-search     (after: npm run seed -- --subscribers 1000000)
 *
 * Every filter and both ends of every order of GET /v2/subscribers: the plan of each statement (no sequential scan) and
 * p50/p99 over HTTP. Exits 1 when a plan has a sequential scan or a p99 passes the limit.
 */
import { parseArgs } from 'node:util'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { prepare } from '../src/commands/prepare.ts'
import { readConfig } from '../src/config.ts'
import { issueApiKey } from '../src/core/bootstrap.ts'
import { authenticator } from '../src/http/auth.ts'
import { loadRoutes } from '../src/http/load-routes.ts'
import { createServer } from '../src/http/server.ts'
import { apiKeyId } from '../src/lib/api-key.ts'
import { revokeApiKey } from '../src/store/api-keys.ts'
import type { Db, Env } from '../src/store/database.ts'
import { listEnvironments } from '../src/store/environments.ts'
import type { Tables } from '../src/store/schema.ts'
import { type SubscriberFilter, searchSubscribers } from '../src/store/subscribers.ts'

const { values } = parseArgs({ options: { p99: { type: 'string', default: '50' } } })
const rounds = 100
const p99LimitMs = Number(values.p99)
// A term that tens of thousands match: the page is quick, but counting them up to 50,001 means reading each one.
const broadP99LimitMs = 6 * p99LimitMs

type Case = { what: string; filter: SubscriberFilter; orderBy?: string; direction?: 'ASC' | 'DESC'; broad?: true }
const cases: Case[] = [
  ...['_id', 'createdAt', 'updatedAt', 'subscriberId'].flatMap((orderBy) =>
    (['ASC', 'DESC'] as const).map((direction) => ({ what: 'list', filter: {}, orderBy, direction })),
  ),
  { what: 'subscriberId', filter: { subscriberId: 'user-00abcd' } },
  { what: 'e-mail, one match', filter: { email: 'dijkstra.123456@' } },
  { what: 'e-mail, 1 in 4', filter: { email: 'example.org' }, broad: true },
  { what: 'e-mail, no match', filter: { email: 'zzqzzq' } },
  { what: 'phone, few', filter: { phone: '2477631' } },
  { what: 'name, 1 in 12', filter: { name: 'Grace' }, broad: true },
  { what: 'name, first and last', filter: { name: 'Ada Lovelace' } },
  { what: 'name, no match', filter: { name: 'Nobody' } },
  { what: 'name and e-mail', filter: { name: 'Ada', email: '777' } },
  { what: 'short term, many', filter: { name: 'da' } },
  { what: 'short term, none', filter: { name: 'zq' } },
]

const { ctx, close } = await prepare(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), console.log)
const [environment] = await listEnvironments(ctx.database.db)
if (!environment) throw new Error('prepare() makes an environment')
const env: Env = { environmentId: environment.id, organizationId: environment.organizationId, keyId: '' }
const key = await issueApiKey(ctx.database.db, {
  environmentId: env.environmentId,
  name: 'measure',
  cell: 'c1',
  now: ctx.clock(),
})
const server = createServer(ctx, await loadRoutes(), authenticator(ctx, []))
const url = await server.listen({ host: '127.0.0.1', port: 0 })

let failed = false
console.log(`${'case'.padEnd(44)}  p50 ms  p99 ms   total  plan`)
for (const { what, filter, orderBy = '_id', direction = 'DESC', broad } of cases) {
  const { p50, p99, totalCount, capped } = await measure({ ...filter, orderBy, orderDirection: direction, limit: '10' })
  const scans = await plansOf((db) => searchSubscribers(db, env, filter, { limit: 10, orderBy, direction }))
  const bad =
    p99 > (broad ? broadP99LimitMs : p99LimitMs) || (!broad && scans.some((scan) => scan.startsWith('Seq Scan')))
  failed ||= bad
  const name = `${what} (${orderBy} ${direction})`.padEnd(44)
  const figures =
    `${p50.toFixed(1).padStart(6)}  ${p99.toFixed(1).padStart(6)}  ${totalCount}${capped ? '+' : ''}`.padEnd(24)
  console.log(`${name}  ${figures} ${scans.join(' · ')}${bad ? '   <-- too slow, or no index' : ''}`)
}
await revokeApiKey(ctx.database.db, apiKeyId(key) ?? '', ctx.clock())
await server.close()
await close()
process.exitCode = failed ? 1 : 0

async function measure(query: Record<string, string>) {
  const path = `/v2/subscribers?${new URLSearchParams(query)}`
  const times: number[] = []
  let last: { totalCount: number; totalCountCapped: boolean } = { totalCount: 0, totalCountCapped: false }
  for (let round = -5; round < rounds; round++) {
    const startedAt = performance.now()
    const response = await fetch(url + path, { headers: { authorization: `ApiKey ${key}` } })
    last = (await response.json()) as typeof last
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    if (round >= 0) times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
  return { p50: at(0.5), p99: at(0.99), totalCount: last.totalCount, capped: last.totalCountCapped }
}

type Plan = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string; Plans?: Plan[] }

/** Runs the work once, then asks PostgreSQL how it would do each statement again. */
async function plansOf(work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: ctx.database.url, max: 2 })
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push({ sql: query.sql, parameters: query.parameters })
    },
  })
  await work(db)
  const scans = new Set<string>()
  for (const { sql: text, parameters } of [...statements]) {
    const { rows } = await pool.query(`explain (format json) ${text}`, [...parameters])
    for (const scan of scansOf(rows[0]['QUERY PLAN'][0].Plan)) scans.add(scan)
  }
  await db.destroy()
  return [...scans]
}

function scansOf(plan: Plan): string[] {
  const inner = (plan.Plans ?? []).flatMap(scansOf)
  if (plan['Node Type'] === 'Seq Scan') return [`Seq Scan on ${plan['Relation Name']}`, ...inner]
  return plan['Index Name'] ? [`${plan['Node Type']} ${plan['Index Name']}`, ...inner] : inner
}
