import { type Selectable, sql } from 'kysely'
import { chunksByWeight } from '../../lib/chunks.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import { keysetPage, type PageRequest } from '../keyset.ts'
import type { Tables } from '../schema.ts'
import { containing } from '../subscribers.ts'

export type ContextRow = Selectable<Tables['context']>
export type ContextName = { type: string; id: string }
type Data = Record<string, unknown>

/** Null when there is one of this type and id. */
export async function insertContext(
  db: Db,
  env: Env,
  { type, id, data }: ContextName & { data: Data | null },
  now: Date,
): Promise<ContextRow | null> {
  const { rows } = await sql<ContextRow>`
    insert into context (environment_id, id, type, identifier, data, updated_at)
    values (${env.environmentId}, ${uuid7(now)}, ${type}, ${id}, ${data && JSON.stringify(data)}::jsonb, ${now})
    on conflict (environment_id, type, identifier) do nothing returning *`.execute(db)
  return rows[0] ?? null
}

export async function findContext(db: Db, env: Env, { type, id }: ContextName): Promise<ContextRow | null> {
  const { rows } = await sql<ContextRow>`
    select * from context
    where environment_id = ${env.environmentId} and type = ${type} and identifier = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Replaces the data as a whole. `before`: as it was. */
export async function updateContext(
  db: Db,
  env: Env,
  { type, id }: ContextName,
  data: Data,
  now: Date,
): Promise<(ContextRow & { before: unknown }) | null> {
  const { rows } = await sql<ContextRow & { before: unknown }>`
    update context c set data = ${JSON.stringify(data)}::jsonb, updated_at = ${now}
    from (select data from context
      where environment_id = ${env.environmentId} and type = ${type} and identifier = ${id} for update) old
    where c.environment_id = ${env.environmentId} and c.type = ${type} and c.identifier = ${id}
    returning c.*, old.data as before`.execute(db)
  return rows[0] ?? null
}

export async function deleteContext(db: Db, env: Env, { type, id }: ContextName): Promise<ContextRow | null> {
  const { rows } = await sql<ContextRow>`
    delete from context where environment_id = ${env.environmentId} and type = ${type} and identifier = ${id}
    returning *`.execute(db)
  return rows[0] ?? null
}

export type ContextFilter = { id?: string; search?: string }

export function listContexts(db: Db, env: Env, { id, search }: ContextFilter, page: PageRequest) {
  const part = search === undefined ? undefined : containing(search)
  const conditions = [
    id === undefined ? [] : sql`c.identifier = ${id}`,
    part === undefined ? [] : sql`(c.type ilike ${part} or c.identifier ilike ${part})`,
  ].flat()
  return keysetPage<ContextRow>(
    {
      db,
      select: sql`c.*`,
      from: sql`context c`,
      scope: sql`c.environment_id = ${env.environmentId}`,
      filter: conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined,
      id: sql`c.id`,
      bytes: sql`coalesce(octet_length(c.data::text), 0)`,
      columns: { updatedAt: { expression: sql`c.updated_at`, type: 'timestamptz' } },
      unindexed: conditions.length > 0,
    },
    page,
  )
}

/** Null: no data was given, or none is stored. */
export type GivenContext = ContextName & { data: Data | null }

// Of one statement.
const mostChars = 4 * 1024 * 1024

/**
 * The data of each as it is from now on. Those that are not there are made; data that is given replaces what is stored.
 * Rows that stay as they are are not locked, so that events of one customer do not wait for each other. Each type and id
 * once; in one order, so that two callers cannot deadlock.
 */
export async function findOrMakeContexts(
  db: Db,
  env: Env,
  given: readonly GivenContext[],
  now: Date,
): Promise<GivenContext[]> {
  const ordered = given
    .map((it) => ({ ...it, text: it.data && JSON.stringify(it.data), place: Buffer.from(`${it.type}\0${it.id}`) }))
    .toSorted((a, b) => Buffer.compare(a.place, b.place))
  const found: GivenContext[] = []
  for (const part of chunksByWeight(ordered, mostChars, ({ text }) => (text?.length ?? 0) + 100)) {
    const { rows } = await sql<GivenContext>`
      with given as materialized (
        select g.fresh, g.type, g.id, g.data::jsonb as data, g.place
        from unnest(${part.map(() => uuid7(now))}::uuid[], ${part.map(({ type }) => type)}::text[],
          ${part.map(({ id }) => id)}::text[], ${part.map(({ text }) => text)}::text[])
          with ordinality as g (fresh, type, id, data, place)),
      made as (
        insert into context as c (environment_id, id, type, identifier, data, updated_at)
        select ${env.environmentId}, g.fresh, g.type, g.id, g.data, ${now} from given g
        left join context k on k.environment_id = ${env.environmentId} and k.type = g.type and k.identifier = g.id
        where k.id is null or (g.data is not null and g.data is distinct from k.data)
        order by g.place
        on conflict (environment_id, type, identifier) do update set data = excluded.data, updated_at = excluded.updated_at
          where excluded.data is not null and c.data is distinct from excluded.data)
      select g.type, g.id, coalesce(g.data, k.data) as data from given g
      left join context k on k.environment_id = ${env.environmentId} and k.type = g.type and k.identifier = g.id`.execute(
      db,
    )
    found.push(...rows)
  }
  return found
}

/** Those of them that are there. */
export async function findContexts(db: Db, env: Env, names: readonly ContextName[]): Promise<GivenContext[]> {
  if (names.length === 0) return []
  const { rows } = await sql<GivenContext>`
    select k.type, k.identifier as id, k.data
    from unnest(${names.map(({ type }) => type)}::text[], ${names.map(({ id }) => id)}::text[]) as wanted (type, id)
    join context k
      on k.environment_id = ${env.environmentId} and k.type = wanted.type and k.identifier = wanted.id`.execute(db)
  return rows
}
