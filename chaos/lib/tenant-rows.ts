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

/** Everything an environment owns, for comparing before with after. What was only claimed or asked is left out. */
export async function rowsOf(world: World, environmentId: string): Promise<Record<string, string[]>> {
  const tables = (await tenantTables(world)).filter((table) => table !== 'idempotency')
  const dumps = tables.map(async (table) => {
    const rows = await world.sql<{ row: string }>(
      `select to_jsonb(t)::text as row from "${table}" t where environment_id = $1 order by 1`,
      [environmentId],
    )
    return [table, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(dumps))
}
