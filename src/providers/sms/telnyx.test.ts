import { expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import telnyx from './telnyx.ts'

const refusal = (status: number, code: string, detail: string) => ({
  status,
  json: { errors: [{ code, title: 'Refused', detail }] },
})

providerTable(telnyx, {
  credentials: { apiKey: 'KEY1', messageProfileId: 'abc85f64' },
  message: { overrides: { use_profile_webhooks: true } },
  request: {
    url: 'https://api.telnyx.com/v2/messages',
    headers: { authorization: 'Bearer KEY1' },
    json: {
      from: '+15005550001',
      to: '+15005550006',
      text: 'Hello Ada',
      messaging_profile_id: 'abc85f64',
      use_profile_webhooks: true,
    },
  },
  accepted: { reply: { json: { data: { record_type: 'message', id: '40385f64' } } }, id: '40385f64' },
  badRecipient: {
    reply: refusal(400, '40310', "The 'to' address should be a single valid number."),
    because: 'gone',
    reason: "400 The 'to' address should be a single valid number.",
  },
  replies: [
    ['who sent STOP is refused', refusal(400, '40300', 'Blocked due to STOP message'), { kind: 'rejected' }],
    [
      'a limit of the day is the integration’s fault: it lasts until midnight',
      refusal(429, '40333', 'The daily spend limit has been reached'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'no funds is the integration’s fault',
      refusal(402, '20100', 'no funds'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['a bad field is refused', refusal(422, '10015', 'not well-formed'), { kind: 'rejected' }],
    ['a reply without its id is unknown', { json: { data: {} } }, { kind: 'unknown' }],
  ],
  check: { url: 'https://api.telnyx.com/v2/balance', good: { json: { data: { balance: '300.00' } } } },
})

test.each([400, 403, 422])('who sent STOP is refused for this number only, also with %i', async (status) => {
  const { outcome } = await trySend(telnyx, {
    credentials: { apiKey: 'KEY1' },
    http: () => refusal(status, '40300', 'Blocked due to STOP message'),
  })
  expect(outcome).toEqual({ kind: 'rejected', reason: `${status} Blocked due to STOP message` })
})
