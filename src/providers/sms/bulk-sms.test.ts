import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import bulkSms from './bulk-sms.ts'

providerTable(bulkSms, {
  credentials: { apiToken: 'id:secret' },
  message: { overrides: { routingGroup: 'PREMIUM' } },
  request: {
    url: 'https://api.bulksms.com/v1/messages?auto-unicode=true',
    headers: { authorization: `Basic ${btoa('id:secret')}` },
    json: {
      from: '+15005550001',
      to: '+15005550006',
      body: 'Hello Ada',
      longMessageMaxParts: 30,
      routingGroup: 'PREMIUM',
    },
  },
  accepted: {
    reply: { status: 201, json: [{ id: '4023457654', type: 'SENT', status: { type: 'ACCEPTED' } }] },
    id: '4023457654',
  },
  badRecipient: {
    reply: {
      status: 400,
      json: { type: 'https://developer.bulksms.com/json/v1/errors#bad-request', detail: 'to is invalid' },
    },
    reason: '400 to is invalid',
  },
  replies: [
    [
      'no credit is the integration’s fault',
      { status: 403, json: { title: 'Not enough credits' } },
      { kind: 'rejected', because: 'integration', reason: '403 Not enough credits' },
    ],
    ['an empty list leaves it open', { status: 201, json: [] }, { kind: 'unknown' }],
  ],
  check: { url: 'https://api.bulksms.com/v1/profile', good: { json: { id: '1' } } },
})

providerRequest(bulkSms, {
  credentials: { apiToken: 'id:secret' },
  message: { content: 'Hello Ada', from: undefined, overrides: { longMessageMaxParts: 2 } },
  request: {
    url: 'https://api.bulksms.com/v1/messages?auto-unicode=true',
    json: { to: '+15005550006', body: 'Hello Ada', longMessageMaxParts: 2 },
  },
  accepted: { reply: { status: 201, json: [{ id: '1' }] }, id: '1' },
})
