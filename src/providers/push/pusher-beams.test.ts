import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import pusherBeams from './pusher-beams.ts'

const instanceId = '8f9a6e22-2483-49aa-8552-125f1a4c5781'
const notification = { title: 'Hello', body: 'Hello Ada' }
const data = { count: 3, tidings_message_id: samples.push.id }

providerTable(pusherBeams, {
  credentials: { instanceId, secretKey: 'beams-key' },
  message: { tokens: ['user-1', 'user-2'], data: { count: 3 }, overrides: { web: { time_to_live: 60 } } },
  request: {
    url: `https://${instanceId}.pushnotifications.pusher.com/publish_api/v1/instances/${instanceId}/publishes/users`,
    headers: { authorization: 'Bearer beams-key' },
    json: {
      users: ['user-1', 'user-2'],
      apns: { aps: { alert: notification }, data },
      fcm: { notification, data: { count: '3', tidings_message_id: samples.push.id } },
      web: { time_to_live: 60 },
    },
  },
  accepted: { reply: { json: { publishId: 'pubid-33f3f68e' } }, id: 'pubid-33f3f68e' },
  badRecipient: {
    reply: { status: 422, json: { error: 'Unprocessable', description: 'user id is too long' } },
    reason: '422 user id is too long',
  },
  common: { garbage: 'unknown' },
  replies: [
    [
      'an instance that is not there is the integration’s fault',
      { status: 404, json: { error: 'Not Found', description: 'Instance not found' } },
      { kind: 'rejected', reason: '404 Instance not found', because: 'integration' },
    ],
  ],
})

test('names that are Google’s own do not go to Google: it would refuse the whole message', async () => {
  const { requests } = await trySend(pusherBeams, {
    credentials: { instanceId, secretKey: 'k' },
    message: { data: { from: 'a', message_type: 'b', 'google.x': 'c', gcm: 'd', count: 3 } },
  })
  expect(requests[0]?.json).toMatchObject({
    fcm: { data: { count: '3', tidings_message_id: samples.push.id } },
    apns: { data: { from: 'a', count: 3 } },
  })
  const sent = requests[0]?.json as { fcm: { data: object } }
  expect(Object.keys(sent.fcm.data)).toEqual(['count', 'tidings_message_id'])
})

test.each(['evil.example/', 'a.b', '', 'x@y'])('the instance "%s" leads to no other host', async (bad) => {
  const { outcome, requests } = await trySend(pusherBeams, {
    credentials: { instanceId: bad, secretKey: 'k' },
    http: () => reply(200),
  })
  expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
  expect(requests).toEqual([])
})
