import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import infobip from './infobip-sms.ts'

const status = (groupName: string, name: string) => ({
  json: { messages: [{ messageId: '2250', status: { groupName, name, description: 'words' }, destination: '1500' }] },
})

providerTable(infobip, {
  credentials: { apiKey: 'key1', baseUrl: 'abc123.api.infobip.com' },
  message: { overrides: { options: { schedule: { bulkId: 'b' } } } },
  request: {
    url: 'https://abc123.api.infobip.com/sms/3/messages',
    headers: { authorization: 'App key1' },
    json: {
      messages: [
        {
          sender: '15005550001',
          destinations: [{ to: '15005550006' }],
          content: { text: 'Hello Ada' },
          webhooks: { callbackData: samples.sms.id },
        },
      ],
      options: { schedule: { bulkId: 'b' } },
    },
  },
  accepted: { reply: status('PENDING', 'PENDING_ACCEPTED'), id: '2250' },
  badRecipient: { reply: status('REJECTED', 'REJECTED_PREFIX_MISSING'), because: 'gone' },
  replies: [
    [
      'what was taken for one recipient of two is not sent again',
      {
        json: {
          messages: [
            { status: { groupName: 'REJECTED', name: 'REJECTED_FLOODING_FILTER', description: 'too many' } },
            { messageId: 'def', status: { groupName: 'PENDING', name: 'PENDING_ACCEPTED' } },
          ],
        },
      },
      { kind: 'sent', id: 'def', note: '1 of 2 recipients refused: REJECTED_FLOODING_FILTER: too many' },
    ],
    [
      'an empty account refuses under 200',
      status('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['too many to one number may go later', status('REJECTED', 'REJECTED_FLOODING_FILTER'), { kind: 'retry' }],
    [
      'any other refusal is one',
      status('REJECTED', 'REJECTED_NETWORK'),
      { kind: 'rejected', reason: 'REJECTED_NETWORK: words' },
    ],
    ['accepted is acceptance', status('ACCEPTED', 'MESSAGE_ACCEPTED'), { kind: 'sent', id: '2250' }],
    [
      'a source it refuses is the integration’s fault',
      status('REJECTED', 'REJECTED_SOURCE'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['a sender as well', status('REJECTED', 'REJECTED_SENDER'), { kind: 'rejected', because: 'integration' }],
    [
      'and an account on trial that may not write to this number',
      status('REJECTED', 'REJECTED_DESTINATION_NOT_REGISTERED'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'what its fraud filter blocked is refused, whatever the group',
      status('EXPIRED', 'SIGNALS_BLOCKED'),
      { kind: 'rejected', reason: 'SIGNALS_BLOCKED: words' },
    ],
    ['a status it does not document leaves it open', status('ODD', 'ODD'), { kind: 'unknown' }],
    [
      'a bad field is refused',
      { status: 400, json: { errorCode: 'E400', description: 'Request cannot be processed.' } },
      { kind: 'rejected', reason: '400 Request cannot be processed.' },
    ],
  ],
  check: {
    url: 'https://abc123.api.infobip.com/sms/3/reports?messageId=tidings-connection-check&limit=1',
    good: { json: { results: [] } },
    bad: {
      status: 401,
      json: { errorCode: 'E401', description: 'The request lacks valid authentication credentials' },
    },
  },
})

test('a key that may not send is refused by the check too', async () => {
  const { check } = tryProvider(infobip, {
    credentials: { apiKey: 'key1', baseUrl: 'abc123.api.infobip.com' },
    http: () => ({
      status: 403,
      json: { errorCode: 'E403', description: 'Access to the specified resource is forbidden' },
    }),
  })
  expect(await check()).toEqual({ kind: 'refused', reason: '403 Access to the specified resource is forbidden' })
})

describe('the base URL', () => {
  const once = (baseUrl: string) => trySend(infobip, { credentials: { apiKey: 'key1', baseUrl } })

  test.each(['https://abc123.api.infobip.com', 'https://ABC123.api.infobip.com/', ' abc123.api.infobip.com '])(
    'may be written %j',
    async (baseUrl) => {
      const { requests } = await once(baseUrl)
      expect(requests[0]?.url).toBe('https://abc123.api.infobip.com/sms/3/messages')
    },
  )

  test.each([
    'http://abc123.api.infobip.com',
    'evil.example/.infobip.com',
    'user@x.infobip.com',
    'infobip.com.evil.example',
    'x.infobip.com:8080',
  ])('may not be %j', async (baseUrl) => {
    const { outcome, requests } = await once(baseUrl)
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(requests).toEqual([])
  })
})
