import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'
import { named } from '../rows/named-statements.ts'

/** What can happen to an event, a person's notification, a message or a step. docs/numbers.md says what each counts. */
export const outcomes = [
  'accepted',
  'notified',
  'sent',
  'failed',
  'unknown',
  'retried',
  'skipped',
  'merged',
  'canceled',
  'redriven',
  'delivered',
  'bounced',
  'complained',
] as const
export type CountedOutcome = (typeof outcomes)[number]

/** Counts 1, or `n`. */
export type Tally = {
  workflowId: string
  outcome: CountedOutcome
  channel?: string
  providerId?: string | null
  n?: number
}

/** In the transaction that makes it happen: the count exists exactly when what it counts does. */
export async function addTallies(db: Db, env: Env, given: readonly Tally[], now: Date): Promise<void> {
  const tallies = addUp(given)
  if (tallies.length === 0) return
  await sql`${named}
    insert into outcome_tally (environment_id, at, workflow_id, channel, provider_id, outcome, n)
    select ${env.environmentId}, ${now}::timestamptz, t.* from unnest(${tallies.map((it) => it.workflowId)}::uuid[],
      ${tallies.map((it) => it.channel)}::text[], ${tallies.map((it) => it.providerId)}::text[],
      ${tallies.map((it) => it.outcome)}::text[], ${tallies.map((it) => it.n)}::int[]) as t`.execute(db)
}

function addUp(given: readonly Tally[]) {
  const sums = new Map<string, Required<Tally> & { channel: string; providerId: string }>()
  for (const { workflowId, outcome, channel = '', providerId, n = 1 } of given) {
    const key = `${workflowId} ${outcome} ${channel} ${providerId ?? ''}`
    const sum = sums.get(key)
    if (sum) sum.n += n
    else sums.set(key, { workflowId, outcome, channel, providerId: providerId ?? '', n })
  }
  return [...sums.values()]
}

/** Adds tallies of all environments up by the minute. Returns how many it took. */
export async function foldTallies(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_tallies(${limit}) as folded`.execute(db)
  return rows[0]?.folded ?? 0
}

/** Adds minutes before `before` up by the hour. */
export async function coarsenRollups(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`select coarsen_rollups(${before}, ${limit}) as taken`.execute(db)
  return rows[0]?.taken ?? 0
}

export async function purgeRollups(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ purged: number }>`select purge_rollups(${before}, ${limit}) as purged`.execute(db)
  return rows[0]?.purged ?? 0
}

/**
 * How many tallies there ever were: it rises with every transaction that changed an outcome, and never falls. The newest
 * id would not do: a later id may be committed first. Only tallies not yet added up are counted, a few seconds' worth.
 */
export async function findTallyCursor(db: Db, env: Env): Promise<string> {
  const { rows } = await sql<{ cursor: string }>`
    select (coalesce((select f.tallies from outcome_folded f where f.environment_id = ${env.environmentId}), 0)
      + (select count(*) from outcome_tally t where t.environment_id = ${env.environmentId}))::text as cursor`.execute(
    db,
  )
  return rows[0]?.cursor ?? '0'
}
