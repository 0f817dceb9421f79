import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import telnyx from '../sms/telnyx.ts'
import { telnyxCallbacks } from './telnyx.ts'

describe('proof', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const rawKey = (key: typeof publicKey) =>
    Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')
  const now = new Date('2026-01-01T12:00:00Z')
  const signed = (body: string, seconds: number) => ({
    'telnyx-timestamp': String(seconds),
    'telnyx-signature-ed25519': sign(null, Buffer.from(`${seconds}|${body}`), privateKey).toString('base64'),
  })
  const seconds = now.getTime() / 1000
  const call = { body: '{"data":"é"}', headers: signed('{"data":"é"}', seconds), signingKey: rawKey(publicKey), now }
  const verify = (changes: object) => telnyxCallbacks.verify(inboundCall({ ...call, ...changes }))

  test('a signed call is believed', () => expect(verify({})).toBe(true))

  test.each([
    ['another body', { body: '{"data":"e"}' }],
    ['another key', { signingKey: rawKey(generateKeyPairSync('ed25519').publicKey) }],
    ['no key', { signingKey: '' }],
    ['a key that is none', { signingKey: 'secret' }],
    ['no signature', { headers: { 'telnyx-timestamp': String(seconds) } }],
    ['no headers', { headers: {} }],
    ['an old timestamp', { headers: signed(call.body, seconds - 301) }],
    ['a changed timestamp', { headers: { ...call.headers, 'telnyx-timestamp': String(seconds + 1) } }],
  ])('%s is refused', (_name, changes) => expect(verify(changes)).toBe(false))
})

ignoresJunk(telnyxCallbacks)

describe('events', () => {
  const read = (type: string, payload: object) =>
    telnyxCallbacks.read({
      headers: {},
      body: JSON.stringify({
        data: {
          event_type: type,
          id: '4ee8c3a6',
          occurred_at: '2026-01-01T12:00:00.148+00:00',
          payload: { direction: 'outbound', id: '8340', type: 'SMS', errors: [], ...payload },
          record_type: 'event',
        },
        meta: { attempt: 1, delivered_to: 'https://tidings.example' },
      }),
    })
  const to = (status: string) => ({ to: [{ phone_number: '+13125550001', status, line_type: 'Wireless' }] })
  const about = { externalId: '8340', address: '+13125550001' }
  const error = (code: string, title: string) => ({ errors: [{ code, title, detail: 'More.' }] })

  test.each([
    ['delivered', {}, [{ kind: 'delivered', ...about }]],
    [
      'delivery_failed',
      error('40001', 'Not routable'),
      [{ kind: 'bounced', permanent: true, ...about, reason: '40001 Not routable' }],
    ],
    [
      'sending_failed',
      error('40002', 'Blocked as spam'),
      [{ kind: 'bounced', permanent: false, ...about, reason: '40002 Blocked as spam' }],
    ],
    ['delivery_failed', {}, [{ kind: 'bounced', permanent: false, ...about, reason: 'delivery_failed' }]],
    ['delivery_unconfirmed', {}, [{ kind: 'other', name: 'delivery_unconfirmed', ...about }]],
    ['sent', {}, []],
  ])('%s with %j', (status, more, expected) => {
    expect(read('message.finalized', { ...to(status), ...more })).toEqual(expected)
  })

  test('of several recipients each has its own end, and none is bad for good', () => {
    const recipients = ['delivered', 'delivery_failed'].map((status, n) => ({
      phone_number: `+1312555000${n}`,
      status,
    }))
    expect(read('message.finalized', { to: recipients, ...error('40001', 'Not routable') })).toEqual([
      { kind: 'delivered', externalId: '8340', address: '+13125550000' },
      { kind: 'bounced', permanent: false, externalId: '8340', address: '+13125550001', reason: '40001 Not routable' },
    ])
  })

  test('what is on its way, or came in, tells nothing', () => {
    expect(read('message.sent', to('sent'))).toEqual([])
    expect(read('message.received', { ...to('webhook_delivered'), direction: 'inbound' })).toEqual([])
  })
})

test('each message names the address', async () => {
  const callbackUrl = 'https://tidings.example/v1/webhooks/1'
  const { requests } = await trySend(telnyx, { callbackUrl })
  expect(requests[0]?.json).toMatchObject({ webhook_url: callbackUrl })
})
