import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { tellAlive } from '../../store/worker-alive.ts'

// No worker: what is accepted waits.
const h = useHarness({ AT_ONCE_PEOPLE: '0' })
const real = () => new Date()
afterEach(() => {
  h.ctx.clock = real
})
const later = (seconds: number) => {
  h.ctx.clock = () => new Date(Date.now() + seconds * 1000)
}

async function now(env: Client): Promise<Json> {
  const reply = await env.get('/v1/numbers/now')
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

test('events that nobody takes up are a warning after a minute, and an error after ten', async () => {
  const [env, other] = [await h.environment(), await h.environment()]
  await makeWorkflow(env)
  await trigger(env, { to: 'ada' })
  await trigger(env, { to: 'bob' })
  expect(await now(env)).toMatchObject({ status: 'ok', waiting: { events: 2 } })
  later(90)
  expect((await now(env)).items).toMatchObject([{ code: 'events_waiting', severity: 'warning', count: 2 }])
  later(700)
  const found = await now(env)
  expect(found.items).toMatchObject([{ code: 'events_waiting', severity: 'error', target: { page: 'activity' } }])
  expect(found.waiting.oldestSeconds).toBeGreaterThanOrEqual(699)
  expect(await now(other)).toMatchObject({ status: 'ok', waiting: { events: 0, oldestSeconds: 0 } })
})

test('timers that are late are told, of jobs and of messages, and not those of others', async () => {
  const [env, other] = [await h.environment(), await h.environment()]
  const [id, due] = [uuid7(new Date()), new Date(Date.now() - 120_000)]
  await sql`insert into job (environment_id, id, notification_id, step_index, type, status, details, run_at, updated_at)
    values (${env.environmentId}, ${id}, ${id}, 0, 'delay', 'delayed', '[]', ${due}, ${due})`.execute(h.admin)
  expect((await now(env)).items).toMatchObject([{ code: 'timers_late', severity: 'warning' }])
  expect((await now(other)).items).toEqual([])
  await sql`insert into message (environment_id, id, event_id, notification_id, job_id, subscriber_id, workflow_id,
      workflow_version, step_index, transaction_id, channel, status, content, retry_at, updated_at)
    values (${other.environmentId}, ${id}, ${id}, ${id}, ${id}, ${id}, ${id}, 1, 0, 'late', 'email', 'warning', '',
      ${new Date(Date.now() - 700_000)}, ${due})`.execute(h.admin)
  expect((await now(other)).items).toMatchObject([{ code: 'timers_late', severity: 'error' }])
})

test('without a worker it is an error within seconds, whether something waits or not', async () => {
  const env = await h.environment()
  const said = (ago: string) =>
    sql`update worker_alive set at = case when ${ago} = '' then 'infinity' else now() - ${ago || '0 s'}::interval end`.execute(
      h.admin,
    )
  const codes = async () => (await now(env)).items.map((item: Json) => item.code)
  await said('8 seconds')
  expect(await codes()).toEqual([])
  await said('11 seconds')
  expect((await now(env)).items).toMatchObject([
    { code: 'no_worker', severity: 'error', text: expect.stringMatching(/No worker has been running for 11 s/) },
  ])
  await tellAlive(h.ctx.database.db, new Date())
  expect(await codes()).toEqual([])
  await said('')
})
