import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../test/harness.ts'
import { makeWorkflow, subscribe, trigger } from '../../test/pipeline.ts'
import eraseSubscriber from './erase-subscriber.ts'

const h = useHarness({}, { worker: true })
const canary = 'canary-of-ada'
const ada = { subscriberId: 'ada', firstName: canary, email: `${canary}@example.com`, data: { canary } }

/** Every row of this environment, as text. */
async function everything(env: Client, tables = ['subscriber', 'event', 'notification', 'job', 'message']) {
  const texts = tables.map((table) =>
    sql<{ text: string | null }>`select string_agg(t::text, ' ') as text from ${sql.table(table)} t
      where t.environment_id = ${env.environmentId}`.execute(h.admin),
  )
  return (await Promise.all(texts)).map(({ rows }) => rows[0]?.text ?? '').join(' ')
}

async function makeHistory(env: Client): Promise<void> {
  const controlValues = { subject: '{{subscriber.firstName}}', body: '{{subscriber.firstName}} {{payload.text}}' }
  await makeWorkflow(env, 'hello', { steps: [{ name: 'Inbox', type: 'in_app', controlValues }] })
  await trigger(env, { to: ada, payload: { text: canary }, overrides: { x: canary }, transactionId: 'alone' })
  await trigger(env, { to: ['eve', ada], payload: { text: 'shared' }, transactionId: 'both' })
  await h.drain()
  await subscribe(env, 'news', ['eve'])
  await trigger(env, { to: { type: 'Topic', topicKey: 'news' }, actor: ada, transactionId: 'as-actor' })
  await h.drain()
  await sql`update job set details = details || ${JSON.stringify([{ at: '2026-01-01T00:00:00.000Z', detail: 'Sent', status: 'Success', raw: canary }])}::jsonb
    where environment_id = ${env.environmentId}`.execute(h.admin)
}

test('deleting erases what messages and events say about the person; the facts, and what is about others, stay', async () => {
  const env = await h.environment()
  await makeHistory(env)
  // An event that never notified anybody.
  await sql`insert into event select environment_id, uuid_at(now() - interval '1 day'), 'stopped', workflow_id,
      workflow_version, payload, overrides, recipients, actor, tenant, context, context_keys, 'canceled'
    from event where environment_id = ${env.environmentId} and transaction_id = 'alone'`.execute(h.admin)
  expect(await everything(env)).toContain(canary)
  const before = (await env.get('/v1/notifications?transactionId=both')).body.data

  expect((await env.delete('/v2/subscribers/ada')).status).toBe(200)
  await h.drain()
  const left = await everything(env)
  // What the provider answered about Eve, in her two notifications, stays.
  expect(left.match(/"raw"": ""canary-of-ada/g)).toHaveLength(2)
  expect(left.match(/canary/g)).toHaveLength(2)
  expect(left).toContain('shared')

  const after = (await env.get('/v1/notifications?transactionId=both')).body.data
  const facts = (it: Json) => [it._id, it._subscriberId, it.createdAt, it.jobs[0].status, it.jobs[0].updatedAt]
  expect(after.map(facts)).toEqual(before.map(facts))
  const { body } = await env.get('/v1/messages?transactionId=alone')
  expect(body.data).toMatchObject([{ content: '', payload: {}, overrides: {}, status: 'sent', transactionId: 'alone' }])
  expect((await env.get('/v1/subscribers/eve/notifications/feed')).body.data).toHaveLength(2)
})

test('an event that has not reached the person yet passes over him, and reaches the others', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await trigger(env, { to: [ada, 'eve'], transactionId: 'open' })
  await h.drain()
  await sql`delete from notification where environment_id = ${env.environmentId}`.execute(h.admin)
  await sql`update event set state = 'accepted' where environment_id = ${env.environmentId}`.execute(h.admin)
  await env.delete('/v2/subscribers/ada')
  await h.drain()
  const { rows } = await sql<{ id: string }>`select id from event where environment_id = ${env.environmentId}`.execute(
    h.admin,
  )
  const { environmentId } = env
  await h.ctx.engine.enqueue(h.admin, 'expand-events', 'bulk', [{ environmentId, eventIds: rows.map((row) => row.id) }])
  await h.drain()
  expect((await env.get('/v2/subscribers/ada')).status).toBe(404)
  const listed = (await env.get('/v1/notifications?transactionId=open')).body.data
  expect(listed.map((it: Json) => it.subscriber.subscriberId)).toEqual(['eve'])
})

test('what waits for the person is stopped; a new person of the same subscriberId keeps everything; twice does no harm', async () => {
  const env = await h.environment()
  await makeHistory(env)
  await sql`update job set status = 'delayed', run_at = now() + interval '1 day'
    where environment_id = ${env.environmentId}`.execute(h.admin)
  const { _id: id } = (await env.get('/v2/subscribers/ada')).body
  await env.delete('/v2/subscribers/ada')
  const before = Date.now()
  await h.drain()
  const statuses = await sql<{ status: string; n: number }>`select status, count(*)::int as n from job
    where environment_id = ${env.environmentId} group by 1 order by 1`.execute(h.admin)
  expect(statuses.rows).toEqual([
    { status: 'canceled', n: 2 },
    { status: 'delayed', n: 2 },
  ])

  await trigger(env, { to: ada, payload: { text: canary }, transactionId: 'new-ada' })
  await h.drain()
  const whole = await everything(env)
  const task = { environmentId: env.environmentId, id, subscriberId: 'ada', before, lastPass: true }
  await eraseSubscriber.run(h.ctx, [task], { again: false })
  await h.drain()
  expect(await everything(env)).toBe(whole)
  expect((await env.get('/v1/subscribers/ada/notifications/feed')).body.data[0].content).toContain(canary)
  // The last pass comes when everything that was in progress has ended.
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from start_after - created_on)::int / 60 as minutes from pgboss.job
    where name = 'erase-subscriber' and state = 'created' and data->>'id' = ${id}`.execute(h.admin)
  expect(rows).toEqual([{ minutes: 15 }])
})

test('many messages are erased batch by batch', async () => {
  const env = await h.environment()
  await makeHistory(env)
  await sql`insert into message (environment_id, id, event_id, notification_id, job_id, subscriber_id, workflow_id,
      workflow_version, step_index, transaction_id, channel, status, content, updated_at)
    select m.environment_id, (left(m.id::text, 13) || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid, event_id, notification_id, job_id,
      subscriber_id, workflow_id, workflow_version, step_index, transaction_id,
      (array['email', 'sms'])[1 + n % 2], status, 'canary', updated_at
    from message m, generate_series(1, 1200) n where m.environment_id = ${env.environmentId} and m.transaction_id = 'alone'`.execute(
    h.admin,
  )
  const { _id: id } = (await env.get('/v2/subscribers/ada')).body
  const messages = () => everything(env, ['message'])
  expect((await messages()).match(/\bcanary\b/g)?.length).toBeGreaterThan(1200)
  await env.delete('/v2/subscribers/ada')
  await h.drain()
  expect(await messages()).not.toContain('canary')
  const { rows } = await sql<{ batches: number }>`select count(*)::int as batches from pgboss.job
    where name = 'erase-subscriber' and data->>'id' = ${id} and data->'place'->>'stage' = 'messages'`.execute(h.admin)
  expect(rows).toEqual([{ batches: 3 }])
})
