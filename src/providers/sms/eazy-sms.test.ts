import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import eazySms from './eazy-sms.ts'

providerTable(eazySms, {
  credentials: { apiKey: 'key', channelId: '31611111111@sms.eazy.im' },
  message: { overrides: { metadata: { order: 1 } } },
  request: {
    url: 'https://api.eazy.im/v3/channels/31611111111%40sms.eazy.im/messages/15005550006%40sms.eazy.im',
    headers: { authorization: 'Bearer key' },
    json: { message: { type: 'text', text: 'Hello Ada' }, metadata: { order: 1 } },
  },
  accepted: {
    reply: { status: 201, json: { id: '26145a84-49f3-4c3c-a99b-98f932cae585' } },
    id: '26145a84-49f3-4c3c-a99b-98f932cae585',
  },
  badRecipient: {
    reply: { status: 400, json: { error: { code: 1005, message: 'Jid is invalid' }, traceId: '7e6459' } },
    reason: '400 Jid is invalid',
  },
  replies: [['acceptance without an id leaves it open', { status: 201, json: {} }, { kind: 'unknown' }]],
})

providerRequest(eazySms, {
  credentials: { apiKey: 'key', channelId: '../../contacts?x=1#' },
  request: {
    url: 'https://api.eazy.im/v3/channels/..%2F..%2Fcontacts%3Fx%3D1%23/messages/15005550006%40sms.eazy.im',
  },
  accepted: { reply: { json: { id: '1' } }, id: '1' },
})
