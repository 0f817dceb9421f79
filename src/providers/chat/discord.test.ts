import { expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import discord from './discord.ts'

providerTable(discord, {
  credentials: {},
  ofTarget: true,
  message: {
    webhookUrl: 'https://discord.com/api/webhooks/1234567890/toktoktok?thread_id=7',
    overrides: { username: 'Tidings' },
  },
  request: {
    url: 'https://discord.com/api/webhooks/1234567890/toktoktok?thread_id=7&wait=true',
    json: { content: 'Hello Ada', username: 'Tidings' },
  },
  accepted: { reply: { json: { id: '1099', type: 0, content: 'Hello Ada', webhook_id: '1234567890' } }, id: '1099' },
  badRecipient: {
    reply: { status: 404, json: { message: 'Unknown Webhook', code: 10015 } },
    reason: '404 Unknown Webhook',
    because: 'gone',
  },
  common: { garbage: 'unknown' },
  replies: [
    [
      'a token that is wrong is gone, not the fault of the integration',
      { status: 401, json: { message: 'Invalid Webhook Token', code: 50027 } },
      { kind: 'rejected', because: 'gone' },
    ],
    [
      'a text that is too long is refused for good',
      { status: 400, json: { message: 'Invalid Form Body', code: 50035, errors: {} } },
      { kind: 'rejected', reason: '400 Invalid Form Body' },
    ],
    [
      'a rate limit of one webhook says when to come again, and holds up no other',
      {
        status: 429,
        headers: { 'retry-after': '65' },
        json: { message: 'You are being rate limited.', retry_after: 64.57, global: false },
      },
      { kind: 'retry', afterMs: 65_000, paces: 'target' },
    ],
    [
      'the global rate limit is one of our address: it holds up everybody',
      {
        status: 429,
        headers: { 'retry-after': '65', 'x-ratelimit-global': 'true' },
        json: { message: 'You are being rate limited.', retry_after: 64.57, global: true },
      },
      { kind: 'retry', afterMs: 65_000, paces: true },
    ],
    [
      'a limit that is not told in the words of Discord comes from before it, and holds up everybody',
      { status: 429, body: 'error code: 1015' },
      { kind: 'retry', paces: true },
    ],
  ],
})

test('an address that is no URL is left to the guard', async () => {
  const { requests } = await trySend(discord, { message: { webhookUrl: 'nonsense' }, http: () => reply(200, {}) })
  expect(requests[0]?.url).toBe('nonsense')
})
