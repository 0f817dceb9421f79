import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import rocketChat from './rocket-chat.ts'

const credentials = { user: 'u1', token: 't1', baseUrl: 'https://chat.example.com/team/' }
const headers = { 'x-user-id': 'u1', 'x-auth-token': 't1' }
const { key } = samples.chat

providerTable(rocketChat, {
  credentials,
  message: { overrides: { alias: 'Tidings' } },
  request: {
    url: 'https://chat.example.com/team/api/v1/chat.sendMessage',
    headers,
    json: { message: { msg: 'Hello Ada', alias: 'Tidings', _id: key, rid: 'general' } },
  },
  accepted: { reply: { json: { message: { _id: key, rid: 'general', msg: 'Hello Ada' }, success: true } }, id: key },
  badRecipient: {
    reply: { status: 400, json: { success: false, error: 'error-not-allowed' } },
    reason: '400 error-not-allowed',
  },
  common: { garbage: 'unknown' },
  replies: [
    [
      'a 200 that is no success is refused',
      { status: 200, json: { success: false, error: 'error-not-allowed' } },
      { kind: 'rejected', reason: '200 error-not-allowed' },
    ],
    [
      'a bad token is the fault of the integration',
      { status: 401, json: { status: 'error', message: 'You must be logged in to do this.' } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
  check: { url: 'https://chat.example.com/team/api/v1/me', good: { json: { _id: 'u1', success: true } } },
})

/** What its source lets expect for an `_id` it has (https://github.com/RocketChat/Rocket.Chat/pull/14945). */
const stumble = reply(400, { success: false, error: "Cannot read properties of undefined (reading 'starred')" })

test('a second try of a message that is there is sent', async () => {
  const { outcome, requests } = await trySend(rocketChat, {
    credentials,
    http: ({ method }) => (method === 'GET' ? reply(200, { message: { _id: key }, success: true }) : stumble),
  })
  expect(outcome).toEqual({ kind: 'sent', id: key })
  expect(requests[1]).toEqual({
    method: 'GET',
    url: `https://chat.example.com/team/api/v1/chat.getMessage?msgId=${key}`,
    headers,
  })
})

test('a 400 for a message that is not there stays a refusal', async () => {
  const { outcome } = await trySend(rocketChat, {
    credentials,
    http: ({ method }) => (method === 'GET' ? reply(400, { success: false }) : stumble),
  })
  expect(outcome).toMatchObject({ kind: 'rejected' })
})

test('a 400 that cannot be looked into is no clear answer', async () => {
  const { outcome } = await trySend(rocketChat, {
    credentials,
    http: ({ method }) => (method === 'GET' ? reply(502) : stumble),
  })
  expect(outcome).toMatchObject({ kind: 'unknown' })
})

test('without a base nothing leaves: a subscriber does not say where the token goes', async () => {
  const nowhere = await trySend(rocketChat, { credentials: { user: 'u1', token: 't1' }, http: () => reply(200, {}) })
  expect(nowhere).toMatchObject({ outcome: { kind: 'rejected', because: 'integration' }, requests: [] })
})

test('a trigger cannot change the room or the id', async () => {
  const { requests } = await trySend(rocketChat, {
    credentials,
    message: { overrides: { rid: 'other', _id: 'other' } },
    http: () => reply(200, {}),
  })
  expect(requests[0]?.json).toEqual({ message: { msg: 'Hello Ada', _id: key, rid: 'general' } })
})
