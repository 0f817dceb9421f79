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
      'a sender it does not know is the integration’s fault',
      { status: 404, json: { message: 'ApplicationSenderId not found' } },
      { kind: 'rejected', reason: '404 ApplicationSenderId not found', because: 'integration' },
    ],
    [
      'a sender that is none as well',
      { status: 400, json: { message: 'Invalid Sender Id : Acme' } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'and an account that is not active',
      { status: 400, json: { message: 'Your account is not active. Please contact your administrator' } },
      { kind: 'rejected', because: 'integration' },
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

test.each([
  [undefined, 'generic'],
  ['dnd', 'dnd'],
])('the route of the integration may be %j', async (channelId, channel) => {
  const { requests } = await trySend(termii, { credentials: { apiKey: 'TL1', channelId } })
  expect(requests[0]?.json).toMatchObject({ channel })
})

test.each(['https://v3.api.termii.com', 'https://v3.api.termii.com/'])(
  'the account’s own base URL may be %s',
  async (baseUrl) => {
    const { requests } = await trySend(termii, { credentials: { apiKey: 'TL1', baseUrl } })
    expect(requests[0]?.url).toBe('https://v3.api.termii.com/api/sms/send')
  },
)

test('any other refusal is of this message', async () => {
  const { outcome } = await trySend(termii, {
    credentials: { apiKey: 'TL1' },
    http: () => ({ status: 400, json: { message: 'Invalid number' } }),
  })
  expect(outcome).toEqual({ kind: 'rejected', reason: '400 Invalid number' })
})
