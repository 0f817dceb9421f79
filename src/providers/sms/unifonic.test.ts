import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
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
    [
      'no funds is the integration’s fault',
      refused('ER-01', 'No rate found or insufficient funds'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a sender that is not registered as well',
      refused('ER-08', 'Invalid Sender ID'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['a duplicate may be our own earlier try', refused('ER-09', 'Duplicated message'), { kind: 'unknown' }],
    [
      'also as a status',
      { status: 409, json: { success: false, message: 'This message is duplicate' } },
      { kind: 'unknown' },
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

test.each([
  { success: false, message: 'Invalid destination number', errorCode: 'ER-02', data: {} },
  { success: false, message: 'Invalid destination number (too short)', errorCode: 'ER-04', data: {} },
  { success: false, message: 'No route found for the destination number', errorCode: 'ER-05', data: {} },
  // As a client has it in a comment, with a text for the flag and a list for nothing.
  { success: 'false', message: 'unsupported destination', errorCode: 'ER-11', data: [] },
])('$errorCode inside a 200 is about the recipient, not the integration', async (json) => {
  const { outcome } = await trySend(unifonic, { credentials: { appSid: 'sid' }, http: () => ({ json }) })
  expect(outcome).toEqual({ kind: 'rejected', reason: `200 ${json.message}` })
})
