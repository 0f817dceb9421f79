/**
 * npm run measure-queue -- singles | tasks [200000]
 *
 * What the queue costs PostgreSQL: fetches, put-backs and completions, (singles) for single triggers 16 at a time, (tasks)
 * for many small tasks, with the dead tuples and the size of the table while they pass.
 */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '../bench/lib/cluster.ts'
import { inAppSteps, singleBodies, singlePath } from '../bench/lib/events.ts'
import { sendLoad } from '../bench/lib/load.ts'
import { quantile } from '../bench/lib/numbers.ts'
import { openStage, type Stage, seedPeople, untilExpanded } from '../bench/lib/stage.ts'
import { readUsage } from '../bench/lib/usage.ts'
import { runToEnd } from '../chaos/lib/clean-up.ts'

const people = 20_000
const connections = 16
// As many tasks wait at once.
const wave = 20_000
const environments = 50

const kinds = `case
  when query ilike '%pg_notify%' and query not ilike '%insert into%' then 'signals'
  when query ilike '%insert into pgboss%' and query ilike '%json_to_recordset%' then 'enqueues'
  when query ilike '%skip locked%' and query ilike '%update pgboss%' then 'fetches'
  when query ~ 'started_on = (NULL|[$][0-9]+)' then 'put-backs'
  when query ilike '%completed_on = %' then 'completions'
  when query ilike '%look_at_queues%' then 'looks'
  when query ilike '%pgboss%' then 'others of the queue'
  else 'all else' end`

const [what = 'singles', count = '200000'] = process.argv.slice(2)

await runToEnd(async () => {
  const stage = await openStage(await startCluster())
  if (what === 'tasks') await passTasks(stage, Number(count))
  else await triggerSingly(stage)
  await stage.close()
})

async function triggerSingly(stage: Stage): Promise<void> {
  const tenant = await stage.tenant()
  await stage.workflow(tenant, inAppSteps)
  await seedPeople(stage, tenant, people)
  const target = { url: stage.api.url, key: tenant.key, path: singlePath }
  const load = { connections, bodies: singleBodies(2_000, people) }
  await sendLoad(target, { ...load, forMs: 3_000 })
  await untilExpanded(stage, tenant, 120_000)
  await stage.sql('select pg_stat_statements_reset()')
  const before = await readUsage(stage)
  const { latencies, seconds } = await sendLoad(target, { ...load, forMs: 15_000 })
  await untilExpanded(stage, tenant, 120_000)
  const after = await readUsage(stage)
  const per = (ms: number) => (ms / latencies.length).toFixed(2)
  console.log(
    `${latencies.length} single triggers, ${(latencies.length / seconds).toFixed(0)}/s, p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms`,
  )
  console.log(
    `processor ms per trigger: API ${per(after.apiCpuMs - before.apiCpuMs)}, worker ${per(after.workerCpuMs - before.workerCpuMs)}, PostgreSQL ${per(after.postgresCpuMs - before.postgresCpuMs)}`,
  )
  await printQueueStatements(stage, latencies.length)
}

/** Tasks whose events do not exist: their work is next to nothing. */
async function passTasks(stage: Stage, total: number): Promise<void> {
  await stage.sql('select pg_stat_statements_reset()')
  const before = await readUsage(stage)
  const began = performance.now()
  for (let sent = 0; sent < total; sent += wave) {
    await stage.sql(
      `insert into pgboss.job (name, priority, data, group_id, retry_limit, heartbeat_seconds, expire_seconds)
       select 'expand-events', 10, jsonb_build_object('environmentId', e.id, 'eventIds', jsonb_build_array(gen_random_uuid())), e.id || ':10', 1000000, 10, 600
       from generate_series(1, $1::int) n, lateral (select '00000000-0000-7000-8000-' || lpad((n % $2)::text, 12, '0') as id) e`,
      [wave, environments],
    )
    while ((await waiting(stage)) > wave / 2) await sleep(200)
    await printTable(stage, sent + wave, began)
  }
  while ((await waiting(stage)) > 0) await sleep(200)
  await printTable(stage, total, began)
  const seconds = (performance.now() - began) / 1000
  const after = await readUsage(stage)
  const per = (ms: number) => (ms / total).toFixed(3)
  console.log(`${total} tasks, ${(total / seconds).toFixed(0)}/s`)
  console.log(
    `processor ms per task: worker ${per(after.workerCpuMs - before.workerCpuMs)}, PostgreSQL ${per(after.postgresCpuMs - before.postgresCpuMs)}`,
  )
  await printQueueStatements(stage, total)
}

async function waiting(stage: Stage): Promise<number> {
  const [row] = await stage.sql<{ n: number }>(
    `select count(*)::int as n from pgboss.job where name = 'expand-events' and state < 'completed'`,
  )
  return row?.n ?? 0
}

async function printTable(stage: Stage, sent: number, began: number): Promise<void> {
  const [row] = await stage.sql<{ megabytes: string; dead: string; live: string; vacuums: string }>(
    `select round(pg_total_relation_size(s.relid) / 1e6) as megabytes, n_dead_tup as dead, n_live_tup as live,
       autovacuum_count as vacuums
     from pg_stat_user_tables s join pgboss.queue q on q.table_name = s.relname
     where s.schemaname = 'pgboss' and q.name = 'expand-events'`,
  )
  const at = ((performance.now() - began) / 1000).toFixed(0)
  console.log(
    `${at} s: ${sent} sent, ${row?.megabytes} MB, ${row?.live} live, ${row?.dead} dead, ${row?.vacuums} vacuums`,
  )
}

async function printQueueStatements(stage: Stage, count: number): Promise<void> {
  const rows = await stage.sql<{ kind: string; calls: number; rows: number; ms: number }>(
    `select ${kinds} as kind, sum(calls)::int as calls, sum(rows)::int as rows, sum(total_exec_time + total_plan_time)::float8 as ms
     from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where r.rolname = 'bench' and dbid = (select oid from pg_database where datname = current_database())
     group by 1 order by ms desc`,
  )
  for (const row of rows) {
    const per = (n: number) => (n / count).toFixed(3)
    console.log(
      `${row.kind.padEnd(20)} ${per(row.calls)} calls, ${per(row.rows)} rows, ${per(row.ms)} ms each; ${(row.ms / row.calls).toFixed(2)} ms a call`,
    )
  }
  console.log(
    `load average ${loadavg()
      .map((it) => it.toFixed(1))
      .join(' ')}`,
  )
}
