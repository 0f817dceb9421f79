import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import unifonic from './unifonic.ts'

const url = 'https://el.cloud.unifonic.com/rest/SMS/messages'
const refused = (errorCode: string, message: string) => ({ json: { success: false, message, errorCode, data: {} } })

providerTable(unifonic, {
  credentials: { appSid: 'sid', senderId: 'Other' },
  message: { from: 'Acme', overrides: { MessageType: 6, AppSid: 'other' } },
  request: {
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    form: {
      AppSid: 'sid',
      SenderID: 'Acme',
      Recipient: '15005550006',
      Body: 'Hello Ada',
      responseType: 'JSON',
      CorrelationID: samples.sms.id,
      MessageType: '6',
    },
  },
  accepted: {
    reply: {
      json: { success: true, message: '', errorCode: 'ER-00', data: { MessageID: 3200017889310, Status: 'Queued' } },
    },
    id: '3200017889310',
  },
  badRecipient: { reply: refused('ER-482', 'Invalid dest num'), reason: '200 Invalid dest num' },
  replies: [
    [
      'a wrong AppSid is the integration’s fault',
      refused('ER-401', 'Authentication failed'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a sender not ours is the integration’s fault',
      { status: 480, json: {} },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a missing AppSid is the integration’s fault',
      { status: 402, json: {} },
      { kind: 'rejected', because: 'integration' },
    ],
    ['too many inside a 200 paces', refused('ER-429', 'Too many requests'), { kind: 'retry', paces: true }],
    ['an answer without its word leaves it open', { json: { data: {} } }, { kind: 'unknown' }],
  ],
})

providerRequest(unifonic, {
  credentials: { appSid: 'sid', senderId: 'Other' },
  message: { content: 'Hello Ada', from: undefined },
  request: {
    url,
    form: {
      AppSid: 'sid',
      SenderID: 'Other',
      Recipient: '15005550006',
      Body: 'Hello Ada',
      responseType: 'JSON',
      CorrelationID: samples.sms.id,
    },
  },
  accepted: { reply: { json: { success: 'true', data: { MessageID: '1' } } }, id: '1' },
})
