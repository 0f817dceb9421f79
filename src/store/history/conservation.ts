import { sql } from 'kysely'
import type { Db } from '../database.ts'

export type Conservation = {
  environmentId: string
  events: number
  waiting: number
  /** Of those that wait: given up after three tries, and in the dead letters. */
  quarantined: number
  notifications: number
  steps: number
  jobs: number
  messages: number
}

/**
 * Every step of every notification has exactly one job. Counted from the rows, per environment: `steps` is what the
 * workflow versions ask for, `jobs` what is there; they must be equal.
 */
export async function countConservation(db: Db): Promise<Conservation[]> {
  const { rows } = await sql<Conservation>`
    with versions as (
      select environment_id, workflow_id, version, jsonb_array_length(definition->'steps') as steps from workflow_version)
    select env.id as "environmentId",
      (select count(*)::int from event e where e.environment_id = env.id) as events,
      (select count(*)::int from event e where e.environment_id = env.id and e.state = 'accepted') as waiting,
      (select count(*)::int from event e where e.environment_id = env.id and e.state = 'accepted' and exists (
        select 1 from pgboss.job task where task.name = 'dead-letters' and task.data->'eventIds' ? e.id::text)) as quarantined,
      (select count(*)::int from notification n where n.environment_id = env.id) as notifications,
      (select coalesce(sum(v.steps), 0)::int from notification n join versions v
        on v.environment_id = n.environment_id and v.workflow_id = n.workflow_id and v.version = n.workflow_version
        where n.environment_id = env.id) as steps,
      (select count(*)::int from job j where j.environment_id = env.id) as jobs,
      (select count(*)::int from message m where m.environment_id = env.id) as messages
    from environment env order by env.id`.execute(db)
  return rows
}
