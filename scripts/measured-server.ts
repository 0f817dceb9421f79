import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { prepare } from '../src/commands/prepare.ts'
import { readConfig } from '../src/config.ts'
import type { Ctx } from '../src/context.ts'
import { issueApiKey } from '../src/core/operations/bootstrap.ts'
import { authenticator } from '../src/http/access/auth.ts'
import { loadRoutes } from '../src/http/load-routes.ts'
import { createServer } from '../src/http/server.ts'
import { apiKeyId } from '../src/lib/api-key.ts'
import { revokeApiKey } from '../src/store/access/api-keys.ts'
import { listEnvironments } from '../src/store/access/environments.ts'
import type { Db, Env } from '../src/store/database.ts'
import type { Tables } from '../src/store/schema.ts'

export type Measured<Body> = { p50: number; p99: number; body: Body }

const rounds = 100

/** An API on the database that was seeded, with a key of its own for the first environment. */
export async function openMeasuredServer() {
  const { ctx, close } = await prepare(readConfig({ ...process.env, LOG_LEVEL: 'silent' }), console.log)
  const [environment] = await listEnvironments(ctx.database.db)
  if (!environment) throw new Error('prepare() makes an environment')
  const env: Env = { environmentId: environment.id, organizationId: environment.organizationId, keyId: '' }
  const made = { environmentId: env.environmentId, name: 'measure', cell: 'c1', now: ctx.clock() }
  const key = await issueApiKey(ctx.database.db, made)
  const server = createServer(ctx, await loadRoutes(), authenticator(ctx, []))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })

  return {
    ctx,
    env,
    measure: <Body>(path: string) => measure<Body>(url + path, key),
    plansOf: (work: (db: Db) => Promise<unknown>) => plansOf(ctx, work),
    async close() {
      await revokeApiKey(ctx.database.db, apiKeyId(key) ?? '', ctx.clock())
      await server.close()
      await close()
    },
  }
}

async function measure<Body>(url: string, key: string): Promise<Measured<Body>> {
  const times: number[] = []
  let body: unknown
  for (let round = -5; round < rounds; round++) {
    const startedAt = performance.now()
    const response = await fetch(url, { headers: { authorization: `ApiKey ${key}` } })
    body = await response.json()
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(body)}`)
    if (round >= 0) times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
  return { p50: at(0.5), p99: at(0.99), body: body as Body }
}

type Plan = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string; Plans?: Plan[] }

/** Runs the work once, then asks PostgreSQL how it would do each of its reads again: what it scans, and by which index. */
async function plansOf(ctx: Ctx, work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: ctx.database.directUrl, max: 2 })
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
