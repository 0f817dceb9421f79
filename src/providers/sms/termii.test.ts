import { expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import termii from './termii.ts'

providerTable(termii, {
  credentials: { apiKey: 'TL1' },
  message: { from: 'talert', overrides: { channel: 'dnd', api_key: 'another' } },
  request: {
    url: 'https://api.ng.termii.com/api/sms/send',
    json: { to: '15005550006', from: 'talert', sms: 'Hello Ada', type: 'plain', channel: 'dnd', api_key: 'TL1' },
  },
  accepted: {
    reply: { json: { code: 'ok', message_id: '9122821270554876574', message: 'Successfully Sent', balance: 9 } },
    id: '9122821270554876574',
  },
  badRecipient: 'not documented',
  replies: [
    [
      'a sender it does not know is refused',
      { status: 404, json: { message: 'ApplicationSenderId not found' } },
      { kind: 'rejected', reason: '404 ApplicationSenderId not found' },
    ],
    [
      'no balance is the integration’s fault',
      { status: 400, json: { message: 'Insufficient balance' } },
      { kind: 'rejected', because: 'integration' },
    ],
    ['a reply without its id is unknown', { json: { message: 'Successfully Sent' } }, { kind: 'unknown' }],
  ],
  check: { url: 'https://api.ng.termii.com/api/get-balance?api_key=TL1', good: { json: { balance: 10 } } },
})

test.each(['https://v3.api.termii.com', 'https://v3.api.termii.com/'])(
  'the account’s own base URL may be %s',
  async (baseUrl) => {
    const { requests } = await trySend(termii, { credentials: { apiKey: 'TL1', baseUrl } })
    expect(requests[0]?.url).toBe('https://v3.api.termii.com/api/sms/send')
  },
)
