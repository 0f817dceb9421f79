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

// Counts, and what endpoints are to be told, which goes on as long as nobody answers there.
const inTheBackground = /^(idempotency|outcome_.*|send_tally|webhook_page|webhook_delivery)$/

// A send whose people wait for hours is looked at every few seconds.
const lookedAt = ['look_at']

/**
 * Everything an environment owns, for comparing before with after. What was only claimed or asked is left out, and so is
 * what the first use of a key adds to it, and all that is written in the background.
 */
export async function rowsOf(world: World, environmentId: string): Promise<Record<string, string[]>> {
  const tables = (await tenantTables(world)).filter((table) => !inTheBackground.test(table))
  const dumps = tables.map(async (table) => {
    const rows = await world.sql<{ row: string }>(
      `select (to_jsonb(t) - $2::text[])::text as row from "${table}" t where environment_id = $1 order by 1`,
      [environmentId, [...leftOut(table), ...(table === 'send' ? lookedAt : [])]],
    )
    return [table, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(dumps))
}

/** The same of what belongs to an organization and none of its environments: members, invitations, sessions, choices. */
export async function organizationRowsOf(world: World, organizationId: string): Promise<Record<string, string[]>> {
  const tables = await world.sql<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not in ('environment', 'change_record')
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id')
       and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'environment_id')
     order by 1`,
  )
  const dumps = [{ name: 'organization' }, ...tables].map(async ({ name }) => {
    const rows = await world.sql<{ row: string }>(
      `select (to_jsonb(t) - 'last_seen_at')::text as row from "${name}" t
       where ${name === 'organization' ? 'id' : 'organization_id'} = $1 order by 1`,
      [organizationId],
    )
    return [name, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(dumps))
}

/**
 * What the owner began is done: events are expanded, deleted topics are purged, canceled sends are over. One whose people
 * wait for hours goes on.
 */
export async function untilStill(world: World, environmentId: string): Promise<void> {
  const unfinished = `
    select 'topic' as what, to_jsonb(t)::text as row from topic t where environment_id = $1 and deleted_at is not null
    union all
    select 'send', to_jsonb(s)::text from send s where environment_id = $1
      and state in ('running', 'canary', 'waiting', 'canceling') and not exists (
        select from notification n join job j on j.notification_id = n.id
        where n.event_id = s.id and s.state <> 'canceling' and j.status = 'delayed')
    union all
    select 'send_tally', to_jsonb(t)::text from send_tally t where environment_id = $1`
  const seconds = await waitUntilDrained(world, 20_000)
  for (let waitedMs = seconds * 1000; ; waitedMs += 100) {
    const [left] = await world.sql<{ what: string; row: string }>(unfinished, [environmentId])
    if (!left) return
    if (waitedMs > 30_000) throw new Error(`no end comes to a ${left.what}: ${left.row}`)
    await sleep(100)
  }
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
