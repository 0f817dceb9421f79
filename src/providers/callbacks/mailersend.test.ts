import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { junkBodies } from '../../../test/providers/inbound-tests.ts'
import { mailersendCallbacks } from './mailersend.ts'

describe('events of MailerSend', () => {
  const hmac = (body: string, key: string) => createHmac('sha256', key).update(body).digest('hex')
  const verify = (body: string, signature: string | undefined, signingKey = 'secret-1') => {
    const headers: Record<string, string> = signature === undefined ? {} : { signature }
    return mailersendCallbacks.verify(inboundCall({ body, signingKey, headers }))
  }

  test('are believed when the body is signed with the secret, and only then', () => {
    const body = '{"type":"activity.opened"}'
    expect(verify(body, hmac(body, 'secret-1'))).toBe(true)
    expect(verify(body, hmac(body, 'secret-1').toUpperCase())).toBe(true)
    expect(verify(`${body} `, hmac(body, 'secret-1'))).toBe(false)
    expect(verify(body, hmac(body, 'secret-2'))).toBe(false)
    expect(verify(body, hmac(body, ''), '')).toBe(false)
    expect(verify(body, undefined)).toBe(false)
  })

  const read = (body: unknown) => mailersendCallbacks.read({ headers: {}, body: JSON.stringify(body) })
  const email = {
    object: 'email',
    id: '62f114f7165fe0d8db0288e2',
    message: { object: 'message', id: '62fb66bef54a112e920b5493' },
    recipient: { object: 'recipient', email: 'ada@example.org' },
  }
  const about = { externalId: '62fb66bef54a112e920b5493', address: 'ada@example.org' }
  const bounce = { object: 'recipient_bounce', reason: 'Host or domain name not found' }
  const reason = bounce.reason

  test.each<[string, object | null, object]>([
    ['delivered', null, { kind: 'delivered', ...about }],
    ['hard_bounced', bounce, { kind: 'bounced', permanent: true, ...about, reason }],
    ['soft_bounced', bounce, { kind: 'bounced', permanent: false, ...about, reason }],
    ['spam_complaint', { object: 'spam_complaint', reason: null }, { kind: 'complained', ...about }],
    ['opened', { object: 'open', ip: '192.0.2.1' }, { kind: 'opened', ...about }],
    ['opened_unique', null, { kind: 'opened', ...about }],
    ['clicked', { object: 'click', url: 'https://example.org' }, { kind: 'clicked', ...about }],
    ['clicked_unique', null, { kind: 'clicked', ...about }],
    [
      'unsubscribed',
      { object: 'recipient_unsubscribe', reason: 'NO_LONGER_WANT', readable_reason: 'I want no more' },
      { kind: 'unsubscribed', ...about, reason: 'I want no more' },
    ],
    ['deferred', null, { kind: 'other', ...about, name: 'deferred' }],
    ['survey_opened', null, { kind: 'other', ...about, name: 'survey_opened' }],
  ])('are read: %s', (type, morph, callback) => {
    expect(read({ type: `activity.${type}`, data: { object: 'activity', type, email, morph } })).toEqual([callback])
  })

  test('on their way, or of the account, say nothing', () => {
    expect(read({ type: 'activity.sent', data: { email } })).toEqual([])
    expect(read({ type: 'sender_identity.verified', data: { id: 'x' } })).toEqual([])
    expect(read({ type: 'activity.delivered', data: {} })).toEqual([])
  })

  test.each(junkBodies)('are none in %.40s', (body) => {
    expect(mailersendCallbacks.read({ headers: {}, body })).toEqual([])
    expect(read({ type: 'activity.delivered', data: body })).toEqual([])
  })
})
