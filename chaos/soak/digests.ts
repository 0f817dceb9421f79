import type { Tenant } from '../lib/http.ts'
import type { World } from '../lib/world.ts'
import type { Faults } from './book.ts'

/** The digests of a person tell of all its events, each once, and each window that was over is one message. */
export async function judgeDigests(world: World, { environmentId }: Tenant, faults: Faults): Promise<string> {
  const rows = await world.sql<{ who: string; events: number; messages: number; told: number; windows: number }>(
    `with people as (
      select id, subscriber_id as who from subscriber where environment_id = $1 and subscriber_id like 'gathered-%'),
    events as (
      select subscriber_id as id, count(*)::int as count from notification
      where environment_id = $1 and transaction_id like 'digest-%' group by 1),
    messages as (
      select subscriber_id as id, count(*)::int as count, sum(content::int)::int as told from message
      where environment_id = $1 and transaction_id like 'digest-%' group by 1),
    windows as (
      select n.subscriber_id as id, count(*)::int as count from notification n
      join job j on j.environment_id = n.environment_id and j.notification_id = n.id
      where n.environment_id = $1 and n.transaction_id like 'digest-%' and j.type = 'digest' and j.status = 'completed'
      group by 1)
    select who, coalesce(e.count, 0) as events, coalesce(m.count, 0) as messages, coalesce(m.told, 0) as told,
      coalesce(w.count, 0) as windows
    from people left join events e using (id) left join messages m using (id) left join windows w using (id)`,
    [environmentId],
  )
  let [digests, events] = [0, 0]
  for (const { who, events: own, messages, told, windows } of rows) {
    digests += messages
    events += own
    if (told !== own) faults.add(`${told < own ? 'LOST' : 'DOUBLED'}: digests tell ${who} of ${told} events of ${own}`)
    if (messages !== windows) faults.add(`${who}: ${windows} windows were over, ${messages} digests came`)
  }
  return `${digests} digests of ${events} events`
}
