import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import pushpad from './pushpad.ts'

providerTable(pushpad, {
  credentials: { apiKey: 'pp-token', applicationId: '763' },
  message: { token: 'user-1', overrides: { target_url: 'https://example.com/42', uids: ['another'] } },
  request: {
    url: 'https://pushpad.xyz/api/v1/projects/763/notifications',
    headers: { authorization: 'Bearer pp-token', accept: 'application/json' },
    json: {
      body: 'Hello Ada',
      title: 'Hello',
      custom_data: `{"orderId":"42","tidings_message_id":"${samples.push.id}"}`,
      target_url: 'https://example.com/42',
      uids: ['user-1'],
    },
  },
  accepted: { reply: { status: 201, json: { id: 197123, scheduled: 1, uids: ['user-1'] } }, id: '197123' },
  badRecipient: {
    reply: { status: 201, json: { id: 197124, scheduled: 0, uids: [] } },
    reason: 'no browser is subscribed for this uid',
  },
  common: { garbage: 'unknown' },
  replies: [
    [
      'an unpaid invoice is the integration',
      { status: 402, json: { error: 'Payment required' } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a project that is not there is the integration’s fault',
      { status: 404, json: { error: 'Not found' } },
      { kind: 'rejected', because: 'integration' },
    ],
    ['a bad field is refused for good', { status: 422, json: { title: ['is too long'] } }, { kind: 'rejected' }],
  ],
  check: { url: 'https://pushpad.xyz/api/v1/projects/763', good: { json: { id: 763, name: 'My Project' } } },
})

test('a project cannot lead to another path, and without a title the name of the project is shown', async () => {
  const { requests } = await trySend(pushpad, {
    credentials: { apiKey: 'k', applicationId: '../1' },
    message: { title: '' },
    http: () => reply(201, { id: 1 }),
  })
  expect(requests[0]?.url).toBe('https://pushpad.xyz/api/v1/projects/..%2F1/notifications')
  expect(requests[0]?.json).toMatchObject({ body: 'Hello Ada', title: undefined })
})
