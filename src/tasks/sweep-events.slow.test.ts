import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bestOfFive } from '../../test/fastest.ts'
import { useHarness } from '../../test/harness.ts'
import { makeWorkflow, trigger } from '../../test/pipeline.ts'
import sweepEvents from './sweep-events.ts'

const h = useHarness()

/** Copies of one event that wait, each with a task of its own. */
async function queueCopies(environmentId: string, from: number, to: number): Promise<void> {
  await sql`
    with copies as (
      insert into event (environment_id, id, transaction_id, workflow_id, workflow_version, payload, overrides, recipients)
      select e.environment_id, (substr(uuid_at(now() - interval '1 h')::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid,
        'copy-' || n, e.workflow_id, e.workflow_version, e.payload, e.overrides, e.recipients
      from (select * from event where environment_id = ${environmentId} order by id desc limit 1) e,
        generate_series(${from}::int, ${to}::int) n
      returning environment_id, id)
    insert into pgboss.job (name, data, priority, group_id, dead_letter)
    select 'expand-events', jsonb_build_object('environmentId', environment_id, 'eventIds', jsonb_build_array(id)), 10, 'g', 'dead-letters'
    from copies`.execute(h.admin)
}

test('the sweep stays flat while events wait: 1,000 to 100,000 of them, each with its task', {
  timeout: 120_000,
  ...bestOfFive,
}, async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await trigger(env, { to: 'ada' })
  const took: Record<number, number> = {}
  let there = 0
  for (const waiting of [1_000, 4_000, 20_000, 100_000]) {
    await queueCopies(env.environmentId, there + 1, waiting)
    there = waiting
    const started = performance.now()
    await sweepEvents.run(h.ctx)
    took[waiting] = Math.round(performance.now() - started)
  }
  console.log('ms of one sweep, by how many events wait:', took)
  expect(took[100_000]).toBeLessThan(5_000)
})
