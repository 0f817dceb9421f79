import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'

// Without a worker: it would wait for the table too, with the connections of the same process.
const h = useHarness()

test('a table that somebody holds: events are accepted all the same, and left to the queue', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const single = { name: 'hello', to: 'ada' }
  const [holding, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = h.admin.transaction().execute(async (trx) => {
    await sql`lock table message in access exclusive mode`.execute(trx)
    holding.resolve()
    await released.promise
  })
  try {
    await holding.promise
    const events = Array.from({ length: 20 }, (_, n) => ({ name: 'hello', to: `p${n}` }))
    const replies = await Promise.all([
      env.post('/v1/events/trigger/bulk', { events }),
      ...Array.from({ length: 20 }, () => env.post('/v1/events/trigger', single)),
    ])
    expect(replies.map(({ status }) => status)).toEqual(Array(21).fill(201))
    // For some seconds nobody tries: this one waits for no lock.
    expect((await env.post('/v1/events/trigger', single)).status).toBe(201)
    const { rows } = await sql<{ state: string; n: number }>`
      select state, count(*)::int as n from event where environment_id = ${env.environmentId} group by 1`.execute(
      h.admin,
    )
    expect(rows).toEqual([{ state: 'accepted', n: 41 }])
  } finally {
    released.resolve()
    await held
  }
})
