import { createECDH } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { startNtfy } from '../../../test/vendors/ntfy.ts'
import { startPushService } from '../../../test/vendors/push-service.ts'

const [service, ntfy] = [await startPushService(), await startNtfy()]
afterAll(async () => {
  await service.close()
  await ntfy.close()
})
const h = useHarness(allowing(service.port, ntfy.port), { worker: true })

function makeKeys() {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { apiKey: pair.getPublicKey('base64url'), secretKey: pair.getPrivateKey('base64url') }
}
const keys = makeKeys()

async function arrange(providerId: string, credentials: Json): Promise<Client> {
  const env = await h.environment()
  const step = { name: 'Push', type: 'push', controlValues: { subject: 'Order', body: 'Order {{payload.order}}' } }
  await makeWorkflow(env, 'hello', { steps: [step] })
  await makeSubscribers(env, ['ada'])
  await makeIntegration(env, { providerId, channel: 'push', credentials })
  return env
}

const add = (env: Client, given: Json) => env.post('/v1/channel-endpoints', { subscriberId: 'ada', ...given })

async function send(env: Client, event: Json = {}) {
  const { transactionId } = await trigger(env, { to: 'ada', payload: { order: 7 }, ...event })
  await h.settled()
  return (await storyOf(env, transactionId)).messages
}

test('the browsers of a person get one message; one that is gone is forgotten, and the others are told', async () => {
  const env = await arrange('web-push', { ...keys, senderId: 'mailto:ops@example.com' })
  const browsers = [1, 2].map(() => service.subscribe(keys.apiKey))
  for (const endpoint of browsers) {
    const made = await add(env, { integrationIdentifier: 'web-push', type: 'web_push', endpoint })
    expect(made.status, made.text).toBe(201)
  }
  const mobile = service.subscribe(keys.apiKey)
  const context = { tenant: 'acme' }
  await add(env, { integrationIdentifier: 'web-push', type: 'web_push', endpoint: mobile, context })
  expect(await send(env)).toMatchObject([{ status: 'sent', providerId: 'web-push' }])
  expect(service.received.map(({ json }) => json)).toEqual(
    [1, 2].map(() => expect.objectContaining({ title: 'Order', body: 'Order 7' })),
  )
  service.received.length = 0
  expect(await send(env, { context })).toMatchObject([{ status: 'sent' }])
  expect(service.received).toHaveLength(3)

  const [first] = browsers
  if (first) service.unsubscribe(first)
  expect(await send(env)).toMatchObject([{ status: 'sent' }])
  expect((await env.get('/v1/channel-endpoints')).body.data).toHaveLength(2)
})

test('a topic of ntfy; and who has none is skipped in words', async () => {
  const env = await arrange('ntfy', { baseUrl: ntfy.url })
  expect(await send(env)).toMatchObject([
    { errorText: 'Subscriber does not have a device token for any active integration' },
  ])
  await add(env, { integrationIdentifier: 'ntfy', type: 'ntfy_topic', endpoint: { topic: 'ada-orders' } })
  expect(await send(env)).toMatchObject([{ status: 'sent', providerId: 'ntfy' }])
  expect(ntfy.messages.get('ada-orders')).toMatchObject([{ title: 'Order', message: 'Order 7' }])
})

test('a hundred browsers and no more; what is no subscription is refused without being shown', async () => {
  const env = await arrange('web-push', { ...keys, senderId: 'mailto:ops@example.com' })
  const add1 = () =>
    add(env, { integrationIdentifier: 'web-push', type: 'web_push', endpoint: service.subscribe(keys.apiKey) })
  const made = await Promise.all(Array.from({ length: 105 }, add1))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(100)
  expect(made.find(({ status }) => status !== 201)?.body.code).toBe('too_many_endpoints')
  const endpoint = { endpoint: 'https://push.example.com/secret-place', keys: { p256dh: 'short', auth: 'short' } }
  const refused = await add(env, { integrationIdentifier: 'web-push', type: 'web_push', endpoint })
  expect(refused.status).toBe(422)
  expect(refused.text).not.toContain('short')
})
