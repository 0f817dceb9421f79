import { describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

/** What an in-app step renders for an event, through the API. */
async function rendered(env: Client, body: string, event: Record<string, unknown>): Promise<string> {
  await makeWorkflow(env, 'hello', { steps: [{ name: 'Inbox', type: 'in_app', controlValues: { body } }] })
  expect((await trigger(env, { to: 'ada', ...event })).status).toBe('processed')
  await h.drain()
  return (await env.get('/v1/subscribers/ada/notifications/feed')).body.data[0].content
}

describe('tenant', () => {
  const body = '{{tenant.identifier}}|{{tenant.name}}|{{tenant.data.plan}}|{{tenant.data.address.city}}'

  test('shows its name and data', async () => {
    const env = await h.environment()
    const data = { plan: 'gold', address: { city: 'Ulm' } }
    await env.post('/v1/tenants', { identifier: 'acme', name: 'Acme Inc.', data })
    expect(await rendered(env, body, { tenant: 'acme' })).toBe('acme|Acme Inc.|gold|Ulm')
  })

  test("has its identifier alone where it has nothing else, and another environment's is not looked at", async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    await other.post('/v1/tenants', { identifier: 'acme', name: 'Not ours', data: { plan: 'secret' } })
    await env.post('/v1/tenants', { identifier: 'acme' })
    expect(await rendered(env, body, { tenant: { identifier: 'acme' } })).toBe('acme|||')
  })

  test('is empty where none is given', async () => {
    expect(await rendered(await h.environment(), body, {})).toBe('|||')
  })
})

describe('context', () => {
  const body = '{{context.team.id}}|{{context.team.data.name}}|{{context.region.id}}'

  test('is `{ id, data }` in both of its shapes', async () => {
    const given = { team: { id: 't1', data: { name: 'Blue' } }, region: 'eu' }
    expect(await rendered(await h.environment(), body, { context: given })).toBe('t1|Blue|eu')
    expect(await rendered(await h.environment(), body, { context: { team: 't1' } })).toBe('t1||')
  })

  test('is empty where none is given', async () => {
    expect(await rendered(await h.environment(), body, {})).toBe('||')
  })
})

test('actor and subscriber show their profiles', async () => {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'boss', firstName: 'Bo', data: { role: 'lead' } })
  const body = '{{actor.firstName}} ({{actor.data.role}}) → {{subscriber.firstName}} {{subscriber.timezone}}'
  const to = { subscriberId: 'ada', firstName: 'Ada', timezone: 'Europe/Berlin' }
  expect(await rendered(env, body, { to, actor: 'boss' })).toBe('Bo (lead) → Ada Europe/Berlin')
})
