import { expect, test } from 'vitest'
import { fullEmail } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import mailersend from './mailersend.ts'

providerTable(mailersend, {
  credentials: { apiKey: 'mlsn.1' },
  message: { ...fullEmail, overrides: { tags: ['welcome'] } },
  request: {
    url: 'https://api.mailersend.com/v1/email',
    headers: { authorization: 'Bearer mlsn.1' },
    json: {
      from: { email: 'team@example.com', name: 'The Team' },
      to: [{ email: 'ada@example.org' }],
      cc: [{ email: 'bob@example.org' }],
      bcc: [{ email: 'eve@example.org' }],
      reply_to: { email: 'help@example.com' },
      subject: 'Hello Ada',
      text: 'Hello',
      html: '<p>Hello</p>',
      headers: [{ name: 'X-Team', value: 'blue' }],
      attachments: [{ filename: 'a.txt', content: 'aGk=', disposition: 'attachment' }],
      tags: ['welcome'],
    },
  },
  accepted: { reply: { status: 202, headers: { 'x-message-id': '5e42957d' } }, id: '5e42957d' },
  badRecipient: {
    reply: { status: 422, json: { message: 'The to.0.email must be a valid email address.', errors: {} } },
    reason: '422 The to.0.email must be a valid email address.',
  },
  replies: [
    [
      'one nobody gets is refused, though accepted',
      {
        status: 202,
        json: { message: 'There are some warnings', warnings: [{ type: 'ALL_SUPPRESSED', recipients: [] }] },
      },
      { kind: 'rejected', because: 'gone' },
    ],
    [
      'one that some get is sent',
      { status: 202, headers: { 'x-message-id': 'x1' }, json: { warnings: [{ type: 'SOME_SUPPRESSED' }] } },
      { kind: 'sent', id: 'x1' },
    ],
    ['maintenance passes', { status: 421, json: { message: 'maintenance' } }, { kind: 'retry' }],
  ],
  check: {
    url: 'https://api.mailersend.com/v1/api-quota',
    good: { json: { quota: 1000, remaining: 752, reset: '2026-01-03T00:00:00Z' } },
  },
})

test('mailersend is sent headers only if there are any: not every plan may set them', async () => {
  const { requests, send } = tryProvider(mailersend, { http: [{ status: 202, headers: { 'x-message-id': '1' } }] })
  await send()
  expect(requests[0]?.json).toMatchObject({ headers: undefined })
})
