import { type RawBuilder, type Selectable, sql } from 'kysely'
import { canonicalJson } from '../lib/canonical-json.ts'
import { uuid7 } from '../lib/uuid7.ts'
import type { Db, Env } from './database.ts'
import { keysetPage, type Page, type PageRequest } from './keyset.ts'
import { pageOffset } from './page-offset.ts'
import { named } from './rows/named-statements.ts'
import type { Tables } from './schema.ts'
import { tellOfSubscribers } from './webhooks/tell.ts'

export type SubscriberRow = Selectable<Tables['subscriber']>

/** Absent = unchanged, null = cleared. */
export type SubscriberProfile = {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  avatar?: string | null
  locale?: string | null
  timezone?: string | null
  data?: Record<string, unknown> | null
}
export type SubscriberPatch = SubscriberProfile & { subscriberId: string }

export type SubscriberFilter = { email?: string; phone?: string; name?: string; subscriberId?: string; search?: string }

const textColumns = {
  first_name: 'firstName',
  last_name: 'lastName',
  email: 'email',
  phone: 'phone',
  avatar: 'avatar',
  locale: 'locale',
  timezone: 'timezone',
} as const

/** True when the subscriber is new, or a given value differs from the stored one. */
export function changesSubscriber(row: SubscriberRow | undefined, patch: SubscriberPatch): boolean {
  if (!row) return true
  if (patch.data !== undefined && canonicalJson(patch.data) !== canonicalJson(row.data)) return true
  return Object.entries(textColumns).some(
    ([column, key]) => patch[key] !== undefined && patch[key] !== row[column as keyof typeof textColumns],
  )
}

/** Inserts the new ones in one statement; existing ones stay as they are and are not returned. */
export async function insertSubscribers(db: Db, env: Env, patches: readonly SubscriberPatch[], now: Date) {
  const rows = JSON.stringify(patches.map((patch) => ({ ...patch, id: uuid7(now) })))
  const texts = Object.values(textColumns).map((key) => sql`patch->>${sql.lit(key)}`)
  const inserted = await sql<SubscriberRow>`${named}
    insert into subscriber (environment_id, id, subscriber_id, ${columnNames(textColumns)}, data, updated_at)
    select ${env.environmentId}, (patch->>'id')::uuid, patch->>'subscriberId', ${sql.join(texts)},
      nullif(patch->'data', 'null'), ${now}
    from jsonb_array_elements(${rows}::jsonb) as patch
    order by patch->>'subscriberId'
    on conflict (environment_id, subscriber_id) do nothing
    returning *`.execute(db)
  await tellOfSubscribers(db, env, 'subscriber.created', inserted.rows, now)
  return inserted.rows
}

/**
 * Updates those that exist and really change; the others keep their version and updated_at. The rows are locked in one
 * order first, so that calls on the same subscribers wait for each other instead of deadlocking.
 */
export async function updateSubscribers(db: Db, env: Env, patches: readonly SubscriberPatch[], now: Date) {
  const merged = (column: string, given: RawBuilder<unknown>, key: string) =>
    sql`case when patch ? ${sql.lit(key)} then ${given} else s.${sql.ref(column)} end`
  const texts = Object.entries(textColumns).map(([column, key]) => ({
    column,
    value: merged(column, sql`patch->>${sql.lit(key)}`, key),
  }))
  const changes = [...texts, { column: 'data', value: merged('data', sql`nullif(patch->'data', 'null')`, 'data') }]
  const updated = await sql<SubscriberRow>`
    update subscriber s
    set ${sql.join(changes.map(({ column, value }) => sql`${sql.ref(column)} = ${value}`))},
      version = s.version + 1, updated_at = ${now}
    from (
      select held.id, patch from jsonb_array_elements(${JSON.stringify(patches)}::jsonb) as patch
      join subscriber held
        on held.environment_id = ${env.environmentId} and held.subscriber_id = patch->>'subscriberId'
      order by held.subscriber_id for no key update of held) as locked
    where s.environment_id = ${env.environmentId} and s.id = locked.id
      and (${sql.join(changes.map(({ column }) => sql`s.${sql.ref(column)}`))})
        is distinct from (${sql.join(changes.map(({ value }) => value))})
    returning s.*`.execute(db)
  await tellOfSubscribers(db, env, 'subscriber.updated', updated.rows, now)
  return updated.rows
}

export async function findSubscriber(db: Db, env: Env, subscriberId: string): Promise<SubscriberRow | null> {
  const [row] = await listSubscribersById(db, env, [subscriberId])
  return row ?? null
}

export async function findSubscriberById(db: Db, env: Env, id: string): Promise<SubscriberRow | null> {
  const [row] = await listSubscribersByInternalId(db, env, [id])
  return row ?? null
}

/** Finds and locks it: its channels do not change until this transaction ends. */
export async function lockSubscriber(db: Db, env: Env, subscriberId: string): Promise<SubscriberRow | null> {
  const { rows } = await sql<SubscriberRow>`
    select * from subscriber
    where environment_id = ${env.environmentId} and subscriber_id = ${subscriberId} for no key update`.execute(db)
  return rows[0] ?? null
}

