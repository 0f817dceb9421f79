import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { loadTasks } from '../../engine/load-tasks.ts'
import { workTasks } from '../../engine/work-tasks.ts'

const h = useHarness({}, { worker: true })
/** No worker runs until the test starts one. */
const idle = useHarness({ AT_ONCE_PEOPLE: '0' })
const path = (transactionId: string) => `/v1/events/trigger/${encodeURIComponent(transactionId)}`
const nothing = { acknowledged: true, canceled: 0 }

async function statuses(env: Client): Promise<string[]> {
  const { body } = await env.get('/v1/notifications')
  return body.data.flatMap((it: Json) => it.jobs.map((job: Json) => job.status)).toSorted()
}

/** Makes the steps of an event look as if they waited. */
const delay = (env: Client, transactionId: string) =>
  sql`
  update job j set status = 'delayed' from notification n
  where j.environment_id = ${env.environmentId} and n.environment_id = j.environment_id and n.id = j.notification_id
    and n.transaction_id = ${transactionId}`.execute(h.admin)

describe('DELETE /v1/events/trigger/{transactionId}', () => {
  test('nothing to cancel: unknown, or done', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const unknown = await env.delete(path('never/seen ä'))
    expect([unknown.status, unknown.body]).toEqual([200, nothing])
    await trigger(env, { to: 'ada', transactionId: 't-1' })
    await h.drain()
    expect((await env.delete(path('t-1'))).body).toEqual(nothing)
    expect(await statuses(env)).toEqual(['completed'])
    expect((await env.get('/v1/messages')).body.totalCount).toBe(1)
  })

  test('steps that wait are stopped, once; those of another event are not', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    // From one bulk call, so of the same millisecond.
    const events = [
      { name: 'hello', to: ['ada', 'bob'], transactionId: 't-1' },
      { name: 'hello', to: 'ada', transactionId: 't-2' },
    ]
    await env.post('/v1/events/trigger/bulk', { events })
    await h.drain()
    await delay(env, 't-1')
    await delay(env, 't-2')
    expect((await env.delete(path('t-1'))).body).toEqual({ acknowledged: true, canceled: 2 })
    expect(await statuses(env)).toEqual(['canceled', 'canceled', 'delayed'])
    expect((await env.delete(path('t-1'))).body).toEqual(nothing)
  })

  test("another environment's event of the same name goes on", async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    await makeWorkflow(env)
    await trigger(env, { to: 'ada', transactionId: 't-1' })
    await h.drain()
    await delay(env, 't-1')
    expect((await other.delete(path('t-1'))).body).toEqual(nothing)
    expect(await statuses(env)).toEqual(['delayed'])
  })

  test('an event whose recipients are not reached yet reaches nobody, and is one job stopped', async () => {
    const env = await idle.environment()
    await makeWorkflow(env)
    await trigger(env, { to: ['ada', 'bob', { type: 'Topic', topicKey: 'crowd' }], transactionId: 't-1' })
    expect((await env.delete(path('t-1'))).body).toEqual({ acknowledged: true, canceled: 1 })
    expect((await env.delete(path('t-1'))).body).toEqual(nothing)
    await workTasks(idle.ctx, (await loadTasks()).tasks)
    await idle.drain()
    expect((await env.get('/v1/messages')).body.totalCount).toBe(0)
    expect((await env.get('/v1/notifications')).body.data).toEqual([])
  })

  test('stopped in the middle: the steps that wait, and one for whom was not reached', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await trigger(env, { to: ['ada', 'bob'], transactionId: 't-1' })
    await h.drain()
    await delay(env, 't-1')
    // As if the last page had not been written yet.
    const waiting = sql`environment_id = ${env.environmentId} and transaction_id = 't-1'`
    await sql`update event set state = 'accepted' where ${waiting}`.execute(h.admin)
    expect((await env.delete(path('t-1'))).body).toEqual({ acknowledged: true, canceled: 3 })
    const { rows } = await sql<{ state: string }>`select state from event where ${waiting}`.execute(h.admin)
    expect(rows).toEqual([{ state: 'canceled' }])
    expect(await statuses(env)).toEqual(['canceled', 'canceled'])
    // A transactionId stays taken: the same event again makes nothing new.
    expect((await trigger(env, { to: ['ada', 'bob'], transactionId: 't-1' })).status).toBe('processed')
    await h.drain()
    expect((await env.get('/v1/messages')).body.totalCount).toBe(2)
  })
})
