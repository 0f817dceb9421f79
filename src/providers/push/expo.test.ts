import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import expo from './expo.ts'

const [a, b, c] = ['ExponentPushToken[aaa]', 'ExpoPushToken[bbb]', 'f0000000-1111-2222-3333-444444444444'] as const
const ticket = (error: string) => ({ status: 'error', message: 'words', details: { error } })

providerTable(expo, {
  credentials: { apiKey: 'expo-key' },
  message: { token: a, tokens: [a], overrides: { sound: 'default', to: 'somebody else' } },
  request: {
    url: 'https://exp.host/--/api/v2/push/send',
    headers: { authorization: 'Bearer expo-key' },
    json: [
      {
        title: 'Hello',
        body: 'Hello Ada',
        data: { orderId: '42', tidings_message_id: samples.push.id },
        sound: 'default',
        to: [a],
      },
    ],
  },
  accepted: { reply: { json: { data: [{ status: 'ok', id: 'XXXX-1' }] } }, id: 'XXXX-1' },
  badRecipient: { reply: { json: { data: [ticket('DeviceNotRegistered')] } }, because: 'gone' },
  common: { garbage: 'unknown' },
  replies: [
    [
      'too much for one device waits',
      { json: { data: [ticket('MessageRateExceeded')] } },
      { kind: 'retry', reason: 'MessageRateExceeded: words' },
    ],
    [
      'a missing certificate is the integration',
      { json: { data: [ticket('InvalidCredentials')] } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a message that is too big is refused for good',
      { json: { data: [ticket('MessageTooBig')] } },
      { kind: 'rejected' },
    ],
    ['a reply without a ticket is no clear answer', { json: { data: [] } }, { kind: 'unknown' }],
    [
      'tokens of several projects are refused',
      { status: 400, json: { errors: [{ code: 'PUSH_TOO_MANY_EXPERIENCE_IDS', message: 'several projects' }] } },
      { kind: 'rejected', reason: '400 several projects' },
    ],
  ],
})

describe('expo', () => {
  test('gives one outcome for each device, in the order of the tokens', async () => {
    const { outcome, requests } = await trySend(expo, {
      message: { tokens: [a, b, c] },
      http: () =>
        reply(200, { data: [{ status: 'ok', id: '1' }, ticket('DeviceNotRegistered'), { status: 'ok', id: '3' }] }),
    })
    expect(outcome).toMatchObject([{ kind: 'sent', id: '1' }, { because: 'gone' }, { kind: 'sent', id: '3' }])
    expect(requests).toMatchObject([{ json: [{ to: [a, b, c] }], headers: {} }])
  })

  test('a text that is no token does not spoil the call for the others', async () => {
    const { outcome, requests } = await trySend(expo, {
      message: { tokens: ['nonsense', b] },
      http: () => reply(200, { data: [{ status: 'ok', id: '2' }] }),
    })
    expect(outcome).toMatchObject([
      { kind: 'rejected', because: 'gone' },
      { kind: 'sent', id: '2' },
    ])
    expect(requests).toMatchObject([{ json: [{ to: [b] }] }])
  })

  test('with no token at all it calls nobody', async () => {
    const { outcome, requests } = await trySend(expo, { message: { tokens: ['x', 'y'] }, http: () => reply(200) })
    expect(outcome).toMatchObject([{ because: 'gone' }, { because: 'gone' }])
    expect(requests).toEqual([])
  })

  test('with another number of tickets than devices nobody knows whose they are', async () => {
    const vendor = () => reply(200, { data: [{ status: 'ok', id: '1' }] })
    const { outcome } = await trySend(expo, { message: { tokens: [a, b] }, http: vendor })
    expect(outcome).toMatchObject([{ kind: 'unknown' }, { kind: 'unknown' }])
  })

  test('what goes wrong with the whole call is the outcome of each', async () => {
    const { outcome } = await trySend(expo, { message: { tokens: [a, b] }, http: () => reply(429, {}) })
    expect(outcome).toMatchObject([
      { kind: 'retry', paces: true },
      { kind: 'retry', paces: true },
    ])
  })
})
