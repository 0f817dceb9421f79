import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import netcore from './netcore.ts'

providerTable(netcore, {
  credentials: { apiKey: 'nc-1' },
  message: { ...fullEmail, overrides: { tags: ['welcome'] } },
  request: {
    url: 'https://emailapi.netcorecloud.net/v5.1/mail/send',
    headers: { api_key: 'nc-1' },
    json: {
      from: { email: 'team@example.com', name: 'The Team' },
      reply_to: 'help@example.com',
      subject: 'Hello Ada',
      content: [{ type: 'html', value: '<p>Hello</p>' }],
      attachments: [{ name: 'a.txt', content: 'aGk=' }],
      personalizations: [
        {
          to: [{ email: 'ada@example.org' }],
          cc: [{ email: 'bob@example.org' }],
          bcc: [{ email: 'eve@example.org' }],
          headers: { 'X-Team': 'blue' },
          token_to: samples.email.id,
        },
      ],
      tags: ['welcome'],
    },
  },
  accepted: {
    reply: { status: 202, json: { data: { message_id: 'e8820eeb' }, message: 'OK', status: 'success' } },
    id: 'e8820eeb',
  },
  badRecipient: {
    reply: {
      status: 400,
      json: { status: 'error', error: [{ code: 102, field: 'to', message: 'email address is invalid' }] },
    },
    reason: '400 email address is invalid',
  },
})
