import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Env } from './database.ts'
import { countCap } from './keyset.ts'
import { pageOffset } from './page-offset.ts'
import type { Tables } from './schema.ts'

/** A message with what it takes from its event, which alone stores it. */
export type MessageRow = Selectable<Tables['message']> & { payload: unknown; overrides: unknown; actor: unknown }
export type MessagePage = { rows: MessageRow[]; hasMore: boolean; totalCount: number }
type PageNumber = { page: number; limit: number }

export type MessageFilter = {
  channel?: string
  subscriberIds?: readonly string[]
  eventIds?: readonly string[]
  contextKeys?: readonly string[]
}

export function listMessages(db: Db, env: Env, filter: MessageFilter, page: PageNumber): Promise<MessagePage> {
  const conditions = [
    filter.channel === undefined ? [] : sql`m.channel = ${filter.channel}`,
    filter.subscriberIds === undefined ? [] : sql`m.subscriber_id = any (${filter.subscriberIds}::uuid[])`,
    filter.eventIds === undefined ? [] : sql`m.event_id = any (${filter.eventIds}::uuid[])`,
    filter.contextKeys === undefined ? [] : sql`m.context_keys = ${filter.contextKeys}::text[]`,
  ].flat()
  return pageOfMessages(db, env, conditions, page)
}

/** What the person was shown: in-app messages that could be made. */
export function listFeed(
  db: Db,
  env: Env,
  subscriberId: string,
  filter: { read?: boolean; seen?: boolean; payload?: object },
  page: PageNumber,
): Promise<MessagePage> {
  const conditions = [
    sql`m.subscriber_id = ${subscriberId} and m.channel = 'in_app' and m.status <> 'error'`,
    filter.read === undefined ? [] : sql`m.read = ${filter.read}`,
    filter.seen === undefined ? [] : sql`m.seen = ${filter.seen}`,
    filter.payload === undefined ? [] : sql`e.payload @> ${JSON.stringify(filter.payload)}::jsonb`,
  ].flat()
  return pageOfMessages(db, env, conditions, page, filter.payload !== undefined)
}

export async function listMessagesById(db: Db, env: Env, ids: readonly string[]): Promise<MessageRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<MessageRow>`
    select ${columns} from unnest(${ids}::uuid[]) as wanted (id)
    join message m on m.environment_id = ${env.environmentId} and m.id = wanted.id
    left join event e on e.environment_id = m.environment_id and e.id = m.event_id`.execute(db)
  return rows
}

export async function deleteMessage(db: Db, env: Env, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('message')
    .where('environment_id', '=', env.environmentId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const columns = sql`m.*, e.payload, e.overrides, e.actor`
const event = sql`event e on e.environment_id = m.environment_id and e.id = m.event_id`

/** The page first, then what its few messages take from their events; the event filters only where it is asked to. */
async function pageOfMessages(
  db: Db,
  env: Env,
  conditions: readonly RawBuilder<unknown>[],
  { page, limit }: PageNumber,
  filtersEvent = false,
): Promise<MessagePage> {
  const where = sql.join([sql`m.environment_id = ${env.environmentId}`, ...conditions], sql` and `)
  const filtered = sql`from message m ${filtersEvent ? sql`join ${event}` : sql``} where ${where}`
  const { rows } = await sql<MessageRow>`
    select ${columns} from (
      select m.* ${filtered} order by m.id desc offset ${pageOffset(page, limit)} limit ${limit + 1}) m
    left join ${event} order by m.id desc`.execute(db)
  const isWhole = page === 0 && rows.length <= limit
  return {
    rows: rows.slice(0, limit),
    hasMore: rows.length > limit,
    totalCount: isWhole ? rows.length : await count(db, sql`select 1 ${filtered} order by m.id desc`),
  }
}

async function count(db: Db, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: counts } = await sql<{ n: number }>`
    select count(*)::int as n from (${rows} limit ${sql.lit(countCap)}) counted`.execute(db)
  return counts[0]?.n ?? 0
}
