import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import clicksend from './clicksend.ts'

const answer = (status: string) => ({ json: { http_code: 200, data: { messages: [{ message_id: 'A1', status }] } } })

providerTable(clicksend, {
  credentials: { user: 'ada', apiKey: 'key' },
  message: { overrides: { country: 'US' } },
  request: {
    url: 'https://rest.clicksend.com/v3/sms/send',
    headers: { authorization: `Basic ${btoa('ada:key')}` },
    json: {
      messages: [
        {
          source: 'tidings',
          from: '+15005550001',
          to: '+15005550006',
          body: 'Hello Ada',
          custom_string: samples.sms.id,
          country: 'US',
        },
      ],
    },
  },
  accepted: { reply: answer('SUCCESS'), id: 'A1' },
  badRecipient: { reply: answer('INVALID_RECIPIENT'), reason: '200 INVALID_RECIPIENT' },
  replies: [
    ['a country switched off is refused for good', answer('COUNTRY_NOT_ENABLED'), { kind: 'rejected' }],
    [
      'no credit is the integration’s fault',
      answer('INSUFFICIENT_CREDIT'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['the same text a moment ago is tried again', answer('THROTTLED'), { kind: 'retry' }],
    [
      'what it blocked is refused, whatever it calls that',
      { json: { data: { blocked_count: 1, messages: [{ message_id: 'A1', status: 'NUMBER_REGISTRATION' }] } } },
      { kind: 'rejected', reason: '200 NUMBER_REGISTRATION' },
    ],
    [
      'also without a message',
      { json: { data: { blocked_count: 1, messages: [] } } },
      { kind: 'rejected', reason: '200 blocked' },
    ],
    [
      'what it took is taken',
      { json: { data: { blocked_count: 1, messages: [{ message_id: 'A1', status: 'SUCCESS' }] } } },
      { kind: 'sent', id: 'A1' },
    ],
    ['a status it does not name leaves it open', answer('SOMETHING_IS_WRONG'), { kind: 'unknown' }],
  ],
  check: { url: 'https://rest.clicksend.com/v3/account', good: { json: { data: {} } } },
})

test('the same text a moment ago may be our own earlier try', async () => {
  const { outcome } = await trySend(clicksend, {
    credentials: { user: 'ada', apiKey: 'key' },
    now: new Date(samples.sms.firstTriedAt.getTime() + 1000),
    http: () => answer('THROTTLED'),
  })
  expect(outcome).toEqual({ kind: 'unknown', reason: '200 THROTTLED' })
})
