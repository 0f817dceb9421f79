import { providerTable } from '../../../test/providers/provider-table.ts'
import maqsam from './maqsam.ts'

providerTable(maqsam, {
  credentials: { apiKey: 'key', secretKey: 'secret' },
  message: { from: 'Acme', overrides: { note: 'x' } },
  request: {
    url: 'https://api.maqsam.com/v2/sms',
    headers: { authorization: `Basic ${btoa('key:secret')}` },
    json: { to: '+15005550006', message: 'Hello Ada', sender: 'Acme', note: 'x' },
  },
  accepted: { reply: { json: { message: { identifier: '7f2a', timestamp: 1767323045 } } }, id: '7f2a' },
  badRecipient: 'not documented',
  replies: [['acceptance without an id leaves it open', { json: { message: {} } }, { kind: 'unknown' }]],
})
