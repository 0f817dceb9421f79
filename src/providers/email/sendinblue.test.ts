import { expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import sendinblue from './sendinblue.ts'

providerTable(sendinblue, {
  credentials: { apiKey: 'xkeysib-1' },
  message: { ...fullEmail, overrides: { tags: ['welcome'] } },
  request: {
    url: 'https://api.brevo.com/v3/smtp/email',
    headers: { 'api-key': 'xkeysib-1' },
    json: {
      sender: { email: 'team@example.com', name: 'The Team' },
      to: [{ email: 'ada@example.org' }],
      cc: [{ email: 'bob@example.org' }],
      bcc: [{ email: 'eve@example.org' }],
      replyTo: { email: 'help@example.com' },
      subject: 'Hello Ada',
      htmlContent: '<p>Hello</p>',
      textContent: 'Hello',
      headers: {
        'X-Team': 'blue',
        'X-Mailin-custom': `{"tidings_message_id":"${samples.email.id}"}`,
        idempotencyKey: samples.email.id,
      },
      attachment: [{ name: 'a.txt', content: 'aGk=' }],
      tags: ['welcome'],
    },
  },
  accepted: { reply: { status: 201, json: { messageId: '<2026@smtp-relay>' } }, id: '<2026@smtp-relay>' },
  badRecipient: {
    reply: { status: 400, json: { code: 'invalid_parameter', message: 'email is not valid in to' } },
    reason: '400 email is not valid in to',
  },
  replies: [
    [
      'its limit says when it ends',
      { status: 429, headers: { 'x-sib-ratelimit-reset': '30' } },
      { kind: 'retry', afterMs: 30_000, paces: true },
    ],
    [
      'a key it has seen means that it was sent before',
      { status: 400, json: { code: 'duplicate_parameter', message: 'idempotencyKey is already used' } },
      { kind: 'sent' },
    ],
    [
      'used-up credits are the fault of the integration',
      { status: 402, json: { code: 'not_enough_credits', message: 'no credits' } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
  check: { url: 'https://api.brevo.com/v3/account', good: { json: { email: 'a@b.c' } } },
})

test('brevo is sent no empty list', async () => {
  const { requests, send } = tryProvider(sendinblue, { http: [{ status: 201, json: { messageId: '1' } }] })
  await send()
  expect(requests[0]?.json).toMatchObject({ cc: undefined, bcc: undefined, attachment: undefined })
})
