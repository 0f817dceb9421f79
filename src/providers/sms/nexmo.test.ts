import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import nexmo from './nexmo.ts'

const status = (value: string, words: string) => ({
  json: { 'message-count': '1', messages: [{ status: value, 'error-text': words }] },
})

providerTable(nexmo, {
  credentials: { apiKey: 'abcd1234', secretKey: 'hush' },
  message: { overrides: { ttl: 900_000, api_secret: 'another' } },
  request: {
    url: 'https://rest.nexmo.com/sms/json',
    form: {
      to: '15005550006',
      from: '15005550001',
      text: 'Hello Ada',
      type: 'text',
      'client-ref': samples.sms.id,
      ttl: '900000',
      api_key: 'abcd1234',
      api_secret: 'hush',
    },
  },
  accepted: {
    reply: { json: { 'message-count': '1', messages: [{ to: '15005550006', 'message-id': '0A0', status: '0' }] } },
    id: '0A0',
  },
  badRecipient: { reply: status('3', 'Invalid to'), reason: 'status 3: Invalid to' },
  replies: [
    [
      'a throttle under 200 asks everybody to wait',
      status('1', 'Throughput Rate Exceeded'),
      { kind: 'retry', paces: true },
    ],
    [
      'a bad secret is the integration’s fault',
      status('4', 'Bad Credentials'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['an internal error leaves it open', status('5', 'Internal Error'), { kind: 'unknown' }],
    [
      'no credit is the integration’s fault',
      status('9', 'Quota Exceeded'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['a de-activated number is gone', status('33', 'Number De-activated'), { kind: 'rejected', because: 'gone' }],
    [
      'half a long text is neither sent nor refused',
      {
        json: {
          messages: [
            { status: '0', 'message-id': '0A0' },
            { status: '1', 'error-text': 'Throughput' },
          ],
        },
      },
      { kind: 'unknown', reason: 'only a part was accepted; status 1: Throughput' },
    ],
    ['an empty list is no answer', { json: { messages: [] } }, { kind: 'unknown' }],
  ],
  check: { url: 'https://rest.nexmo.com/account/get-balance', good: { json: { value: 10.28 } } },
})

test('says that a text is Unicode when it does not fit the SMS alphabet', async () => {
  const { requests } = await trySend(nexmo, {
    credentials: { apiKey: 'abcd1234', secretKey: 'hush' },
    message: { content: 'Привет' },
  })
  expect(requests[0]?.form).toMatchObject({ type: 'unicode' })
})
