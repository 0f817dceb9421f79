import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import { uuidOf } from '../shared/uuid-of.ts'
import oneSignal from './one-signal.ts'

const credentials = { applicationId: 'app-1', apiKey: 'os_v2_app_key' }

providerTable(oneSignal, {
  credentials,
  message: { overrides: { ios_badgeType: 'Increase', idempotency_key: 'mine', app_id: 'other' } },
  request: {
    url: 'https://api.onesignal.com/notifications',
    headers: { authorization: 'Key os_v2_app_key' },
    json: {
      app_id: 'app-1',
      idempotency_key: uuidOf(`${samples.push.key} ${samples.push.token}`),
      include_subscription_ids: ['device-token-1'],
      headings: { en: 'Hello' },
      contents: { en: 'Hello Ada' },
      data: { orderId: '42', tidings_message_id: samples.push.id },
      ios_badgeType: 'Increase',
    },
  },
  accepted: { reply: { json: { id: '458dcec4', external_id: null } }, id: '458dcec4' },
  key: uuidOf(`${samples.push.key} ${samples.push.token}`),
  badRecipient: {
    reply: { json: { id: '', errors: { invalid_player_ids: ['device-token-1'] } } },
    reason: 'OneSignal says that this subscription is not subscribed',
  },
  common: { garbage: 'unknown' },
  replies: [
    [
      'a 200 that reached nobody is refused',
      { json: { id: '', errors: ['All included players are not subscribed'] } },
      { kind: 'rejected', reason: '200 All included players are not subscribed' },
    ],
    [
      'a bad field is refused for good',
      { status: 400, json: { errors: ['Message Notifications must have content'] } },
      { kind: 'rejected', reason: '400 Message Notifications must have content' },
    ],
  ],
  check: { url: 'https://api.onesignal.com/notifications?limit=1&app_id=app-1', good: { json: { notifications: [] } } },
})

describe('one-signal', () => {
  test('gives one outcome for each device, in the order of the tokens', async () => {
    const { outcome } = await trySend(oneSignal, {
      credentials,
      message: { tokens: ['a', 'b', 'c'] },
      http: () => reply(200, { id: 'n1', errors: { invalid_player_ids: ['b'] } }),
    })
    expect(outcome).toMatchObject([{ kind: 'sent', id: 'n1' }, { kind: 'rejected' }, { kind: 'sent', id: 'n1' }])
  })

  test('who is not subscribed now may be again, under the same id: the token stays', async () => {
    const { outcome } = await trySend(oneSignal, {
      credentials,
      http: () => reply(200, { id: '', errors: { invalid_player_ids: [samples.push.token] } }),
    })
    expect(outcome).toEqual([{ kind: 'rejected', reason: 'OneSignal says that this subscription is not subscribed' }])
  })

  test('the key is a UUID of version 4, though ours is none', async () => {
    const { requests } = await trySend(oneSignal, { credentials, http: () => reply(200, { id: 'n1' }) })
    const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    expect(requests[0]?.json).toMatchObject({ idempotency_key: expect.stringMatching(version4) })
  })

  test('an app id stays one value of the query', async () => {
    const { requests, check } = tryProvider(oneSignal, {
      credentials: { ...credentials, applicationId: 'a&limit=50' },
      http: () => reply(200),
    })
    await check()
    expect(requests[0]?.url).toBe('https://api.onesignal.com/notifications?limit=1&app_id=a%26limit%3D50')
  })

  test('without a title there is no heading', async () => {
    const { requests } = await trySend(oneSignal, { credentials, message: { title: '' }, http: () => reply(200) })
    expect(requests[0]?.json).toMatchObject({ headings: undefined })
  })

  test('an older key has its own word', async () => {
    const { requests } = await trySend(oneSignal, {
      credentials: { ...credentials, apiKey: 'NGEwMGZm' },
      http: () => reply(200, { id: 'n1' }),
    })
    expect(requests[0]?.headers?.authorization).toBe('Basic NGEwMGZm')
  })
})
