import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import getstream from './getstream.ts'

const credentials = { apiKey: 'stream-key', baseUrl: 'https://hooks.example.com/any' }

providerTable(getstream, {
  ofTarget: true,
  credentials,
  message: { overrides: { type: 'system' } },
  request: {
    url: samples.chat.webhookUrl,
    headers: { 'x-api-key': 'stream-key' },
    json: { text: 'Hello Ada', tidings_message_id: samples.chat.id, type: 'system' },
  },
  accepted: { reply: { status: 200, json: {} } },
  badRecipient: { reply: { status: 404, json: { message: 'nothing at /T0/B0/secret' } }, reason: '404 nothing at …' },
})

test.each([
  ['https://hooks.example.com/other', credentials.baseUrl, 1],
  ['https://hooks.example.com.evil.example.org/', credentials.baseUrl, 0],
  ['https://hooks.example.com:8443/', credentials.baseUrl, 0],
  ['http://hooks.example.com/', credentials.baseUrl, 0],
  ['https://chat.stream-io-api.com/hooks/1', credentials.baseUrl, 0],
  ['https://chat.stream-io-api.com/hooks/1', undefined, 1],
  ['https://chat-us-east-1.getstream.io/x', '', 1],
  ['http://chat.stream-io-api.com/hooks/1', undefined, 0],
  ['https://evilgetstream.io/', undefined, 0],
  ['https://hooks.example.com/', undefined, 0],
])('%s with the base %s: %i calls with the key', async (webhookUrl, baseUrl, calls) => {
  const tried = await trySend(getstream, { credentials: { ...credentials, baseUrl }, message: { webhookUrl } })
  expect(tried.requests).toHaveLength(calls)
  expect(tried.outcome).toMatchObject({ kind: calls ? 'sent' : 'rejected' })
})
