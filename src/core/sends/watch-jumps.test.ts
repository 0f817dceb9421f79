import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { allowing, emailStep } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { bounded, broadcast, inState, makeMailing, makePeople, until } from '../../../test/sends/make-sends.ts'
import { judgeJump, watchJumps } from './watch-jumps.ts'

const provider = await startHttpReceiver()
const h = useHarness(allowing(provider.port), { worker: true })
const usual = { ended: 1_000, failed: 20, notified: 2_000, pastEnded: 50_000, pastFailed: 1_000, busiestHour: 20_000 }

beforeEach(() => {
  provider.requests.length = 0
  provider.answer = { status: 200, json: { id: 'x' } }
})

test('far beyond its own past: many times its failures, or many times its busiest hour', () => {
  expect(judgeJump(usual)).toBeNull()
  expect(judgeJump({ ...usual, failed: 300 })).toEqual({
    reason: 'failures',
    text: '300 of 1000 messages of the last 10 minutes failed (30 %); in the week before 2 %',
  })
  // It always failed as much.
  expect(judgeJump({ ...usual, failed: 300, pastFailed: 12_000 })).toBeNull()
  expect(judgeJump({ ...usual, notified: 40_000 })?.reason).toBe('rate')
  expect(judgeJump({ ...usual, notified: 30_000 })).toBeNull()
  // Too few, or no past.
  expect(judgeJump({ ...usual, ended: 100, failed: 90 })).toBeNull()
  expect(judgeJump({ ...usual, failed: 900, notified: 90_000, pastEnded: 0, busiestHour: 0 })).toBeNull()
})

test('an environment that jumps is slowed and marked, its work goes on, and others are as before', async () => {
  const env = await h.environment()
  await makePeople(h, env, 400)
  await makeMailing(env, provider.url, [emailStep])
  const plant = sql`
    insert into outcome_rollup (environment_id, at, minutes, workflow_id, channel, provider_id, outcome, n)
    select ${env.environmentId}::uuid, now() - age, 1, ${env.environmentId}::uuid, 'email', '', outcome, n
    from (values (interval '1 day', 'sent', 5000), (interval '5 minutes', 'failed', 500)) as v (age, outcome, n)`
  await plant.execute(h.admin)
  await watchJumps(h.ctx, h.ctx.database.db)
  const shown = async () => (await env.get('/v1/environment')).body.data.slowed
  // It did not ask for it.
  expect(await shown()).toBeUndefined()
  await bounded(env, { slowOnJumps: true })
  await watchJumps(h.ctx, h.ctx.database.db)
  expect(await shown()).toMatchObject({
    reason: 'failures',
    text: '500 of 500 messages of the last 10 minutes failed (100 %); in the week before 0 %',
  })
  h.ctx.slowed.forget('all')
  const id = await broadcast(env)
  const began = performance.now()
  const done = await until(env, id, inState('done'))
  expect(done.messages.sent).toBe(400)
  expect(provider.requests).toHaveLength(400)
  expect(performance.now() - began).toBeGreaterThan(1_500)
  await bounded(env, { slowOnJumps: false })
  expect(await shown()).toBeUndefined()
})
