import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

/** A text of somebody's that is cut within a character is one that PostgreSQL refuses: nothing may stay undone for it. */
const cutAt = (place: number) => `${'x'.repeat(place - 1)}😀 and more`

test('an integration that is named and not there: the step fails, and says so', async () => {
  const env = await h.environment()
  const email = { subject: 'S', body: 'B' }
  await makeWorkflow(env, 'hello', { steps: [{ name: 'Mail', type: 'email', controlValues: email }] })
  const to = { subscriberId: 'ada', email: 'ada@example.com' }
  const overrides = { email: { integrationIdentifier: cutAt(100) } }
  const { body } = await env.post('/v1/events/trigger', { name: 'hello', to, overrides })
  expect(body.status).toBe('processed')
  await h.drain()
  const { data } = (await env.get(`/v1/notifications?transactionId=${body.transactionId}`)).body
  expect(data[0].jobs[0]).toMatchObject({ status: 'failed' })
})

test('a long text that is changed is in the record', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  for (const place of [999, 1_000]) {
    const { status, body } = await env.patch(`/v2/workflows/hello`, { description: cutAt(place) })
    expect([status, body.code]).toEqual([200, undefined])
  }
  const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: cutAt(1_000) + cutAt(1_000) } }]
  const { status } = await env.put(`/v2/workflows/hello`, { name: 'Hello', steps })
  expect(status).toBe(200)
})
