import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'

// No worker: what is accepted stays waiting.
const h = useHarness({ BACKLOG_LIMIT: '5', AT_ONCE_PEOPLE: '0' })

test('an environment whose backlog is full is told to wait; another, and reading, are not touched', async () => {
  const [noisy, quiet] = [await h.environment(), await h.environment()]
  await makeWorkflow(noisy)
  await makeWorkflow(quiet)
  const events = (n: number) => ({ events: Array.from({ length: n }, () => ({ name: 'hello', to: 'ada' })) })

  // A batch that begins below the bound is accepted whole.
  for (const n of [3, 4]) expect((await noisy.post('/v1/events/trigger/bulk', events(n))).status).toBe(201)
  for (const [path, body] of [
    ['/v1/events/trigger/bulk', events(1)],
    ['/v1/events/trigger', { name: 'hello', to: 'ada' }],
    ['/v1/events/trigger/broadcast', { name: 'hello' }],
  ] as const) {
    const refused = await noisy.post(path, body)
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'backlog_full', '2'])
  }
  expect((await quiet.post('/v1/events/trigger', { name: 'hello', to: 'ada' })).status).toBe(201)
  expect((await noisy.get('/v1/notifications')).status).toBe(200)
})

test('a refusal is not remembered under its idempotency key', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const trigger = () =>
    h.send('POST', '/v1/events/trigger', {
      key: env.key,
      headers: { 'idempotency-key': 'again' },
      body: { name: 'hello', to: 'ada' },
    })
  const many = { events: Array.from({ length: 5 }, () => ({ name: 'hello', to: 'ada' })) }
  await env.post('/v1/events/trigger/bulk', many)
  expect((await trigger()).status).toBe(429)
  await h.admin
    .updateTable('event')
    .set({ state: 'expanded' })
    .where('environment_id', '=', env.environmentId)
    .execute()
  await expect.poll(async () => (await trigger()).status, { timeout: 5_000 }).toBe(201)
})
