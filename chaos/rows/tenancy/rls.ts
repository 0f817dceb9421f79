import { crossing, selectCrossing } from '../../../test/contract/crossing.ts'
import { admin } from '../../../test/find-postgres.ts'
import { clientOf, type Tenant } from '../../lib/http.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { tenantTables } from '../../lib/tenant-rows.ts'
import type { World } from '../../lib/world.ts'
import { plant, type TenancyStage } from './stage.ts'

/** The second wall: on every table that belongs to environments, whoever added it, and it holds. */
export async function secondWall({ world, nodes, owner, strangers }: TenancyStage): Promise<string> {
  const tables = await tenantTables(world)
  const walls = await checkPolicies(world, tables)
  const partitions = new Set(walls.filter((wall) => wall.isPartition).map((wall) => wall.name))

  const [stranger] = strangers
  const url = nodes[0]?.url ?? ''
  if (!stranger) throw new Error('there is a stranger')
  await plant(world, url, stranger)
  await clientOf(url, stranger).post('/v2/topics', { key: 'k' }, { 'idempotency-key': 'k' })
  const { looked, compared } = await holdingTallies(world, stranger, () =>
    checkSight(world, tables, partitions, stranger),
  )
  await checkForeignWrite(world, stranger, owner.tenant)
  return `${walls.length} tables with environments, all with a policy; ${looked} looks past the wall see nothing, ${compared} rows of one's own are seen; a foreign write is refused`
}

// Both are added up within seconds.
const tallies = [
  [
    'outcome_tally',
    "(environment_id, at, workflow_id, channel, provider_id, outcome, n) values ($1, now(), gen_random_uuid(), 'email', '', 'sent', 1)",
  ],
  ['send_tally', "values ($1, gen_random_uuid(), gen_random_uuid(), 'email', 'sent', 1)"],
] as const

/** A tally that is locked stays to be looked at. */
async function holdingTallies<T>(world: World, { environmentId }: Tenant, look: () => Promise<T>): Promise<T> {
  return admin(world.databaseUrl, async (owner) => {
    for (let held = 0; held < tallies.length; ) {
      for (const [table, row] of tallies) await owner.query(`insert into ${table} ${row}`, [environmentId])
      await owner.query('begin')
      held = 0
      for (const [table] of tallies) {
        const lock = `select 1 from ${table} where environment_id = $1 for update`
        if ((await owner.query(lock, [environmentId])).rowCount) held++
      }
      if (held < tallies.length) await owner.query('commit')
    }
    return look()
  })
}

type Wall = { name: string; enabled: boolean; isPartition: boolean; policies: number }

async function checkPolicies(world: World, tables: readonly string[]): Promise<Wall[]> {
  const walls = await world.sql<Wall>(
    `select c.relname as name, c.relrowsecurity as enabled, c.relispartition as "isPartition",
       (select count(*)::int from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname
         and p.cmd = 'ALL' and p.qual like '%environment_id%current_environment()%') as policies
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any ($1)`,
    [[...tables, 'environment']],
  )
  for (const { name, enabled, isPartition, policies } of walls) {
    expectThat(enabled, `${name} has no row-level security`)
    // A partition is read through its parent; without a policy it cannot be read by its own name at all.
    const wanted = isPartition ? 0 : 1
    expectThat(name === 'environment' || policies === wanted, `${name} has ${policies} policies about its environment`)
  }
  const definers = await world.sql<{ name: string }>(selectCrossing)
  expectEqual(
    definers.map((row) => row.name),
    crossing,
    'functions that cross the wall',
  )
  return walls
}

/** Without an environment nothing is seen, with one all of its rows and no others: in every table there are some. */
async function checkSight(
  world: World,
  tables: readonly string[],
  partitions: ReadonlySet<string>,
  { environmentId }: Tenant,
): Promise<{ looked: number; compared: number }> {
  let [looked, compared] = [0, 0]
  await admin(world.guardedUrl, async (guarded) => {
    const count = async (table: string) =>
      Number((await guarded.query(`select count(*) as n from "${table}"`)).rows[0]?.n)
    for (const table of [...tables, 'environment', 'organization']) {
      await guarded.query('begin')
      expectEqual(await count(table), 0, `rows of ${table} seen without an environment`)
      await guarded.query(`select set_config('tidings.environment_id', $1, true)`, [environmentId])
      if (partitions.has(table)) expectEqual(await count(table), 0, `rows of the partition ${table} seen`)
      else if (table !== 'organization') {
        const all = await countOf(world, table, environmentId)
        expectAtLeast(all, 1, `rows of ${table} planted`)
        expectEqual(await count(table), all, `rows of ${table} seen in one environment`)
        compared += all
      }
      await guarded.query('commit')
      // The setting went with its transaction: the next one on this connection has none.
      expectEqual(await count(table), 0, `rows of ${table} seen after the transaction`)
      looked += 3
    }
  })
  return { looked, compared }
}

/** Past the wall. */
async function countOf(world: World, table: string, environmentId: string): Promise<number> {
  const filter = table === 'environment' ? 'id' : 'environment_id'
  const sql = `select count(*)::int as n from "${table}" where ${filter} = $1`
  const [all] = await world.sql<{ n: number }>(sql, [environmentId])
  return all?.n ?? 0
}

async function checkForeignWrite(world: World, writer: Tenant, other: Tenant): Promise<void> {
  const write = `insert into topic (environment_id, id, key, updated_at) values ($1, gen_random_uuid(), 'x', now())`
  const refusal = await admin(world.guardedUrl, async (guarded) => {
    await guarded.query(`select set_config('tidings.environment_id', $1, false)`, [writer.environmentId])
    return guarded.query(write, [other.environmentId]).then(
      () => 'written',
      () => 'refused',
    )
  })
  expectEqual(refusal, 'refused', 'writing into another environment')
}
