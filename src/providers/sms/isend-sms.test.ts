import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import isendSms from './isend-sms.ts'

providerTable(isendSms, {
  credentials: { apiToken: 'tok' },
  message: { from: 'Acme', overrides: { schedule_time: '2026-01-02 10:00' } },
  request: {
    url: 'https://isend.com.ly/api/v3/sms/send',
    headers: { authorization: 'Bearer tok', accept: 'application/json' },
    json: {
      recipient: '15005550006',
      sender_id: 'Acme',
      type: 'plain',
      message: 'Hello Ada',
      schedule_time: '2026-01-02 10:00',
    },
  },
  accepted: { reply: { json: { status: 'success', data: { uid: '606812e63f78b' } } }, id: '606812e63f78b' },
  badRecipient: { reply: { json: { status: 'error', message: 'Invalid recipient' } }, reason: '200 Invalid recipient' },
  replies: [['acceptance without an id leaves it open', { json: { status: 'success' } }, { kind: 'unknown' }]],
  check: {
    url: 'https://isend.com.ly/api/v3/balance',
    good: { json: { status: 'success', data: { balance: 500 } } },
    bad: { json: { status: 'error', message: 'Unauthenticated' } },
  },
})

providerRequest(isendSms, {
  credentials: { apiToken: 'tok' },
  message: { content: 'مرحبا', from: undefined },
  request: {
    url: 'https://isend.com.ly/api/v3/sms/send',
    json: { recipient: '15005550006', type: 'unicode', message: 'مرحبا' },
  },
  accepted: { reply: { json: { status: 'success', data: { uid: '1' } } }, id: '1' },
})
