import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import mandrill from './mandrill.ts'

const error = (name: string) => ({ status: 500, json: { status: 'error', code: -1, name, message: `about ${name}` } })
const result = (status: string, more: object = {}) => ({ json: [{ email: 'ada@example.org', status, ...more }] })

providerTable(mandrill, {
  credentials: { apiKey: 'md-1' },
  message: { ...fullEmail, overrides: { tags: ['welcome'] } },
  request: {
    url: 'https://mandrillapp.com/api/1.0/messages/send',
    json: {
      key: 'md-1',
      message: {
        from_email: 'team@example.com',
        from_name: 'The Team',
        to: [
          { email: 'ada@example.org', type: 'to' },
          { email: 'bob@example.org', type: 'cc' },
          { email: 'eve@example.org', type: 'bcc' },
        ],
        preserve_recipients: true,
        subject: 'Hello Ada',
        text: 'Hello',
        html: '<p>Hello</p>',
        headers: { 'X-Team': 'blue', 'Reply-To': 'help@example.com' },
        metadata: { tidings_message_id: samples.email.id },
        attachments: [{ name: 'a.txt', type: 'text/plain', content: 'aGk=' }],
        tags: ['welcome'],
      },
    },
  },
  accepted: { reply: result('queued', { _id: 'abc123' }), id: 'abc123' },
  badRecipient: { reply: result('invalid'), because: 'gone' },
  replies: [
    [
      'what was taken for one recipient of two is sent',
      {
        json: [
          { email: 'bob@example.org', status: 'rejected', reject_reason: 'unsub' },
          { email: 'ada@example.org', status: 'sent', _id: 'def' },
        ],
      },
      { kind: 'sent', id: 'def', note: '1 of 2 recipients refused: 200 rejected: unsub' },
    ],
    [
      'an address that bounced before is gone',
      result('rejected', { reject_reason: 'hard-bounce', _id: 'abc' }),
      { kind: 'rejected', because: 'gone', reason: '200 rejected: hard-bounce' },
    ],
    [
      'a sender that may not send is the fault of the integration',
      result('rejected', { reject_reason: 'unsigned' }),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'whom a list keeps out is refused',
      result('rejected', { reject_reason: 'unsub' }),
      { kind: 'rejected', reason: '200 rejected: unsub' },
    ],
    [
      'a key it does not know is the fault of the integration, though it is a 500',
      error('Invalid_Key'),
      { kind: 'rejected', because: 'integration', reason: '500 about Invalid_Key' },
    ],
    ['so is a bill not paid', error('PaymentRequired'), { kind: 'rejected', because: 'integration' }],
    [
      'a bad field is refused for good',
      error('ValidationError'),
      { kind: 'rejected', reason: '500 about ValidationError' },
    ],
    ['its limit paces everybody', error('RequestLimitExceeded'), { kind: 'retry', paces: true }],
    ['what is down passes', error('ServiceUnavailable'), { kind: 'retry' }],
    ['what broke inside is unknown', error('GeneralError'), { kind: 'unknown' }],
  ],
  check: {
    url: 'https://mandrillapp.com/api/1.0/users/ping2',
    good: { json: { PING: 'PONG!' } },
    bad: error('Invalid_Key'),
  },
})
