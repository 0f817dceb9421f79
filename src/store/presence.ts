import { sql } from 'kysely'
import { enterLoops } from './access/enter-loops.ts'
import { type Db, inTransaction } from './database.ts'

/** Somebody whose inbox is open. */
export type Present = { environmentId: string; subscriberId: string }

export const nodeDeadAfterMs = 60_000

const asked = (people: readonly Present[]) => sql`
  unnest(${people.map((it) => it.environmentId)}::uuid[], ${people.map((it) => it.subscriberId)}::uuid[])
    as asked (environment_id, subscriber_id)`

/** Says that the node runs. True: the others had given it up, or never knew it. */
export async function tellNode(db: Db, nodeId: string, seenAt: Date): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into inbox_node (id, seen_at) values (${nodeId}, ${seenAt})
    on conflict (id) do update set seen_at = excluded.seen_at
    returning xmax = 0 as is_new`.execute(db)
  return rows[0]?.is_new ?? true
}

/** These people came to this node. Returns those that were written. */
export async function addPresent<P extends Present>(
  db: Db,
  nodeId: string,
  all: readonly P[],
  now: Date,
): Promise<P[]> {
  return inTransaction(db, async (trx) => {
    const people = await withoutHeld(trx, all)
    await lock(trx, people)
    await sql`
      insert into presence (environment_id, subscriber_id, node_id)
      select s.environment_id, s.id, ${nodeId} from ${asked(people)}
      join subscriber s on s.environment_id = asked.environment_id and s.id = asked.subscriber_id
      on conflict do nothing`.execute(trx)
    await sql`
      update subscriber s set is_online = true, last_online_at = ${now}, version = version + 1, updated_at = ${now}
      from ${asked(people)}
      where s.environment_id = asked.environment_id and s.id = asked.subscriber_id
        and s.is_online is distinct from true`.execute(trx)
    return people
  })
}

/** These people left this node. Who is nowhere else is offline. Returns those that were written. */
export async function removePresent<P extends Present>(
  db: Db,
  nodeId: string,
  all: readonly P[],
  now: Date,
): Promise<P[]> {
  return inTransaction(db, async (trx) => {
    const people = await withoutHeld(trx, all)
    await remove(trx, nodeId, people, now)
    return people
  })
}

async function remove(trx: Db, nodeId: string, people: readonly Present[], now: Date): Promise<void> {
  // A statement of its own: whoever else leaves at this moment must be seen by the next one.
  await lock(trx, people)
  await sql`
    delete from presence p using ${asked(people)}
    where p.environment_id = asked.environment_id and p.subscriber_id = asked.subscriber_id
      and p.node_id = ${nodeId}`.execute(trx)
  await sql`
    update subscriber s set is_online = false, last_online_at = ${now}, version = version + 1, updated_at = ${now}
    from ${asked(people)}
    where s.environment_id = asked.environment_id and s.id = asked.subscriber_id and s.is_online
      and not exists (
        select 1 from presence p where p.environment_id = s.environment_id and p.subscriber_id = s.id)`.execute(trx)
}

async function withoutHeld<P extends Present>(trx: Db, people: readonly P[]): Promise<P[]> {
  const { rows } = await sql<{ held: string[] }>`select ${enterLoops} as held`.execute(trx)
  return people.filter(({ environmentId }) => !rows[0]?.held.includes(environmentId))
}

/** In one order, so that two nodes do not wait for each other. */
async function lock(trx: Db, people: readonly Present[]): Promise<void> {
  await sql`
    select 1 from ${asked(people)}
    join subscriber s on s.environment_id = asked.environment_id and s.id = asked.subscriber_id
    order by s.environment_id, s.id for no key update of s`.execute(trx)
}

/** A batch of people of nodes that are gone; then those nodes. Returns how many rows. */
export async function sweepPresence(db: Db, now: Date, batch: number): Promise<number> {
  const dead = new Date(now.getTime() - nodeDeadAfterMs)
  const { rows } = await sql<Present & { nodeId: string }>`
    select p.environment_id as "environmentId", p.subscriber_id as "subscriberId", p.node_id as "nodeId"
    from inbox_node n join presence p on p.node_id = n.id where n.seen_at < ${dead}
      and p.environment_id <> all (${enterLoops}) limit ${batch}`.execute(db)
  for (const [nodeId, people] of Map.groupBy(rows, (row) => row.nodeId)) await removePresent(db, nodeId, people, now)
  if (rows.length > 0) return rows.length
  const { numAffectedRows = 0n } = await sql`
    delete from inbox_node n where n.seen_at < ${dead}
      and not exists (select 1 from presence p where p.node_id = n.id)`.execute(db)
  return Number(numAffectedRows)
}
