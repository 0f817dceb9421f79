import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import mattermost from './mattermost.ts'

/** What a server of today says of whatever went wrong: the status is that of the error inside, its words are lost. */
const wrapped = (status_code: number) => ({
  id: 'web.incoming_webhook.general.app_error',
  message: 'Failed to handle the payload of media type application/json for incoming webhook T0.',
  detailed_error: '',
  request_id: 'r1',
  status_code,
})
const wrappedReason = (status: number) => `${status} ${wrapped(status).message}`

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
  badRecipient: { reply: { status: 400, json: wrapped(400) }, reason: wrappedReason(400) },
  replies: [
    [
      'a server that takes no webhooks at all says so by the status alone',
      { status: 501, json: wrapped(501) },
      { kind: 'rejected', reason: wrappedReason(501) },
    ],
    ['a channel that is missing was not posted to', { status: 404, json: wrapped(404) }, { kind: 'rejected' }],
    ['a fault of the server may have come after the post', { status: 500, json: wrapped(500) }, { kind: 'unknown' }],
    [
      'an older server without incoming webhooks did not post it',
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

/** Its source says the same when only its database did not answer. */
test.each([
  ['today', wrapped(400)],
  ['once', { id: 'web.incoming_webhook.invalid.app_error', message: 'Invalid webhook.' }],
])('a webhook that is not found (%s) is refused, and not taken for gone', async (_name, json) => {
  const { outcome } = await trySend(mattermost, { http: () => reply(400, json) })
  expect(outcome).toEqual({ kind: 'rejected', reason: `400 ${json.message}` })
})

test('without a channel of the subscriber the one of the hook is used', async () => {
  const { requests } = await trySend(mattermost, { message: { channel: '' }, http: () => reply(200) })
  expect(JSON.parse(JSON.stringify(requests[0]?.json))).not.toHaveProperty('channel')
})
