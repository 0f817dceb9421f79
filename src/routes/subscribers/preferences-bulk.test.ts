import { expect, test } from 'vitest'
import { type Client, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const list = '/v2/subscribers/ada/preferences'
const path = `${list}/bulk`
const steps = [
  { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } },
  { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hello' } },
]

async function start(...workflows: string[]): Promise<Client> {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'ada' })
  for (const workflowId of workflows) {
    const made = await env.post('/v2/workflows', { workflowId, name: workflowId, steps, tags: ['t'], severity: 'high' })
    expect(made.status).toBe(201)
  }
  return env
}

test('many workflows at once, answered in the order they were named', async () => {
  const env = await start('a', 'b', 'c')
  const { _id } = (await env.get('/v2/workflows/b')).body
  await env.patch(list, { channels: { in_app: false } })
  const { status, body } = await env.patch(path, {
    preferences: [
      { workflowId: 'c', channels: { email: false } },
      { workflowId: _id, channels: { in_app: true } },
    ],
  })
  expect(status).toBe(200)
  const shared = { critical: false, tags: ['t'], severity: 'high' }
  expect(body).toEqual([
    {
      level: 'template',
      workflow: { id: expect.any(String), identifier: 'c', name: 'c', ...shared },
      enabled: true,
      channels: { in_app: false, email: false },
    },
    {
      level: 'template',
      workflow: { id: _id, identifier: 'b', name: 'b', ...shared },
      enabled: true,
      channels: { in_app: true, email: true },
    },
  ])
})

test('one workflow named twice, by both its names: both changes hold, the later over the earlier', async () => {
  const env = await start('a')
  const { _id } = (await env.get('/v2/workflows/a')).body
  const { body } = await env.patch(path, {
    preferences: [
      { workflowId: 'a', channels: { email: false, in_app: false } },
      { workflowId: _id, channels: { email: true } },
    ],
  })
  expect(body).toMatchObject([{ channels: { in_app: false, email: true } }])
})

test('all or nothing: one unknown or critical workflow refuses the rest', async () => {
  const env = await start('a')
  await env.post('/v2/workflows', { workflowId: 'alarm', name: 'Alarm', steps, critical: true })
  const before = (await env.get(list)).body
  for (const [workflowId, code] of [
    ['none', 'workflow_not_found'],
    ['alarm', 'preference_read_only'],
  ]) {
    const { body } = await env.patch(path, {
      preferences: [
        { workflowId: 'a', channels: { email: false } },
        { workflowId, channels: { email: false } },
      ],
    })
    expect(body.code).toBe(code)
    expect(body.message).toContain(workflowId)
  }
  expect((await env.get(list)).body).toEqual(before)
})

test('a change that says nothing is no fault', async () => {
  const env = await start('a')
  const { status, body } = await env.patch(path, { preferences: [{ workflowId: 'a', channels: {} }] })
  expect([status, body.length]).toEqual([200, 1])
})

test('two calls over the same workflows in opposite order wait for each other, never in a circle', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `w${n}`)
  const env = await start(...names)
  const body = (order: string[], email: boolean) => ({
    preferences: order.map((workflowId) => ({ workflowId, channels: { email } })),
  })
  const calls = Array.from({ length: 10 }, (_, n) =>
    env.patch(path, n % 2 === 0 ? body(names, true) : body(names.toReversed(), false)),
  )
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
})
