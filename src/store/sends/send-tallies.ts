import { sql } from 'kysely'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'

/** Something that happened to messages or steps of an event. Counted only if that is a send that is counted. */
export type SendTally = { sendId: string; channel: string; outcome: string; n: number }
export type SendTotal = { channel: string; outcome: string; n: number }

/** In the transaction that makes it happen. */
export async function addSendTallies(db: Db, env: Env, given: readonly SendTally[], now: Date): Promise<void> {
  const tallies = addUp(given)
  if (tallies.length === 0) return
  await sql`
    insert into send_tally (environment_id, send_id, id, channel, outcome, n)
    select ${env.environmentId}, t.send_id, ${uuid7(now)}, t.channel, t.outcome, t.n
    from unnest(${tallies.map((it) => it.sendId)}::uuid[], ${tallies.map((it) => it.channel)}::text[],
      ${tallies.map((it) => it.outcome)}::text[], ${tallies.map((it) => it.n)}::int[]) as t (send_id, channel, outcome, n)
    join send s on s.environment_id = ${env.environmentId} and s.id = t.send_id and s.counted`.execute(db)
}

function addUp(given: readonly SendTally[]): SendTally[] {
  const sums = new Map<string, SendTally>()
  for (const tally of given) {
    const key = `${tally.sendId} ${tally.channel} ${tally.outcome}`
    sums.set(key, { ...tally, n: tally.n + (sums.get(key)?.n ?? 0) })
  }
  return [...sums.values()].filter(({ n }) => n !== 0)
}

/** Adds up what was not added up yet. The caller has locked the send. */
export async function foldSendTallies(db: Db, env: Env, sendId: string): Promise<void> {
  await sql`
    with gone as (
      delete from send_tally where environment_id = ${env.environmentId} and send_id = ${sendId}
      returning channel, outcome, n)
    insert into send_total (environment_id, send_id, channel, outcome, n)
    select ${env.environmentId}::uuid, ${sendId}::uuid, channel, outcome, sum(n) from gone
    group by channel, outcome order by channel, outcome
    on conflict (environment_id, send_id, channel, outcome) do update set n = send_total.n + excluded.n`.execute(db)
}

/** One statement, so that each count is seen once. By send. */
export async function listSendTotals(db: Db, env: Env, ids: readonly string[]): Promise<Map<string, SendTotal[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<SendTotal & { send_id: string }>`
    select send_id, channel, outcome, sum(n)::int as n from (
      select send_id, channel, outcome, n from send_total
      where environment_id = ${env.environmentId} and send_id = any (${ids}::uuid[])
      union all
      select send_id, channel, outcome, n from send_tally
      where environment_id = ${env.environmentId} and send_id = any (${ids}::uuid[])) t
    group by send_id, channel, outcome`.execute(db)
  return Map.groupBy(rows, (row) => row.send_id)
}
