import { describe, expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { oneSignalCallbacks } from './one-signal.ts'

const readBody = (json: object | string) =>
  oneSignalCallbacks.read({ body: typeof json === 'string' ? json : JSON.stringify(json), headers: {} })

/** The example of OneSignal's page about event streams, with what a device that lost its app leaves. */
const parts = (kind: string, reason = '') => ({
  'Event Data': {
    'event.kind': kind,
    'event.id': 'a1b2c3d4-e5f6-7890-abcd-ef1234567890',
    'event.timestamp': '1708559115',
    'event.subscription_id': 'b2c3d4e5-f6a7-8901-bcde-f12345678901',
    'event.data.failure_reason': reason,
  },
  'Message Data': { 'message.id': '458dcec4', 'message.name': '', 'message.contents': 'Hello Ada' },
})

believesKeyInUrl(oneSignalCallbacks)
ignoresJunk(oneSignalCallbacks)

describe('what it says', () => {
  test.each([
    ['message.push.received', { kind: 'delivered' }],
    ['message.push.clicked', { kind: 'clicked' }],
    ['message.push.unsubscribed', { kind: 'other', name: 'message.push.unsubscribed' }],
    ['message.push.something', { kind: 'other', name: 'message.push.something' }],
  ])('%s', (kind, expected) => expect(readBody(parts(kind))).toEqual([{ externalId: '458dcec4', ...expected }]))

  test('sent says nothing new', () => expect(readBody(parts('message.push.sent'))).toEqual([]))

  test('failed is about one device, and bounces no message that others may have', () => {
    expect(readBody(parts('message.push.failed', 'InvalidRegistration'))).toEqual([
      { kind: 'other', externalId: '458dcec4', name: 'message.push.failed', reason: 'InvalidRegistration' },
    ])
  })

  test.each([
    { 'event.kind': 'message.push.received', 'message.id': '458dcec4' },
    { event: { kind: 'message.push.received' }, message: { id: '458dcec4' } },
  ])('other bodies with the same names: %o', (body) => {
    expect(readBody(body)).toEqual([{ kind: 'delivered', externalId: '458dcec4' }])
  })

  test('without a message or without a kind it is about nothing of ours', () => {
    expect(readBody({ 'event.kind': 'message.push.received' })).toEqual([])
    expect(readBody({ 'message.id': '458dcec4' })).toEqual([])
  })

  test('parts that are none say nothing', () => {
    expect(readBody('{"Event Data":7,"Message Data":null}')).toEqual([])
  })
})
