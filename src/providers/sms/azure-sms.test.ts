import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import { uuidOf } from '../shared/uuid-of.ts'
import azure from './azure-sms.ts'

const accessKey = 'endpoint=https://contoso.communication.azure.com/;accesskey=c2VjcmV0LWtleQ=='

const recipient = (item: object) => ({
  status: 202,
  json: { value: [{ to: '+15005550006', successful: false, ...item }] },
})

providerTable(azure, {
  credentials: { accessKey },
  request: {
    url: 'https://contoso.communication.azure.com/sms?api-version=2021-03-07',
    headers: {
      'content-type': 'application/json',
      'x-ms-date': 'Fri, 02 Jan 2026 03:04:05 GMT',
      'x-ms-content-sha256': '7gCignfQOCRUIRk2qvmnd3nOzNUhijgbYoL54IGCD0o=',
      // Computed apart from this code, with Python's hmac.
      authorization:
        'HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=oRkL8lWRDzJfs08+7X5IqqVlfKDkCtfeFzut+n1e7Tw=',
    },
    json: {
      from: '+15005550001',
      smsRecipients: [
        {
          to: '+15005550006',
          repeatabilityRequestId: uuidOf(samples.sms.key),
          repeatabilityFirstSent: 'Fri, 02 Jan 2026 03:04:05 GMT',
        },
      ],
      message: 'Hello Ada',
      smsSendOptions: { enableDeliveryReport: true, tag: samples.sms.id },
    },
  },
  accepted: {
    reply: recipient({
      messageId: 'Outgoing_1',
      httpStatusCode: 202,
      repeatabilityResult: 'accepted',
      successful: true,
    }),
    id: 'Outgoing_1',
  },
  key: uuidOf(samples.sms.key),
  badRecipient: {
    reply: recipient({ httpStatusCode: 400, errorMessage: 'Invalid To phone number format.' }),
    reason: '400 Invalid To phone number format.',
  },
  replies: [
    [
      'what was taken for one recipient of two is not sent again',
      {
        status: 202,
        json: { value: [{ httpStatusCode: 503 }, { httpStatusCode: 202, successful: true, messageId: 'def' }] },
      },
      { kind: 'sent', id: 'def', note: expect.stringContaining('1 of 2 recipients refused') },
    ],
    ['a throttle inside the 202 asks to wait', recipient({ httpStatusCode: 429 }), { kind: 'retry', paces: true }],
    ['an error inside the 202 leaves it open', recipient({ httpStatusCode: 500 }), { kind: 'unknown' }],
    [
      'a key refused at the first try is the integration’s fault: there was no earlier one',
      recipient({ httpStatusCode: 400, repeatabilityResult: 'rejected', errorMessage: 'first sent differs' }),
      { kind: 'rejected', reason: '400 first sent differs', because: 'integration' },
    ],
    ['a reply without its recipient is unknown', { status: 202, json: { value: [] } }, { kind: 'unknown' }],
    [
      'a bad key is the integration’s fault',
      { status: 401, json: { error: { code: 'Denied', message: 'Denied by the resource provider.' } } },
      { kind: 'rejected', because: 'integration', reason: '401 Denied by the resource provider.' },
    ],
  ],
})

describe('repetitions', () => {
  const at = (now: string, overrides = {}) =>
    trySend(azure, { credentials: { accessKey }, message: { overrides }, now: new Date(now) })
  const firstSent = async (now: string) => {
    const { requests } = await at(now)
    return JSON.parse(String(requests[0]?.body)).smsRecipients[0].repeatabilityFirstSent
  }

  test('say the same time of the first try, and never one that is too old', async () => {
    expect(await firstSent('2026-01-02T03:04:06Z')).toBe('Fri, 02 Jan 2026 03:04:05 GMT')
    expect(await firstSent('2026-01-02T03:09:04Z')).toBe('Fri, 02 Jan 2026 03:04:05 GMT')
    expect(await firstSent('2026-01-02T03:09:05Z')).toBe('Fri, 02 Jan 2026 03:09:05 GMT')
  })

  test.each(['rejected', 'Rejected'])('that are %s tell of an earlier try', async (repeatabilityResult) => {
    const { outcome } = await trySend(azure, {
      credentials: { accessKey },
      now: new Date('2026-01-02T03:04:06Z'),
      http: () => recipient({ httpStatusCode: 400, repeatabilityResult, errorMessage: 'first sent differs' }),
    })
    expect(outcome).toEqual({ kind: 'unknown', reason: '400 first sent differs' })
  })

  test('and overrides add to the request', async () => {
    const { requests } = await at('2026-01-02T03:04:05Z', { message: 'Other' })
    expect(JSON.parse(String(requests[0]?.body))).toMatchObject({ message: 'Other', from: '+15005550001' })
  })
})

test.each([
  'c2VjcmV0LWtleQ==',
  'endpoint=https://evil.example/;accesskey=c2VjcmV0',
  'endpoint=https://evil.example/.communication.azure.com/;accesskey=c2VjcmV0',
  'endpoint=http://contoso.communication.azure.com/;accesskey=c2VjcmV0',
  'endpoint=https://contoso.communication.azure.com/',
])('the connection string may not be %j', async (text) => {
  const { outcome, requests } = await trySend(azure, { credentials: { accessKey: text } })
  expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
  expect(JSON.stringify(outcome)).not.toContain('c2VjcmV0')
  expect(requests).toEqual([])
})
