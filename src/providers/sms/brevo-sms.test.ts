import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import brevoSms from './brevo-sms.ts'

const url = 'https://api.brevo.com/v3/transactionalSMS/send'

providerTable(brevoSms, {
  credentials: { apiKey: 'xkeysib-1' },
  message: { from: 'Acme', overrides: { organisationPrefix: 'Acme' } },
  request: {
    url,
    headers: { 'api-key': 'xkeysib-1' },
    json: {
      sender: 'Acme',
      recipient: '15005550006',
      content: 'Hello Ada',
      type: 'transactional',
      unicodeEnabled: false,
      tag: samples.sms.id,
      organisationPrefix: 'Acme',
    },
  },
  accepted: { reply: { status: 201, json: { messageId: 1511882900176220 } }, id: '1511882900176220' },
  badRecipient: {
    reply: { status: 400, json: { code: 'invalid_parameter', message: 'Invalid telephone number' } },
    reason: '400 Invalid telephone number',
  },
  replies: [
    [
      'its limit says when it ends',
      { status: 429, headers: { 'x-sib-ratelimit-reset': '30' } },
      { kind: 'retry', afterMs: 30_000, paces: true },
    ],
    [
      'no credit is the integration’s fault',
      { status: 402, json: { code: 'not_enough_credits', message: 'Not enough credits' } },
      { kind: 'rejected', because: 'integration' },
    ],
    ['acceptance without an id leaves it open', { status: 201, json: {} }, { kind: 'unknown' }],
  ],
  check: { url: 'https://api.brevo.com/v3/account', good: { json: { email: 'ada@example.com' } } },
})

providerRequest(brevoSms, {
  credentials: { apiKey: 'xkeysib-1' },
  message: { content: 'Xin chào bạn' },
  request: {
    url,
    json: {
      sender: '15005550001',
      recipient: '15005550006',
      content: 'Xin chào bạn',
      type: 'transactional',
      unicodeEnabled: true,
      tag: samples.sms.id,
    },
  },
  accepted: { reply: { status: 201, json: { messageId: 1 } }, id: '1' },
})
