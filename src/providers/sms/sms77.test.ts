import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import sms77 from './sms77.ts'

const result = (success: string, message: object = {}) => ({
  json: {
    success,
    total_price: 0,
    messages: [{ id: null, success: false, error: null, error_text: null, ...message }],
  },
})

providerTable(sms77, {
  credentials: { apiKey: 'key1' },
  message: { overrides: { flash: 1 } },
  request: {
    url: 'https://gateway.seven.io/api/sms',
    headers: { 'x-api-key': 'key1', accept: 'application/json' },
    form: {
      to: '+15005550006',
      text: 'Hello Ada',
      from: '+15005550001',
      foreign_id: samples.sms.id,
      flash: '1',
    },
  },
  accepted: { reply: result('100', { id: '77229318510', success: true }), id: '77229318510' },
  badRecipient: {
    reply: result('100', { error: '202', error_text: 'Recipient number is invalid' }),
    because: 'gone',
    reason: 'code 202: Recipient number is invalid',
  },
  replies: [
    [
      'a wrong key is the integration’s fault, as a bare number too',
      { json: 900 },
      { kind: 'rejected', because: 'integration' },
    ],
    ['no credit is the integration’s fault', result('500'), { kind: 'rejected', because: 'integration' }],
    ['a bad sender is refused', result('306'), { kind: 'rejected', reason: 'code 306' }],
    ['the reload lock may mean our own earlier try', result('402'), { kind: 'unknown' }],
    ['an error while sending leaves it open', result('600'), { kind: 'unknown' }],
    ['a code it does not document leaves it open', result('777'), { kind: 'unknown' }],
  ],
  common: { garbage: 'unknown' },
  check: { url: 'https://gateway.seven.io/api/balance', good: { json: { amount: 1.5 } }, bad: { json: 900 } },
})
