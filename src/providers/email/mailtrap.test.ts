import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import mailtrap from './mailtrap.ts'

providerTable(mailtrap, {
  credentials: { apiKey: 'token-1' },
  message: { ...fullEmail, overrides: { category: 'welcome' } },
  request: {
    url: 'https://send.api.mailtrap.io/api/send',
    headers: { authorization: 'Bearer token-1' },
    json: {
      from: { email: 'team@example.com', name: 'The Team' },
      to: [{ email: 'ada@example.org' }],
      cc: [{ email: 'bob@example.org' }],
      bcc: [{ email: 'eve@example.org' }],
      reply_to: { email: 'help@example.com' },
      subject: 'Hello Ada',
      text: 'Hello',
      html: '<p>Hello</p>',
      headers: { 'X-Team': 'blue' },
      custom_variables: { tidings_message_id: samples.email.id },
      attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'aGk=', disposition: 'attachment' }],
      category: 'welcome',
    },
  },
  accepted: { reply: { json: { success: true, message_ids: ['0c7fd939', '0c7fd940'] } }, id: '0c7fd939' },
  badRecipient: {
    reply: { status: 400, json: { success: false, errors: ["'to' address is invalid"] } },
    reason: "400 'to' address is invalid",
  },
  replies: [
    [
      'a token it does not know is the fault of the integration',
      { status: 401, json: { errors: ['Unauthorized'] } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
  check: { url: 'https://mailtrap.io/api/accounts', good: { json: [{ id: 1 }] } },
})
