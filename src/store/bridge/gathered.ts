import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

// Each is read to see how large it is.
const mostEvents = 1_000

/** `at`: the index of the digest that gathered it; -1: the event of the notification itself. */
export type Gathered = {
  events: { at: number; id: string; payload: unknown }[]
  counts: { at: number; count: number }[]
}

const none: Gathered = { events: [], counts: [] }

/**
 * What each digest of these notifications has gathered: its own event first, then in the order they came, with so many
 * characters of payloads altogether. By notification.
 */
export async function listGathered(
  db: Db,
  env: Env,
  ids: readonly string[],
  mostChars: number,
): Promise<(id: string) => Gathered> {
  if (ids.length === 0) return () => none
  // What was gathered into a notification that was itself gathered later came with it.
  const { rows } = await sql<{ id: string } & Gathered>`
    with recursive gathered as (
      select n.id as digest_of, n.id as notification_id, -1 as at from unnest(${[...ids]}::uuid[]) as n (id)
      union
      select g.digest_of, j.notification_id, greatest(g.at, j.step_index) from gathered g
      join job j on j.environment_id = ${env.environmentId} and j.merged_into = g.notification_id),
    counted as (
      select digest_of, jsonb_agg(jsonb_build_object('at', at, 'count', n)) as counts
      from (select digest_of, at, count(*) as n from gathered group by 1, 2) c group by 1),
    placed as (
      select *, row_number() over (partition by digest_of order by at >= 0, notification_id) as place from gathered),
    sized as (
      select p.digest_of, p.place, p.at, e.id,
        sum(length(e.payload::text)) over (partition by p.digest_of order by p.place) as chars
      from placed p
      join notification n on n.environment_id = ${env.environmentId} and n.id = p.notification_id
      join event e on e.environment_id = ${env.environmentId} and e.id = n.event_id
      where p.place <= ${mostEvents}),
    shown as (
      select s.digest_of, jsonb_agg(jsonb_build_object('at', s.at, 'id', s.id, 'payload', e.payload) order by s.place) as events
      from sized s join event e on e.environment_id = ${env.environmentId} and e.id = s.id
      where s.chars <= ${mostChars} or s.place = 1 group by 1)
    select c.digest_of as id, c.counts, coalesce(s.events, '[]') as events
    from counted c left join shown s using (digest_of)`.execute(db)
  const known = new Map(rows.map((row) => [row.id, row]))
  return (id) => known.get(id) ?? none
}
