import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { fullEmail, now, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import emailWebhook from './email-webhook.ts'

const credentials = { webhookUrl: 'https://hooks.example.com/mail/very-secret-path', secretKey: 'whsec_a2V5' }

providerTable(emailWebhook, {
  credentials,
  message: { ...fullEmail, overrides: { campaign: 'welcome' } },
  request: {
    url: credentials.webhookUrl,
    headers: {
      'content-type': 'application/json',
      'webhook-id': samples.email.id,
      'webhook-timestamp': String(now.getTime() / 1000),
    },
    json: {
      from: { email: 'team@example.com', name: 'The Team' },
      to: ['ada@example.org'],
      cc: ['bob@example.org'],
      bcc: ['eve@example.org'],
      replyTo: 'help@example.com',
      subject: 'Hello Ada',
      html: '<p>Hello</p>',
      text: 'Hello',
      headers: { 'X-Team': 'blue' },
      attachments: [{ name: 'a.txt', mime: 'text/plain', content: 'aGk=' }],
      subscriberId: 'ada',
      tidings_message_id: samples.email.id,
      campaign: 'welcome',
    },
  },
  accepted: { reply: { status: 204 } },
  badRecipient: { reply: { status: 422, json: { message: 'no such mailbox' } }, reason: '422 no such mailbox' },
  replies: [
    [
      'an endpoint that wants no more is the fault of the integration',
      { status: 410 },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a reason does not give the URL away',
      { status: 404, body: 'Cannot POST /mail/very-secret-path' },
      { kind: 'rejected', reason: expect.not.stringContaining('very-secret-path') },
    ],
  ],
})

test('email-webhook signs the very bytes it sends', async () => {
  const { requests, send } = tryProvider(emailWebhook, { credentials })
  await send()
  const signed = `${samples.email.id}.${now.getTime() / 1000}.${requests[0]?.body}`
  const signature = createHmac('sha256', 'key').update(signed).digest('base64')
  expect(requests[0]?.headers?.['webhook-signature']).toBe(`v1,${signature}`)
})
