import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { withinTimeOf } from '../id-bounds.ts'
import type { SendTotal } from './send-tallies.ts'

const unfinished = sql`('pending', 'queued', 'running', 'delayed')`

/** Whether a step of an event is still to be done. */
export async function hasUnfinished(db: Db, env: Env, eventId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select 1 from job j join notification n on n.environment_id = j.environment_id and n.id = j.notification_id
      where j.environment_id = ${env.environmentId} and ${withinTimeOf('j.id', eventId)} and j.status in ${unfinished}
        and n.event_id = ${eventId} and ${withinTimeOf('n.id', eventId)}) as has`.execute(db)
  return rows[0]?.has ?? false
}

/** The same counts as of a send that is counted, by its rows. */
export async function countRows(db: Db, env: Env, eventId: string): Promise<SendTotal[]> {
  const { rows } = await sql<SendTotal>`
    with own as (
      select m.channel, m.feedback, case
        when m.delivery is null then case m.status when 'sent' then 'sent' when 'error' then 'failed' else 'skipped' end
        when m.delivery = 'open' then 'waiting'
        when m.delivery = 'rejected' then case when m.error_id = 'suppressed' then 'skipped' else 'failed' end
        else m.delivery end as outcome
      from message m where m.environment_id = ${env.environmentId} and m.event_id = ${eventId})
    select channel, outcome, count(*)::int as n from own group by 1, 2
    union all
    select channel, feedback, count(*)::int from own where feedback is not null group by 1, 2
    union all
    select j.type, 'step ' || j.status, count(*)::int
    from job j join notification n on n.environment_id = j.environment_id and n.id = j.notification_id
    where j.environment_id = ${env.environmentId} and ${withinTimeOf('j.id', eventId)}
      and n.event_id = ${eventId} and ${withinTimeOf('n.id', eventId)}
      and j.status in ('skipped', 'failed', 'canceled', 'merged') and coalesce(cardinality(j.message_ids), 0) = 0
    group by 1, 2`.execute(db)
  return rows
}
