import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import getstream from './getstream.ts'

const stream = { apiKey: 'stream-key', secretKey: 'stream-secret', senderId: 'tidings' }
const relay = { apiKey: 'stream-key', baseUrl: 'https://hooks.example.com/any' }
const webhookUrl = 'https://chat.stream-io-api.com/channels/messaging/ada-and-bob/message'
const { key } = samples.chat
const error = (code: number, status: number, message: string) => ({
  code,
  message,
  StatusCode: status,
  duration: '0ms',
})

providerTable(getstream, {
  credentials: stream,
  message: { webhookUrl, overrides: { silent: true } },
  request: {
    url: `${webhookUrl}?api_key=stream-key`,
    headers: {
      // {"alg":"HS256","typ":"JWT"} and {"server":true}
      authorization:
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzZXJ2ZXIiOnRydWV9.Jpl6mXwjnaYy53cH5IZOE2tV3MeAEmhUk01Pn70M1AE',
      'stream-auth-type': 'jwt',
    },
    json: { message: { text: 'Hello Ada', silent: true, id: key, user_id: 'tidings' } },
  },
  accepted: { reply: { status: 201, json: { message: { id: key }, duration: '1ms' } }, id: key },
  common: { garbage: 'unknown' },
  badRecipient: {
    reply: {
      status: 404,
      json: error(16, 404, 'SendMessage failed with error: "Can\'t find channel with id messaging:x"'),
    },
    because: 'gone',
  },
  replies: [
    [
      'a message that is there already was sent by an earlier try',
      { status: 400, json: error(4, 400, `SendMessage failed with error: "a message with ID ${key} already exists"`) },
      { kind: 'sent', id: key },
    ],
    [
      'a secret that does not fit the key is the integration',
      { status: 401, json: error(43, 401, 'Token signature is invalid') },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a key that is none is the integration',
      { status: 401, json: error(2, 401, 'api_key not valid') },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a limit is one of the app',
      { status: 429, json: error(9, 429, 'Too many requests') },
      { kind: 'retry', paces: true },
    ],
  ],
})

providerRequest(getstream, {
  credentials: relay,
  message: { overrides: { type: 'system' } },
  request: {
    url: samples.chat.webhookUrl,
    headers: { 'x-api-key': 'stream-key' },
    json: { text: 'Hello Ada', tidings_message_id: samples.chat.id, type: 'system' },
  },
  accepted: { reply: { status: 200, json: {} } },
})

describe('getstream', () => {
  test.each([
    ['a missing channel', 404, error(16, 404, "Can't find user tidings"), { kind: 'rejected' }],
    ['another fault of the input', 400, error(4, 400, 'text is too long'), { kind: 'rejected' }],
  ])('%s is a plain refusal unless Stream says more', async (_name, status, json, outcome) => {
    const sent = await trySend(getstream, {
      credentials: stream,
      message: { webhookUrl },
      http: () => reply(status, json),
    })
    expect(sent.outcome).toEqual({ ...outcome, reason: `${status} ${json.message}` })
  })

  test.each([
    ['secretKey', { apiKey: 'k', senderId: 'tidings' }],
    ['senderId', { apiKey: 'k', secretKey: 's' }],
  ])('without a %s nothing leaves for Stream', async (_name, credentials) => {
    expect(await trySend(getstream, { credentials, message: { webhookUrl } })).toMatchObject({
      outcome: { kind: 'rejected', because: 'integration' },
      requests: [],
    })
  })

  test('a trigger cannot change the id or the sender', async () => {
    const overrides = { id: 'other', user_id: 'eve', type: 'system' }
    const { requests } = await trySend(getstream, { credentials: stream, message: { webhookUrl, overrides } })
    expect(requests[0]?.json).toEqual({ message: { text: 'Hello Ada', type: 'system', id: key, user_id: 'tidings' } })
  })

  test.each([
    [401, { kind: 'rejected', reason: '401 no' }],
    [404, { kind: 'rejected', reason: '404 no' }],
    [429, { kind: 'retry', reason: '429 no', paces: 'target' }],
  ])('a %i of an address of a relay says nothing about the others', async (status, outcome) => {
    const vendor = () => reply(status, { message: 'no' })
    expect((await trySend(getstream, { credentials: relay, http: vendor })).outcome).toEqual(outcome)
  })

  test('the URL is in no reason', async () => {
    const vendor = () => reply(404, { message: 'nothing at /T0/B0/secret' })
    expect((await trySend(getstream, { credentials: relay, http: vendor })).outcome).toMatchObject({
      reason: '404 nothing at …',
    })
  })
})

test.each([
  ['https://hooks.example.com/other', relay.baseUrl, 1],
  ['https://hooks.example.com.evil.example.org/', relay.baseUrl, 0],
  ['https://hooks.example.com:8443/', relay.baseUrl, 0],
  ['http://hooks.example.com/', relay.baseUrl, 0],
  ['https://chat.stream-io-api.com/channels/messaging/1/message', relay.baseUrl, 0],
  ['https://chat.stream-io-api.com/channels/messaging/1/message', undefined, 1],
  ['https://chat-us-east-1.getstream.io/channels/messaging/1/message', '', 1],
  ['http://chat.stream-io-api.com/channels/messaging/1/message', undefined, 0],
  ['https://chat.stream-io-api.com/app', undefined, 0],
  ['https://chat.stream-io-api.com/channels/messaging/1/message/../../../../app', undefined, 0],
  ['https://evilgetstream.io/channels/messaging/1/message', undefined, 0],
  ['https://hooks.example.com/', undefined, 0],
])('%s with the base %s: %i calls with the key', async (url, baseUrl, calls) => {
  const credentials = { ...stream, baseUrl }
  const http = () => reply(200, { message: { id: key } })
  const tried = await trySend(getstream, { credentials, message: { webhookUrl: url }, http })
  expect(tried.requests).toHaveLength(calls)
  expect(tried.outcome).toMatchObject({ kind: calls ? 'sent' : 'rejected' })
})
