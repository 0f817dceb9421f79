import { describe, expect, test } from 'vitest'
import { sender, useHarness } from '../../../test/harness.ts'
import { makeIntegration } from '../../../test/outside.ts'

const h = useHarness()
const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://given-by-the-harness' }

describe('GET /v1/dev/mailbox', () => {
  test('shows what was delivered, newest first, to anybody or to one', async () => {
    const env = await h.environment()
    const email = await makeIntegration(env, { providerId: 'platform-email', channel: 'email' })
    for (const to of ['ada@example.com', 'bob@example.com', 'ada@example.com']) {
      await env.post(`/v1/integrations/${email._id}/test`, { to, subject: `For ${to}`, content: '<p>Hi</p>' })
    }
    const { data } = (await env.get('/v1/dev/mailbox')).body
    expect(data.map((mail: { to: string }) => mail.to)).toEqual([
      'ada@example.com',
      'bob@example.com',
      'ada@example.com',
    ])
    expect(data[1]).toMatchObject({ channel: 'email', subject: 'For bob@example.com', content: '<p>Hi</p>' })
    expect((await env.get('/v1/dev/mailbox?limit=1')).body.data).toEqual([data[0]])
    expect((await env.get('/v1/dev/mailbox?to=bob@example.com')).body.data).toEqual([data[1]])
    expect((await env.get('/v1/dev/mailbox?limit=0')).status).toBe(422)
    expect((await (await h.environment()).get('/v1/dev/mailbox')).body.data).toEqual([])
  })
})

describe('in production', () => {
  test('the development providers cannot be active, nor be tested', async () => {
    const env = await h.environment()
    const { _id } = await makeIntegration(env, { providerId: 'platform-email', channel: 'email', active: false })
    const send = sender((await h.node(production)).url)
    const call = (method: string, path: string, body: object) => send(method, path, { body, key: env.key })
    for (const providerId of ['platform-email', 'platform-sms']) {
      const channel = providerId.slice('platform-'.length)
      const refused = await call('POST', '/v1/integrations', { providerId, channel, active: true })
      expect(Object.keys(refused.body.errors)).toEqual(['active'])
    }
    expect((await call('PUT', `/v1/integrations/${_id}`, { active: true })).status).toBe(422)
    expect((await call('PUT', `/v1/integrations/${_id}`, { name: 'Kept' })).status).toBe(200)
    const tested = await call('POST', `/v1/integrations/${_id}/test`, { to: 'ada@example.com' })
    expect(tested.body.code).toBe('integration_cannot_send')
  })
})
