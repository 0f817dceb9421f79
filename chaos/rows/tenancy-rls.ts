import { clientOf } from '../lib/http.ts'
import { onServer } from '../lib/postgres.ts'
import { expectAtLeast, expectEqual, expectThat } from '../lib/red.ts'
import { tenantTables } from '../lib/tenant-rows.ts'
import { plant, type TenancyStage } from './tenancy-stage.ts'

// What nobody has triggered has no rows here.
const pipelineTables = new Set(['workflow', 'workflow_version', 'event', 'event_key', 'notification', 'job', 'message'])

/** The second wall: on every table that belongs to environments, whoever added it, and it holds. */
export async function secondWall({ world, nodes, owner, strangers }: TenancyStage): Promise<string> {
  const tables = await tenantTables(world)
  const walls = await world.sql<{ name: string; enabled: boolean; isPartition: boolean; policies: number }>(
    `select c.relname as name, c.relrowsecurity as enabled, c.relispartition as "isPartition",
       (select count(*)::int from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname
         and p.cmd = 'ALL' and p.qual like '%environment_id%current_environment()%') as policies
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any ($1)`,
    [[...tables, 'environment']],
  )
  const partitions = new Set(walls.filter((wall) => wall.isPartition).map((wall) => wall.name))
  for (const { name, enabled, isPartition, policies } of walls) {
    expectThat(enabled, `${name} has no row-level security`)
    // A partition is read through its parent; without a policy it cannot be read by its own name at all.
    const wanted = isPartition ? 0 : 1
    expectThat(name === 'environment' || policies === wanted, `${name} has ${policies} policies about its environment`)
  }
  const definers = await world.sql<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
  )
  expectEqual(
    definers.map((row) => row.name),
    ['find_api_key', 'list_bootstrap_keys'],
    'functions that cross the wall',
  )

  const [stranger] = strangers
  const url = nodes[0]?.url ?? ''
  if (!stranger) throw new Error('there is a stranger')
  await plant(world, url, stranger)
  await clientOf(url, stranger).post('/v2/topics', { key: 'k' }, { 'idempotency-key': 'k' })
  let looked = 0
  await onServer(world.guardedUrl, async (guarded) => {
    const count = async (table: string) =>
      Number((await guarded.query(`select count(*) as n from "${table}"`)).rows[0]?.n)
    for (const table of [...tables, 'environment', 'organization']) {
      await guarded.query('begin')
      expectEqual(await count(table), 0, `rows of ${table} seen without an environment`)
      await guarded.query(`select set_config('tidings.environment_id', $1, true)`, [stranger.environmentId])
      const filter = table === 'environment' ? 'id' : 'environment_id'
      if (table !== 'organization') {
        const [all] = await world.sql<{ n: number }>(`select count(*)::int as n from "${table}" where ${filter} = $1`, [
          stranger.environmentId,
        ])
        const visible = partitions.has(table) ? 0 : (all?.n ?? 0)
        expectEqual(await count(table), visible, `rows of ${table} seen in one environment`)
        if (!partitions.has(table) && !pipelineTables.has(table)) expectAtLeast(all?.n ?? 0, 1, `rows of ${table}`)
      }
      await guarded.query('commit')
      // The setting went with its transaction: the next one on this connection has none.
      expectEqual(await count(table), 0, `rows of ${table} seen after the transaction`)
      looked += 3
    }
    await guarded.query(`select set_config('tidings.environment_id', $1, false)`, [stranger.environmentId])
    const write = `insert into topic (environment_id, id, key, updated_at) values ($1, gen_random_uuid(), 'x', now())`
    const refusal = await guarded.query(write, [owner.tenant.environmentId]).then(
      () => 'written',
      () => 'refused',
    )
    expectEqual(refusal, 'refused', 'writing into another environment')
  })
  return `${walls.length} tables with environments, all with a policy; ${looked} looks past the wall see nothing; a foreign write is refused`
}
