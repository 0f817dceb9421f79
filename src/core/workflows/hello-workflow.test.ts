import { expect, test } from 'vitest'
import { client, useHarness } from '../../../test/harness.ts'
import { bootstrap } from '../operations/bootstrap.ts'

const h = useHarness({}, { worker: true })
const settings = { cell: 'c1', bootstrapApiKey: undefined, production: false }

test('the first start makes workflows to try and a mailbox to look into; later ones leave them alone', async () => {
  const { newKey } = await bootstrap(h.admin, settings, new Date())
  const env = client(h.send, newKey ?? '')
  const made = await env.send('GET', '/v2/workflows/hello')
  expect(made.body).toMatchObject({ workflowId: 'hello', status: 'ACTIVE', version: 1 })
  expect(made.body.steps).toHaveLength(1)

  const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com' }
  await env.post('/v1/events/trigger', { name: 'hello-email', to: ada, payload: { message: 'it works' } })
  await h.settled()
  expect((await env.send('GET', '/v1/dev/mailbox')).body.data).toMatchObject([
    { channel: 'email', to: 'ada@example.com', subject: 'Hello Ada', content: '<p>Hello Ada, it works</p>' },
  ])

  const { body: integrations } = await env.send('GET', '/v1/integrations')
  expect(integrations).toMatchObject([
    { providerId: 'platform-email', active: true, primary: true },
    { providerId: 'platform-sms', active: true, primary: true },
  ])
  await env.send('DELETE', '/v2/workflows/hello')
  await env.send('DELETE', `/v1/integrations/${integrations[1]._id}`)
  await bootstrap(h.admin, settings, new Date())
  expect((await env.send('GET', '/v2/workflows/hello')).status).toBe(404)
  expect((await env.send('GET', '/v1/integrations')).body).toHaveLength(1)
})
