import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { oneSignalCallbacks } from './one-signal.ts'

const { verify, read } = oneSignalCallbacks
const url = 'https://tidings.example/v1/webhooks/0198c000'
const readBody = (json: object | string) =>
  read({ body: typeof json === 'string' ? json : JSON.stringify(json), headers: {} })

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

describe('the proof is the key in the address', () => {
  test.each([
    [`${url}?key=the-key`, 'the-key', true],
    [`${url}?key=another`, 'the-key', false],
    [url, 'the-key', false],
    [`${url}?key=`, '', false],
  ])('%s with %s: %s', (called, signingKey, expected) => {
    expect(verify(inboundCall({ url: called, signingKey }))).toBe(expected)
  })
})

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

  test.each([
    '',
    'junk',
    '[]',
    '{}',
    'null',
    '{"Event Data":7,"Message Data":null}',
    '['.repeat(9_000) + ']'.repeat(9_000),
  ])('junk: %.20s', (body) => expect(readBody(body)).toEqual([]))
})
