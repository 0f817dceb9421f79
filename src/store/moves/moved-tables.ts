import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A table whose rows are published, and the columns of its key after environment_id. */
export type MovedTable = { name: string; key: readonly KeyColumn[] }
export type KeyColumn = { name: string; type: string; isText: boolean }

/** What is not published although it has environment_id, and why. A new table must be moved, or be named here. */
export const notPublished: Readonly<Record<string, string>> = {
  outcome_tally: 'its ids are counted in each cell; it is added up before the switch',
  presence: 'who is connected to a node of the old cell; they come again',
  environment_move: 'the record of the move',
  placement: 'the directory of all cells',
  api_key:
    'copied by the mover: the old cell must know the keys of those it sends away, also while rows are copied back',
  integration: 'copied by the mover: the old cell must know whose callbacks it sends away',
}

/** Small tables that the mover copies itself, and leaves in the old cell: by them it knows whom to send away. */
export const signposts = ['api_key', 'integration'] as const

/** Every table with environment_id that is published, in the order of their names. */
export async function listMovedTables(db: Db): Promise<MovedTable[]> {
  const tables = await listTenantTables(db)
  return tables.filter(({ name }) => !Object.hasOwn(notPublished, name))
}

export async function listTenantTables(db: Db): Promise<MovedTable[]> {
  const { rows } = await sql<MovedTable>`
    select c.relname as name, coalesce(jsonb_agg(jsonb_build_object('name', a.attname,
        'type', format_type(a.atttypid, a.atttypmod), 'isText', a.attcollation <> 0) order by k.place)
      filter (where a.attname <> 'environment_id'), '[]') as key
    from pg_class c
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    left join unnest(i.indkey) with ordinality as k (number, place) on true
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select 1 from pg_attribute e where e.attrelid = c.oid and e.attname = 'environment_id' and not e.attisdropped)
    group by c.relname order by c.relname`.execute(db)
  return rows
}

/** The tables that hold the rows of each: its partitions, or itself. Who refers to others comes before them. */
export async function listLeaves(db: Db, tables: readonly string[]): Promise<{ table: string; leaf: string }[]> {
  const { rows } = await sql<{ table: string; leaf: string; refers: string[] }>`
    select t.name as table, tree.relid::regclass::text as leaf,
      array(select distinct f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = t.name::regclass and f.contype = 'f' and f.confrelid <> f.conrelid) as refers
    from unnest(${tables}::text[]) as t (name)
    cross join lateral pg_partition_tree(t.name::regclass) tree
    where tree.isleaf
    union all
    select t.name, t.name, array(select distinct f.confrelid::regclass::text from pg_constraint f
      where f.conrelid = t.name::regclass and f.contype = 'f' and f.confrelid <> f.conrelid)
    from unnest(${tables}::text[]) as t (name) join pg_class c on c.oid = t.name::regclass and c.relkind = 'r'
    order by 1, 2`.execute(db)
  const refers = new Map(rows.map((row) => [row.table, row.refers]))
  const depths = new Map<string, number>()
  const depthOf = (table: string): number => {
    const known = depths.get(table)
    if (known !== undefined) return known
    depths.set(table, 0)
    const depth = 1 + Math.max(-1, ...(refers.get(table) ?? []).map(depthOf))
    depths.set(table, depth)
    return depth
  }
  return rows.map(({ table, leaf }) => ({ table, leaf })).toSorted((a, b) => depthOf(b.table) - depthOf(a.table))
}
