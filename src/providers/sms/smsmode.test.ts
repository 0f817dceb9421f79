import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import smsmode from './smsmode.ts'

providerTable(smsmode, {
  credentials: { apiKey: 'key' },
  message: { from: 'Acme', overrides: { callbackUrlStatus: 'https://example.com/dlr' } },
  request: {
    url: 'https://rest.smsmode.com/sms/v1/messages',
    headers: { 'x-api-key': 'key' },
    json: {
      recipient: { to: '15005550006' },
      from: 'Acme',
      body: { text: 'Hello Ada' },
      refClient: samples.sms.id,
      callbackUrlStatus: 'https://example.com/dlr',
    },
  },
  accepted: { reply: { status: 201, json: { messageId: '5f1c', status: { value: 'ENROUTE' } } }, id: '5f1c' },
  badRecipient: {
    reply: { status: 400, json: { title: 'Bad Request', message: 'Invalid recipient', errorCode: 'X' } },
    reason: '400 Invalid recipient',
  },
  replies: [['acceptance without an id leaves it open', { status: 201, json: {} }, { kind: 'unknown' }]],
  check: { url: 'https://rest.smsmode.com/sms/v1/messages?pageSize=1', good: { json: { items: [] } } },
})

providerRequest(smsmode, {
  credentials: { apiKey: 'key' },
  message: { from: 'Acme', content: 'Cześć' },
  request: {
    url: 'https://rest.smsmode.com/sms/v1/messages',
    json: {
      recipient: { to: '15005550006' },
      from: 'Acme',
      body: { text: 'Cześć', encoding: 'UNICODE' },
      refClient: samples.sms.id,
    },
  },
  accepted: { reply: { status: 201, json: { messageId: '5f1c' } }, id: '5f1c' },
})

test.each([404, 405])('a check answered with %i says nothing about the key', async (status) => {
  const { check } = tryProvider(smsmode, { credentials: { apiKey: 'key' }, http: () => ({ status, json: {} }) })
  expect(await check()).toEqual({ kind: 'unreachable', reason: expect.stringContaining(String(status)) })
})
