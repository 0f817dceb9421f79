import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import sendchamp from './sendchamp.ts'

providerTable(sendchamp, {
  credentials: { apiKey: 'sendchamp_live_1' },
  message: { from: 'Acme', overrides: { custom: 'x' } },
  request: {
    url: 'https://api.sendchamp.com/api/v1/sms/send',
    headers: { authorization: 'Bearer sendchamp_live_1' },
    json: { to: ['15005550006'], message: 'Hello Ada', sender_name: 'Acme', route: 'international', custom: 'x' },
  },
  accepted: {
    reply: { json: { code: 200, status: 'success', data: { id: 'msg-1', business_id: 'biz-1' } } },
    id: 'msg-1',
  },
  badRecipient: 'not documented',
  replies: [
    [
      'a reference will do for an id',
      { json: { status: 'success', data: { reference: 'MN-1', business_id: 'biz-1' } } },
      { kind: 'sent', id: 'MN-1' },
    ],
    [
      'an error inside a 200 is an error',
      { json: { code: 400, status: 'failed', message: 'Invalid sender name' } },
      { kind: 'rejected', reason: '200 Invalid sender name' },
    ],
    [
      'an empty wallet is the integration’s fault',
      { status: 400, json: { code: 400, status: 'failed', message: 'Insufficient wallet balance' } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'an empty wallet inside a 200 as well',
      { json: { code: 400, status: 'failed', message: 'Insufficient wallet balance' } },
      { kind: 'rejected', because: 'integration' },
    ],
    ['the account’s id is no id', { json: { status: 'success', data: { business_id: 'biz-1' } } }, { kind: 'unknown' }],
  ],
  check: {
    url: 'https://api.sendchamp.com/api/v1/wallet-balance',
    good: { json: { code: 200, status: 'success', data: { wallet_balance: '10' } } },
    bad: { json: { code: 401, status: 'error', message: 'Unauthorized' } },
  },
})

providerRequest(sendchamp, {
  credentials: { apiKey: 'sendchamp_live_1' },
  message: { to: '+2348120000000', from: 'Acme' },
  request: {
    url: 'https://api.sendchamp.com/api/v1/sms/send',
    json: { to: ['2348120000000'], message: 'Hello Ada', sender_name: 'Acme', route: 'non_dnd' },
  },
  accepted: { reply: { json: { status: 'success', data: { id: 'msg-1' } } }, id: 'msg-1' },
})
