import { type RawBuilder, sql } from 'kysely'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Db, Env } from '../database.ts'
import { countCap } from '../keyset.ts'
import { type FeedFilter, type FeedRow, feed, feedConditions } from './feed.ts'

type Counted = { subscriberId: string; now: Date; limit: number }

/**
 * How many each filter finds, counted up to the limit, in one statement. Filters that differ in their severity alone are
 * counted together: a bell asks for all four of them at every click.
 */
export async function countFeed(
  db: Db,
  env: Env,
  query: { subscriberId: string; filters: readonly FeedFilter[]; now: Date; limit?: number },
): Promise<number[]> {
  const { filters, limit = countCap, ...rest } = query
  const alike = Map.groupBy(filters.keys(), (index) => canonicalJson({ ...filters[index], severity: undefined }))
  const groups = [...alike.values()]
  const counts = groups.map((indexes) => {
    const asked = indexes.map((index) => filters[index] ?? {})
    const [only] = asked
    return asked.length === 1 && only
      ? countOne(env, only, { ...rest, limit })
      : countBySeverity(env, asked, { ...rest, limit })
  })
  const { rows } = await sql<{ counts: number[] }>`select ${sql.join(counts, sql` || `)} as counts`.execute(db)
  const found: number[] = []
  for (const [place, index] of groups.flat().entries()) found[index] = rows[0]?.counts[place] ?? 0
  return found
}

function countOne(env: Env, filter: FeedFilter, { subscriberId, now, limit }: Counted): RawBuilder<unknown> {
  return sql`(select array[count(*)::int] from (
    select 1 ${feed(env, feedConditions({ subscriberId, filter, now }))} limit ${limit}) counted)`
}

function countBySeverity(
  env: Env,
  filters: readonly FeedFilter[],
  { subscriberId, now, limit }: Counted,
): RawBuilder<unknown> {
  const { severity: _, ...filter } = filters[0] ?? {}
  const each = filters.map(({ severity }) =>
    severity ? sql`count(*) filter (where severity = any (${severity}::text[]))::int` : sql`count(*)::int`,
  )
  return sql`(select array[${sql.join(each)}] from (
    select (select v.definition->>'severity' from workflow_version v where v.environment_id = m.environment_id
      and v.workflow_id = m.workflow_id and v.version = m.workflow_version) as severity
    ${feed(env, feedConditions({ subscriberId, filter, now }))} limit ${limit * filters.length}) counted)`
}

export type UnreadBySeverity = Record<'high' | 'medium' | 'low' | 'none', number>

/** A feed that somebody looks at: messages of exactly these contexts. Feeds of several environments are asked for at once. */
export type WatchedFeed = { environmentId: string; subscriberId: string; contextKeys: readonly string[] }

export type FeedLook = {
  /** There is no such subscriber any more. */
  isGone: boolean
  unread: UnreadBySeverity
  unseen: number
  /** Of the newest that are unread. */
  newestIds: string[]
}

const newest = 5

/** What each feed shows now, in one statement; counted up to `most` messages of a feed. */
export async function lookAtFeeds(
  db: Db,
  feeds: readonly WatchedFeed[],
  { now, most }: { now: Date; most: number },
): Promise<FeedLook[]> {
  const asked = JSON.stringify(feeds.map((feed, n) => ({ n, ...feed })))
  const { rows } = await sql<{
    n: number
    is_gone: boolean
    severity: keyof UnreadBySeverity
    count: number
    unseen: number
    ids: string[] | null
  }>`
    select asked.n, s.id is null as is_gone, coalesce(v.definition->>'severity', 'none') as severity,
      count(unread.id)::int as count, count(*) filter (where not unread.seen)::int as unseen,
      (array_agg(unread.id order by unread.id desc) filter (where unread.id is not null))[:${sql.lit(newest)}] as ids
    from jsonb_to_recordset(${asked}::jsonb)
      as asked (n int, "environmentId" uuid, "subscriberId" uuid, "contextKeys" text[])
    left join subscriber s on s.environment_id = asked."environmentId" and s.id = asked."subscriberId"
    left join lateral (
      select m.id, m.seen, m.workflow_id, m.workflow_version from message m
      where m.environment_id = asked."environmentId" and m.subscriber_id = asked."subscriberId"
        and m.channel = 'in_app' and m.status <> 'error' and not m.read and m.archived_at is null
        and (m.snoozed_until is null or m.snoozed_until <= ${now})
        and coalesce(m.context_keys, '{}') = asked."contextKeys"
      order by m.id desc limit ${most}) unread on true
    left join workflow_version v on v.environment_id = asked."environmentId"
      and v.workflow_id = unread.workflow_id and v.version = unread.workflow_version
    group by 1, 2, 3`.execute(db)
  const looks = feeds.map(
    (): FeedLook => ({ isGone: false, unread: { high: 0, medium: 0, low: 0, none: 0 }, unseen: 0, newestIds: [] }),
  )
  for (const { n, is_gone: isGone, severity, count, unseen, ids } of rows) {
    const look = looks[n]
    if (!look) continue
    look.isGone = isGone
    look.unread[severity] += count
    look.unseen += unseen
    look.newestIds = [...look.newestIds, ...(ids ?? [])].sort().reverse().slice(0, newest)
  }
  return looks
}

/** In-app messages by their ids, of several environments. */
export async function listFeedMessages(
  db: Db,
  refs: readonly { environmentId: string; id: string }[],
): Promise<FeedRow[]> {
  if (refs.length === 0) return []
  const { rows } = await sql<FeedRow>`
    select m.* from unnest(${refs.map((ref) => ref.environmentId)}::uuid[], ${refs.map((ref) => ref.id)}::uuid[])
      as wanted (environment_id, id)
    join message m on m.environment_id = wanted.environment_id and m.id = wanted.id
      and m.channel = 'in_app' and m.status <> 'error'`.execute(db)
  return rows
}