/** A change to something of the subscriber, such as a channel, counts as a change of the subscriber. */
export async function touchSubscriber(db: Db, env: Env, id: string, now: Date): Promise<SubscriberRow> {
  const { rows } = await sql<SubscriberRow>`
    update subscriber set version = version + 1, updated_at = ${now}
    where environment_id = ${env.environmentId} and id = ${id} returning *`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a locked subscriber cannot vanish')
  await tellOfSubscribers(db, env, 'subscriber.updated', rows, now)
  return row
}

/** By subscriberId; those that do not exist are left out. */
export async function listSubscribersById(db: Db, env: Env, subscriberIds: readonly string[]) {
  const { rows } = await sql<SubscriberRow>`
    select s.* from unnest(${subscriberIds}::text[]) as wanted (subscriber_id)
    join subscriber s on s.environment_id = ${env.environmentId} and s.subscriber_id = wanted.subscriber_id`.execute(db)
  return rows
}

export async function setSubscriberOnline(
  db: Db,
  env: Env,
  subscriberId: string,
  online: { isOnline: boolean; now: Date },
) {
  const { rows } = await sql<SubscriberRow>`
    update subscriber set is_online = ${online.isOnline}, last_online_at = ${online.now},
      version = version + 1, updated_at = ${online.now}
    where environment_id = ${env.environmentId} and subscriber_id = ${subscriberId}
      and (is_online is distinct from ${online.isOnline} or ${online.isOnline})
    returning *`.execute(db)
  return rows[0] ?? null
}

/** Also deletes its channels, topic memberships, preferences and schedule (by cascade). Returns its _id. */
export async function deleteSubscriber(db: Db, env: Env, subscriberId: string, now: Date): Promise<string | null> {
  const deleted = await db
    .deleteFrom('subscriber')
    .where('environment_id', '=', env.environmentId)
    .where('subscriber_id', '=', subscriberId)
    .returning(['id', 'subscriber_id'])
    .executeTakeFirst()
  if (deleted) await tellOfSubscribers(db, env, 'subscriber.deleted', [deleted], now)
  return deleted?.id ?? null
}

// A term needs three letters or digits in a row before the trigram index can help.
const indexable = /[\p{L}\p{N}]{3}/u

/** Whether a trigram index helps to find one of these. */
export function hasIndexableTerm(terms: readonly (string | undefined)[]): boolean {
  return terms.some((term) => term !== undefined && indexable.test(term))
}

export function searchSubscribers(db: Db, env: Env, filter: SubscriberFilter, page: PageRequest) {
  const substrings = [
    { column: sql`s.email`, term: filter.email },
    { column: sql`s.phone`, term: filter.phone },
    { column: sql`s.full_name`, term: filter.name },
  ].flatMap(({ column, term }) => (term === undefined ? [] : { column, term }))
  const conditions = substrings.map(({ column, term }) => sql`${column} like ${containing(term)}`)
  if (filter.subscriberId !== undefined) conditions.push(sql`s.subscriber_id = ${filter.subscriberId}`)
  if (filter.search !== undefined) conditions.push(anywhere(filter.search))
  const terms = [...substrings.map(({ term }) => term), filter.search]
  const hasIndex = filter.subscriberId !== undefined || hasIndexableTerm(terms)

  return keysetPage<SubscriberRow>(
    {
      db,
      select: sql`s.*`,
      from: sql`subscriber s`,
      scope: sql`s.environment_id = ${env.environmentId}`,
      filter: conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined,
      id: sql`s.id`,
      bytes: sql`octet_length(s::text)`,
      columns: {
        updatedAt: { expression: sql`s.updated_at`, type: 'timestamptz' },
        subscriberId: { expression: sql`s.subscriber_id`, type: 'text' },
      },
      unindexed: conditions.length > 0 && !hasIndex,
    },
    page,
  ) satisfies Promise<Page<SubscriberRow> | null>
}

/** For people who type. The trigrams of the index are of small letters, so that it serves this too. */
function anywhere(term: string): RawBuilder<unknown> {
  const part = containing(term)
  return sql`(s.full_name ilike ${part} or s.email ilike ${part} or s.phone ilike ${part} or s.subscriber_id = ${term})`
}

/** A LIKE pattern that matches the literal term anywhere. */
export function containing(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`
}

function columnNames(columns: Record<string, string>): RawBuilder<unknown> {
  return sql.join(Object.keys(columns).map((column) => sql.ref(column)))
}

/** All subscribers, in the order of their ids. */
export async function listSubscribersAfter(
  db: Db,
  env: Env,
  after: string | null,
  limit: number,
): Promise<SubscriberRow[]> {
  const bound = after === null ? sql`true` : sql`id > ${after}::uuid`
  const { rows } = await sql<SubscriberRow>`
    select * from subscriber where environment_id = ${env.environmentId} and ${bound} order by id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Oldest first, one more than asked, so that the caller sees whether there is more. */
export async function listSubscribersByPage(
  db: Db,
  env: Env,
  { page, limit }: { page: number; limit: number },
): Promise<SubscriberRow[]> {
  const { rows } = await sql<SubscriberRow>`
    select * from subscriber where environment_id = ${env.environmentId}
    order by id offset ${pageOffset(page, limit)} limit ${limit + 1}`.execute(db)
  return rows
}

export async function listSubscribersByInternalId(db: Db, env: Env, ids: readonly string[]): Promise<SubscriberRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<SubscriberRow>`
    select s.* from unnest(${ids}::uuid[]) as wanted (id)
    join subscriber s on s.environment_id = ${env.environmentId} and s.id = wanted.id`.execute(db)
  return rows
}
