import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import { signWebhook } from '../shared/standard-webhooks.ts'
import chatWebhook from './chat-webhook.ts'

const body =
  '{"content":"Hello Ada","channel":"general","phoneNumber":"+15005550006","subscriberId":"ada","tidings_message_id":"0198c000-0000-7000-8000-000000000001"}'
const now = new Date('2026-01-02T03:04:05.000Z')

providerTable(chatWebhook, {
  ofTarget: true,
  credentials: { secretKey: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  request: {
    url: samples.chat.webhookUrl,
    headers: {
      'content-type': 'application/json',
      ...(await signWebhook({ id: samples.chat.id, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', body, now })),
    },
    body,
  },
  accepted: { reply: { status: 204 } },
  badRecipient: { reply: { status: 410 }, because: 'gone' },
  replies: [
    [
      'a path that the server quotes is not repeated',
      { status: 404, body: 'Cannot POST /T0/B0/secret' },
      { kind: 'rejected', reason: '404 Cannot POST …' },
    ],
  ],
})

test('without a secret nothing is signed, and the id is still there', async () => {
  const { requests } = await trySend(chatWebhook, { http: () => reply(200) })
  expect(requests[0]?.headers).toEqual({
    'content-type': 'application/json',
    'webhook-id': samples.chat.id,
    'webhook-timestamp': '1767323045',
  })
})

test('a trigger adds to the body, and what is added is signed', async () => {
  const { requests } = await trySend(chatWebhook, {
    credentials: { secretKey: 'k' },
    message: { channel: '', phone: '', overrides: { colour: 'red' } },
    http: () => reply(200),
  })
  const sent = String(requests[0]?.body)
  expect(JSON.parse(sent)).toEqual({
    content: 'Hello Ada',
    subscriberId: 'ada',
    tidings_message_id: samples.chat.id,
    colour: 'red',
  })
  expect(requests[0]?.headers).toMatchObject(signWebhook({ id: samples.chat.id, secret: 'k', body: sent, now }))
})
