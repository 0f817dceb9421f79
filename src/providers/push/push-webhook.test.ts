import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import { signWebhook } from '../shared/standard-webhooks.ts'
import pushWebhook from './push-webhook.ts'

const credentials = { webhookUrl: 'https://push.example.com/in/s3cr3t-path', secretKey: 'shared' }
const body =
  '{"target":["device-token-1"],"title":"Hello","content":"Hello Ada","payload":{"orderId":"42","note":"for our own eyes"},"data":{"orderId":"42"},"subscriberId":"ada","tidings_message_id":"0198c000-0000-7000-8000-000000000001"}'

providerTable(pushWebhook, {
  credentials,
  request: {
    url: credentials.webhookUrl,
    headers: {
      'content-type': 'application/json',
      ...(await signWebhook({
        id: samples.push.id,
        secret: 'shared',
        body,
        now: new Date('2026-01-02T03:04:05.000Z'),
      })),
    },
    body,
  },
  accepted: { reply: { status: 200, body: 'thanks' } },
  badRecipient: { reply: { status: 422, json: { message: 'no such device' } }, reason: '422 no such device' },
  replies: [
    [
      '410 means that the endpoint is gone, for everybody',
      { status: 410 },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a path that the server quotes is not repeated',
      { status: 404, body: 'no route for /in/s3cr3t-path' },
      { kind: 'rejected', reason: '404 no route for …' },
    ],
  ],
})

test('all devices go in one call, under the id of the message', async () => {
  const message = { token: 'a', tokens: ['a', 'b'] }
  const { requests } = await trySend(pushWebhook, { credentials, message, http: () => reply(200) })
  expect(requests).toHaveLength(1)
  expect(requests[0]?.headers?.['webhook-id']).toBe(samples.push.id)
  expect(JSON.parse(String(requests[0]?.body)).target).toEqual(['a', 'b'])
})

test('a trigger adds to the body but cannot move it elsewhere', async () => {
  const { requests } = await trySend(pushWebhook, {
    credentials,
    message: { overrides: { sound: 'ping', webhookUrl: 'https://elsewhere.example' } },
    http: () => reply(200),
  })
  expect(requests[0]?.url).toBe(credentials.webhookUrl)
  expect(JSON.parse(String(requests[0]?.body))).toMatchObject({ sound: 'ping', title: 'Hello' })
})
