import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import mattermost from './mattermost.ts'

providerTable(mattermost, {
  credentials: {},
  ofTarget: true,
  message: { overrides: { icon_emoji: 'tada' } },
  request: {
    url: samples.chat.webhookUrl,
    json: {
      text: 'Hello Ada',
      channel: 'general',
      props: { tidings_message_id: samples.chat.id },
      icon_emoji: 'tada',
    },
  },
  accepted: { reply: { body: 'ok' } },
  badRecipient: {
    reply: { status: 400, json: { id: 'web.incoming_webhook.invalid.app_error', message: 'Invalid webhook.' } },
    reason: '400 Invalid webhook.',
    because: 'gone',
  },
  replies: [
    [
      'a server without incoming webhooks did not post it',
      { status: 501, json: { id: 'web.incoming_webhook.disabled.app_error', message: 'Disabled by the admin.' } },
      { kind: 'rejected' },
    ],
    [
      'an empty text is refused for good',
      { status: 400, json: { id: 'web.incoming_webhook.text.app_error', message: 'No text specified' } },
      { kind: 'rejected', reason: '400 No text specified' },
    ],
  ],
})

test('without a channel of the subscriber the one of the hook is used', async () => {
  const { requests } = await trySend(mattermost, { message: { channel: '' }, http: () => reply(200) })
  expect(JSON.parse(JSON.stringify(requests[0]?.json))).not.toHaveProperty('channel')
})
