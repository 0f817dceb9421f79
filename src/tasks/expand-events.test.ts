import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { makeSubscribers, makeWorkflow, messagesBySubscriber, subscribe, trigger } from '../../test/pipeline.ts'
import { findLosses } from '../commands/conserve.ts'
import { countConservation } from '../store/history/conservation.ts'

const h = useHarness({}, { worker: true })
const ids = (prefix: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `${prefix}${from + n}`)

test('two topics that overlap by half, direct recipients and an actor: the union, each once, the actor not by topic', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const people = ids('p', 0, 600)
  await makeSubscribers(env, people)
  await subscribe(env, 'one', ids('p', 0, 400))
  await subscribe(env, 'two', ids('p', 200, 600))
  const to = [{ type: 'Topic', topicKey: 'one' }, 'p5', 'extra', { type: 'Topic', topicKey: 'two', exclude: ['p599'] }]
  expect((await trigger(env, { to, actor: 'p300' })).status).toBe('processed')
  await h.drain()
  const expected = new Set([...people, 'extra'].filter((id) => id !== 'p300' && id !== 'p599'))
  const counts = await messagesBySubscriber(env)
  expect(new Set(Object.keys(counts))).toEqual(expected)
  const events = await sql<{ notified_count: number }>`select notified_count from event
    where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(events.rows).toEqual([{ notified_count: expected.size }])
  expect(new Set(Object.values(counts))).toEqual(new Set([1]))
})

test('a broadcast reaches everybody of its environment once, and nobody of another', async () => {
  const [env, other] = [await h.environment(), await h.environment()]
  await makeWorkflow(env)
  await makeSubscribers(env, ids('p', 0, 700))
  await makeSubscribers(other, ids('q', 0, 5))
  const reply = await env.post('/v1/events/trigger/broadcast', { name: 'hello', payload: {} })
  expect(reply.body.status).toBe('processed')
  await h.drain()
  const counts = await messagesBySubscriber(env)
  expect(Object.keys(counts)).toHaveLength(700)
  expect(new Set(Object.values(counts))).toEqual(new Set([1]))
  expect(await messagesBySubscriber(other)).toEqual({})
})

test('every step of every notification is one job: conditions skip, later steps go on, a failing step may stop the rest', async () => {
  const env = await h.environment()
  const filters = [{ value: 'AND', children: [{ on: 'payload', field: 'plan', operator: 'EQUAL', value: 'pro' }] }]
  const step = (name: string, more: object) => ({ name, type: 'in_app', controlValues: { body: name }, ...more })
  await makeWorkflow(env, 'hello', {
    steps: [
      step('conditional', { filters }),
      step('off', { active: false }),
      step('bomb', { controlValues: { body: '{% for i in (1..1000000000) %}x{% endfor %}' }, shouldStopOnFail: true }),
      step('never', {}),
    ],
  })
  await trigger(env, { to: 'ada', payload: { plan: 'free' } })
  await h.drain()
  const [row] = (await env.get('/v1/notifications')).body.data
  const { body } = await env.get(`/v1/notifications/${row._id}`)
  expect(body.jobs.map((job: { status: string }) => job.status)).toEqual(['skipped', 'skipped', 'failed', 'canceled'])
  expect(body.jobs[0].executionDetails[0].detail).toContain('payload.plan')
  expect(body.jobs[2].messages[0]).toMatchObject({ status: 'error', errorText: expect.any(String) })
  expect((await env.get('/v1/subscribers/ada/notifications/feed')).body.data).toEqual([])
})

test('channels given with an event are kept; one that is refused costs neither the others nor the notification', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const webhook = (webhookUrl: string) => ({ providerId: 'slack', credentials: { webhookUrl } })
  const tokens = { providerId: 'fcm', credentials: { deviceTokens: ['t1'] } }
  const good = 'https://hooks.slack.com/services/T/B/x'
  const to = [
    { subscriberId: 'eve', channels: [webhook(good), tokens] },
    { subscriberId: 'ada', channels: [webhook('http://169.254.169.254/'), tokens] },
  ]
  await trigger(env, { to })
  await h.drain()
  const channels = async (id: string) =>
    (await env.get(`/v2/subscribers/${id}`)).body.channels.map((it: { providerId: string }) => it.providerId).sort()
  expect(await channels('eve')).toEqual(['fcm', 'slack'])
  expect(await channels('ada')).toEqual(['fcm'])
  expect(await messagesBySubscriber(env)).toEqual({ ada: 1, eve: 1 })
})

test('nothing is lost or doubled: steps and jobs add up in every environment', async () => {
  for (const it of await countConservation(h.admin)) expect(it).toMatchObject({ waiting: 0, jobs: it.steps })
  expect(await findLosses(h.ctx)).toEqual([])
})
