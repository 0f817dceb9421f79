import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import smsCentral from './sms-central.ts'

providerTable(smsCentral, {
  credentials: { user: 'ada', password: 'pw', from: 'Acme' },
  message: { from: 'Acme', overrides: { CAMPAIGN: 'spring', REFERENCE: 'mine', PASSWORD: 'other' } },
  request: {
    url: 'https://my.smscentral.com.au/api/v3.2',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    form: {
      ACTION: 'send',
      USERNAME: 'ada',
      PASSWORD: 'pw',
      ORIGINATOR: 'Acme',
      RECIPIENT: '15005550006',
      MESSAGE_TEXT: 'Hello Ada',
      REFERENCE: samples.sms.id,
      CAMPAIGN: 'spring',
    },
  },
  accepted: { reply: { body: '0' }, id: samples.sms.id },
  badRecipient: 'not documented',
  replies: [
    ['a reference seen before was accepted before', { body: '513 Duplicate reference' }, { kind: 'sent' }],
    [
      'a wrong password is the integration’s fault',
      { body: '511 Invalid username or password' },
      { kind: 'rejected', because: 'integration', reason: '511 Invalid username or password' },
    ],
    ['no credit is the integration’s fault', { body: '534 Credit' }, { kind: 'rejected', because: 'integration' }],
    [
      'a blocked number is refused for good',
      { body: '519 Blacklisted' },
      { kind: 'rejected', reason: '519 Blacklisted' },
    ],
    ['a delay is tried again', { body: '536 Temporarily delayed' }, { kind: 'retry' }],
    ['an internal error leaves it open', { body: '500 Internal error' }, { kind: 'unknown' }],
    ['an empty answer leaves it open', { body: '' }, { kind: 'unknown' }],
  ],
  check: {
    url: 'https://my.smscentral.com.au/api/v3.2',
    good: { body: '<account><balance>100</balance></account>' },
    bad: { body: '511 Invalid username or password' },
  },
})

providerRequest(smsCentral, {
  credentials: { user: 'ada', password: 'pw', baseUrl: 'https://sms.example.com/api' },
  request: { url: 'https://sms.example.com/api' },
  accepted: { reply: { body: '0' }, id: samples.sms.id },
})
