import { providerTable } from '../../../test/providers/provider-table.ts'
import fortySixElks from './forty-six-elks.ts'

providerTable(fortySixElks, {
  credentials: { user: 'u1', password: 'p1' },
  message: { overrides: { flashsms: 'yes' } },
  request: {
    url: 'https://api.46elks.com/a1/sms',
    headers: { authorization: `Basic ${btoa('u1:p1')}` },
    form: { from: '+15005550001', to: '+15005550006', message: 'Hello Ada', flashsms: 'yes' },
  },
  accepted: {
    reply: { json: { id: 's17a6dafb12d6b1cabc053d57dac2b9d8', status: 'created' } },
    id: 's17a6dafb12d6b1cabc053d57dac2b9d8',
  },
  badRecipient: { reply: { status: 403, body: 'Invalid to number' }, reason: '403 Invalid to number' },
  replies: [
    [
      'an empty account is the integration’s fault',
      { status: 403, body: 'Not enough credits' },
      { kind: 'rejected', because: 'integration', reason: '403 Not enough credits' },
    ],
    ['acceptance without an id leaves it open', { json: {} }, { kind: 'unknown' }],
  ],
  check: { url: 'https://api.46elks.com/a1/me', good: { json: { balance: 1000 } } },
})
