import type { Stage, Tenant } from './stage.ts'

type Counted = Record<'events' | 'notifications' | 'jobs' | 'messages' | 'wholeEvents' | 'wholeJobs', number>

/**
 * Every accepted event has its notification, its job and its message, and nothing has two. Throws otherwise: what is
 * fast because it left something out is no figure.
 */
export async function checkRows(
  stage: Pick<Stage, 'sql'>,
  tenants: readonly Pick<Tenant, 'environmentId'>[],
  accepted: number,
): Promise<void> {
  const of = 'environment_id = any($1)'
  const [counted] = await stage.sql<Counted>(
    `select
       (select count(*)::int from event where ${of} and state = 'expanded') as events,
       (select count(*)::int from notification where ${of}) as notifications,
       (select count(*)::int from job where ${of} and status = 'completed') as jobs,
       (select count(*)::int from message where ${of} and status = 'sent') as messages,
       -- Sets and no joins: right after a load nobody knows how large the tables are, and a plan would guess.
       (select count(*)::int from (select id from event where ${of}
          intersect select event_id from notification where ${of}
          intersect select event_id from message where ${of}) e) as "wholeEvents",
       (select count(*)::int from (select notification_id, id from job where ${of}
          intersect select notification_id, job_id from message where ${of}) j) as "wholeJobs"`,
    [tenants.map((it) => it.environmentId)],
  )
  const isWhole = counted && Object.values(counted).every((count) => count === accepted)
  if (!isWhole) throw new Error(`${accepted} events were accepted, there are: ${JSON.stringify(counted)}`)
}

/** From when an event was accepted until its message could be seen: of those that were accepted since then. */
export async function visibleAfterMs(
  stage: Stage,
  { environmentId }: Tenant,
  since: Date,
): Promise<{ p50: number; p99: number }> {
  // The first 48 bits of an id are its time; the commit of the message is when others see it.
  const [row] = await stage.sql<{ late: [number, number] | null }>(
    `select percentile_disc(array[0.5, 0.99]) within group (order by
       extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000
       - ('x' || substr(replace(event_id::text, '-', ''), 1, 12))::bit(48)::bigint) as late
     from message where environment_id = $1 and event_id >= uuid_at($2)`,
    [environmentId, since],
  )
  const [p50 = 0, p99 = 0] = row?.late ?? []
  return { p50, p99 }
}
