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
  accepted: { reply: { json: { data: [{ status: 'ok', id: 'XXXX-1' }] } }, id: 'XXXX-1', receipt: 'XXXX-1' },
  badRecipient: { reply: { json: { data: [ticket('DeviceNotRegistered')] } }, because: 'gone' },
  common: { garbage: 'unknown' },
  replies: [
    [
      'too much for one device waits',
      { json: { data: [ticket('MessageRateExceeded')] } },
      { kind: 'retry', reason: 'MessageRateExceeded: words', paces: 'target' },
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
    ['a fault of Expo may pass', { json: { data: [ticket('ExpoError')] } }, { kind: 'retry' }],
    ['so may one of Apple or Google', { json: { data: [ticket('ProviderError')] } }, { kind: 'retry' }],
    ['a fault of ours does not', { json: { data: [ticket('DeveloperError')] } }, { kind: 'rejected' }],
    ['a reply without a ticket is no clear answer', { json: { data: [] } }, { kind: 'unknown' }],
    [
      'tokens of several projects, of which it does not say whose they are, are refused',
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
    expect(outcome).toEqual([
      { kind: 'rejected', reason: 'not an Expo push token' },
      { kind: 'sent', id: '2', receipt: '2' },
    ])
    expect(requests).toMatchObject([{ json: [{ to: [b] }] }])
  })

  test('with no token at all it calls nobody', async () => {
    const { outcome, requests } = await trySend(expo, { message: { tokens: ['x', 'y'] }, http: () => reply(200) })
    expect(outcome).toMatchObject([{ kind: 'rejected' }, { kind: 'rejected' }])
    expect(requests).toEqual([])
  })

  test('tokens of several projects are sent again, one project at a time', async () => {
    const details = { '@ada/one': [c, a], '@ada/two': [b] }
    const error = { code: 'PUSH_TOO_MANY_EXPERIENCE_IDS', message: 'several projects', details }
    const { outcome, requests } = await trySend(expo, {
      message: { tokens: [a, b, 'nonsense', c] },
      http: [
        reply(400, { errors: [error] }),
        reply(200, { data: [{ status: 'ok', id: '1' }, ticket('DeviceNotRegistered')] }),
        reply(503),
      ],
    })
    expect(requests.map(({ json }) => json)).toMatchObject([[{ to: [a, b, c] }], [{ to: [a, c] }], [{ to: [b] }]])
    expect(outcome).toMatchObject([
      { kind: 'sent', id: '1' },
      { kind: 'retry' },
      { kind: 'rejected', reason: 'not an Expo push token' },
      { because: 'gone' },
    ])
  })

  test('a token that Expo counts to no project is refused with the others, and nobody is asked twice', async () => {
    const details = { '@ada/one': [a], '@ada/two': 'nonsense' }
    const error = { code: 'PUSH_TOO_MANY_EXPERIENCE_IDS', message: 'several projects', details }
    const { outcome, requests } = await trySend(expo, {
      message: { tokens: [a, b] },
      http: [reply(400, { errors: [error] })],
    })
    expect(requests).toHaveLength(2)
    expect(outcome).toMatchObject([
      { kind: 'rejected', reason: '400 several projects' },
      { kind: 'rejected', reason: '400 several projects' },
    ])
  })

  test('a push larger than Expo takes does not leave', async () => {
    const tried = (body: string) =>
      trySend(expo, {
        message: { tokens: [a, b], title: 'ü', body, data: {} },
        http: () =>
          reply(200, {
            data: [
              { status: 'ok', id: '1' },
              { status: 'ok', id: '2' },
            ],
          }),
      })
    const most = 'x'.repeat(4_096 - 2 - JSON.stringify({ tidings_message_id: samples.push.id }).length)
    expect(await tried(most)).toMatchObject({ outcome: [{ kind: 'sent' }, { kind: 'sent' }], requests: [{}] })
    const reason = 'the push is 4,097 bytes; Expo takes 4,096: shorten the text or the data'
    const refused = { kind: 'rejected', reason }
    expect(await tried(`${most}x`)).toMatchObject({ outcome: [refused, refused], requests: [] })
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
