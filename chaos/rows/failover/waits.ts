import type { Tenant } from '../../lib/http.ts'
import { collectFaults } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import type { NamedBook } from './named-load.ts'

const people = 12

/** What is triggered: each delay is for somebody of its own, digests gather for a few. */
export function waitFor(name: string, index: number): Record<string, unknown> {
  if (name.startsWith('digest')) return { name: 'digest', to: `gathered-${index % people}` }
  return { name: 'delay', to: `delayed-${name}` }
}

type Person = { who: string; events: number; messages: number; gathered: number; windows: number }

/** What was acknowledged is there once; each delay is one message, and the digests of a person tell of all its events. */
export async function checkWaits(world: World, { environmentId }: Tenant, books: readonly NamedBook[]) {
  const events = await world.sql<{ id: string }>('select transaction_id as id from event where environment_id = $1', [
    environmentId,
  ])
  const present = new Set(events.map(({ id }) => id))
  const faults = collectFaults()
  if (present.size !== events.length) faults.add(`DOUBLED: ${events.length - present.size} events are there twice`)
  for (const { acknowledged } of books) {
    for (const name of acknowledged)
      if (!present.has(name)) faults.add(`LOST: ${name} was acknowledged and is not there`)
  }
  const rows = await world.sql<Person>(
    `select s.subscriber_id as who,
      (select count(*)::int from notification n
        where n.environment_id = s.environment_id and n.subscriber_id = s.id) as events,
      (select count(*)::int from message m where m.environment_id = s.environment_id and m.subscriber_id = s.id) as messages,
      (select coalesce(sum(m.content::int), 0)::int from message m
        where m.environment_id = s.environment_id and m.subscriber_id = s.id
          and s.subscriber_id like 'gathered%') as gathered,
      (select count(*)::int from notification n join job j on j.environment_id = n.environment_id and j.notification_id = n.id
        where n.environment_id = s.environment_id and n.subscriber_id = s.id
          and j.type in ('delay', 'digest') and j.status = 'completed') as windows
    from subscriber s where s.environment_id = $1`,
    [environmentId],
  )
  let [delays, digests, told, reached] = [0, 0, 0, 0]
  for (const { who, events: count, messages, gathered, windows } of rows) {
    reached += count
    if (messages !== windows) faults.add(`${who}: ${windows} waits were over, ${messages} messages came`)
    if (who.startsWith('delayed')) {
      delays++
      if (messages !== 1) faults.add(`${messages === 0 ? 'LOST' : 'DOUBLED'}: ${who} got ${messages} messages`)
    } else {
      digests += messages
      told += gathered
      if (gathered !== count) faults.add(`${who}: the digests tell of ${gathered} events instead of ${count}`)
    }
  }
  if (reached !== present.size) faults.add(`${present.size} events reached ${reached} people, one is for one`)
  faults.end()
  return { delays, digests, told }
}

/** Those that wait now: they have to live through what comes. */
export async function countWaits(world: World, { environmentId }: Tenant): Promise<number> {
  const [row] = await world.sql<{ count: number }>(
    "select count(*)::int from job where environment_id = $1 and status = 'delayed'",
    [environmentId],
  )
  return row?.count ?? 0
}
