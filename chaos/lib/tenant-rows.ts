import { setTimeout as sleep } from 'node:timers/promises'
import { leftOut } from '../../test/contract/tenant-rows.ts'
import { waitUntilDrained } from '../oracles/delivery.ts'
import { expectThat, shorten } from './red.ts'
import type { World } from './world.ts'

/** Every table that belongs to environments, as the catalogue says: a new one is looked at without being named here. */
export async function tenantTables(world: World): Promise<string[]> {
  const rows = await world.sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'environment_id'
     order by 1`,
  )
  return rows.map((row) => row.name)
}

/**
 * Everything an environment owns, for comparing before with after. What was only claimed or asked is left out, and so are
 * counts, what the first use of a key adds to it, and tries at endpoints: all written in the background.
 */
export async function rowsOf(world: World, environmentId: string): Promise<Record<string, string[]>> {
  const tables = (await tenantTables(world)).filter((table) => !/^(idempotency$|outcome_)/.test(table))
  const dumps = tables.map(async (table) => {
    const rows = await world.sql<{ row: string }>(
      `select (to_jsonb(t) - $2::text[])::text as row from "${table}" t where environment_id = $1 order by 1`,
      [environmentId, leftOut(table)],
    )
    return [table, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(dumps))
}

/** What the owner began is done: events are expanded, and deleted topics are purged. */
export async function untilStill(world: World, environmentId: string): Promise<void> {
  const dying = 'select 1 from topic where environment_id = $1 and deleted_at is not null limit 1'
  const seconds = await waitUntilDrained(world, 20_000)
  for (let waitedMs = seconds * 1000; waitedMs < 30_000; waitedMs += 100) {
    if ((await world.sql(dying, [environmentId])).length === 0) return
    await sleep(100)
  }
  throw new Error('deleted topics are not purged')
}

/** Nothing compared with nothing proves nothing: every table must hold rows of the environment that is watched. */
export function expectRowsInEvery(rows: Record<string, string[]>, partitions: ReadonlySet<string>): void {
  const empty = Object.entries(rows).flatMap(([table, list]) =>
    list.length > 0 || partitions.has(table) ? [] : [table],
  )
  expectThat(empty.length === 0, `nothing is planted in ${empty.join(', ')}`)
}

/** A partition's rows are its parent's. */
export async function partitionNames(world: World): Promise<Set<string>> {
  const rows = await world.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relispartition`,
  )
  return new Set(rows.map((row) => row.name))
}

/** The same rows as before; tells which came and which went. */
export function expectSameRows(after: Record<string, string[]>, before: Record<string, string[]>, what: string): void {
  const minus = (rows: Record<string, string[]>, others: Record<string, string[]>) =>
    Object.entries(rows).flatMap(([table, list]) => {
      const known = new Set(others[table])
      return list.filter((row) => !known.has(row)).map((row) => `${table} ${row}`)
    })
  const [came, went] = [minus(after, before), minus(before, after)]
  const some = (rows: readonly string[]) => rows.slice(0, 5).map((row) => shorten(row))
  expectThat(
    came.length + went.length === 0,
    `${what}: ${came.length} came, ${went.length} went: ${JSON.stringify({ came: some(came), went: some(went) })}`,
  )
}
