import { providerTable } from '../../../test/providers/provider-table.ts'
import burstSms from './burst-sms.ts'

providerTable(burstSms, {
  credentials: { apiKey: 'key', secretKey: 'secret' },
  message: { overrides: { validity: 60 } },
  request: {
    url: 'https://api.transmitsms.com/send-sms.json',
    headers: { authorization: `Basic ${btoa('key:secret')}` },
    form: { to: '15005550006', from: '15005550001', message: 'Hello Ada', validity: '60' },
  },
  accepted: {
    reply: { json: { message_id: 339683245, recipients: 1, error: { code: 'SUCCESS', description: 'OK' } } },
    id: '339683245',
  },
  badRecipient: {
    reply: { status: 400, json: { error: { code: 'RECIPIENTS_ERROR', description: 'No valid recipients left' } } },
    reason: '400 No valid recipients left',
  },
  replies: [
    [
      'an error inside a 200 is an error',
      { json: { error: { code: 'FIELD_INVALID', description: 'Field is invalid' } } },
      { kind: 'rejected', reason: '200 Field is invalid' },
    ],
    [
      'no credit is the integration’s fault',
      { status: 400, json: { error: { code: 'LEDGER_ERROR', description: 'Insufficient funds' } } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a sender that is not the account’s is the integration’s fault',
      { status: 400, json: { error: { code: 'BAD_CALLER_ID', description: 'Bad caller ID' } } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a limit inside a 200 asks to wait',
      { json: { error: { code: 'OVER_LIMIT', description: 'Too many requests' } } },
      { kind: 'retry', reason: '200 Too many requests', paces: true },
    ],
    ['acceptance without an id leaves it open', { json: { error: { code: 'SUCCESS' } } }, { kind: 'unknown' }],
  ],
  check: { url: 'https://api.transmitsms.com/get-balance.json', good: { json: { balance: 12.5, currency: 'AUD' } } },
})
