import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { fullEmail, now, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import resend from './resend.ts'

providerTable(resend, {
  credentials: { apiKey: 're_123' },
  message: { ...fullEmail, overrides: { scheduled_at: 'in 1 min' } },
  request: {
    url: 'https://api.resend.com/emails',
    headers: { authorization: 'Bearer re_123', 'idempotency-key': samples.email.key },
    json: {
      from: 'The Team <team@example.com>',
      to: ['ada@example.org'],
      cc: ['bob@example.org'],
      bcc: ['eve@example.org'],
      reply_to: 'help@example.com',
      subject: 'Hello Ada',
      html: '<p>Hello</p>',
      text: 'Hello',
      headers: { 'X-Team': 'blue' },
      tags: [
        { name: 'tidings_message_id', value: samples.email.id },
        { name: 'tidings_recipients', value: '3' },
      ],
      attachments: [{ filename: 'a.txt', content_type: 'text/plain', content: 'aGk=' }],
      scheduled_at: 'in 1 min',
    },
  },
  accepted: { reply: { json: { id: '49a3999c' } }, id: '49a3999c' },
  badRecipient: {
    reply: { status: 422, json: { statusCode: 422, name: 'validation_error', message: 'Invalid `to` field' } },
    reason: '422 Invalid `to` field',
  },
  replies: [
    [
      'its limit says how long it lasts',
      {
        status: 429,
        headers: { 'ratelimit-reset': '1' },
        json: { statusCode: 429, name: 'rate_limit_exceeded', message: 'Too many requests' },
      },
      { kind: 'retry', afterMs: 1_000, paces: true },
    ],
    [
      'a quota of the day passes, and there is time',
      { status: 429, json: { statusCode: 429, name: 'daily_quota_exceeded', message: 'daily' } },
      { kind: 'retry', afterMs: 3_600_000, paces: true, reason: '429 daily' },
    ],
    [
      'a quota of the month is the fault of the integration',
      { status: 429, json: { statusCode: 429, name: 'monthly_quota_exceeded', message: 'monthly' } },
      { kind: 'rejected', because: 'integration', reason: '429 monthly' },
    ],
    [
      'a key whose first try is still open is not refused',
      { status: 409, json: { statusCode: 409, name: 'concurrent_idempotent_requests', message: 'in progress' } },
      { kind: 'unknown', reason: '409 in progress' },
    ],
  ],
  check: { url: 'https://api.resend.com/domains', good: { json: { data: [] } } },
})

test('a mail to one is not counted', async () => {
  const { requests, send } = tryProvider(resend, { http: [{ json: { id: '1' } }] })
  await send()
  expect(requests[0]?.json).toMatchObject({ tags: [{ name: 'tidings_message_id', value: samples.email.id }] })
})

test('a key of Resend that may only send is good', async () => {
  const restricted = { statusCode: 401, name: 'restricted_api_key', message: 'This API key is restricted' }
  const { check } = tryProvider(resend, { credentials: { apiKey: 're_1' }, http: [{ status: 401, json: restricted }] })
  expect(await check()).toEqual({ kind: 'ok' })
})

describe('events of resend', () => {
  const key = Buffer.from('a key of twenty four by.')
  const signingKey = `whsec_${key.toString('base64')}`
  const body = '{"type":"email.delivered"}'
  const timestamp = String(now.getTime() / 1000)
  const sign = (text: string, by = key) => `v1,${createHmac('sha256', by).update(text).digest('base64')}`
  const good = sign(`msg_1.${timestamp}.${body}`)

  const verify = (signature: string, over: { body?: string; signingKey?: string; now?: Date; id?: string } = {}) =>
    resend.inbound?.verify(
      inboundCall({
        headers: { 'svix-id': over.id ?? 'msg_1', 'svix-timestamp': timestamp, 'svix-signature': signature },
        url: 'https://tidings.example/inbound',
        body: over.body ?? body,
        signingKey: over.signingKey ?? signingKey,
        now: over.now ?? now,
      }),
    )

  test('are believed when one of the signatures is by the key, under either name of the headers', () => {
    expect(verify(good)).toBe(true)
    expect(verify(`${sign('x', Buffer.from('old'))} ${good}`)).toBe(true)
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': good }
    expect(resend.inbound?.verify(inboundCall({ headers, body, url: '', signingKey, now }))).toBe(true)
  })

  test('are not believed when changed, signed by another, or older than five minutes', () => {
    expect(verify(good, { body: '{"type":"email.bounced"}' })).toBe(false)
    expect(verify(good, { id: 'msg_2' })).toBe(false)
    expect(verify(good, { signingKey: 'whsec_b3RoZXI=' })).toBe(false)
    expect(verify(sign(`msg_1.${timestamp}.${body}`, Buffer.alloc(0)), { signingKey: 'whsec_' })).toBe(false)
    expect(verify(sign(`msg_1.${timestamp}.${body}`, Buffer.alloc(0)), { signingKey: '' })).toBe(false)
    expect(verify(good.slice(3))).toBe(false)
    expect(verify('')).toBe(false)
    expect(verify(good, { now: new Date(now.getTime() + 301_000) })).toBe(false)
    expect(resend.inbound?.verify(inboundCall({ headers: {}, body, url: '', signingKey, now }))).toBe(false)
  })

  const data = { email_id: '49a3999c', to: ['ada@example.org'], tags: { tidings_message_id: samples.email.id } }
  const about = { externalId: '49a3999c', messageId: samples.email.id, address: 'ada@example.org' }
  const bounce = { message: '550 unknown', subType: 'General' }

  test.each([
    ['a delivery', { type: 'email.delivered', data }, [{ kind: 'delivered', ...about }]],
    [
      'a bounce for good',
      { type: 'email.bounced', data: { ...data, bounce: { ...bounce, type: 'Permanent' } } },
      [{ kind: 'bounced', permanent: true, reason: '550 unknown', ...about }],
    ],
    [
      'a bounce that may pass',
      { type: 'email.bounced', data: { ...data, bounce: { ...bounce, type: 'Transient' } } },
      [{ kind: 'bounced', permanent: false, reason: '550 unknown', ...about }],
    ],
    ['a complaint', { type: 'email.complained', data }, [{ kind: 'complained', ...about }]],
    [
      'a delivery, with tags in their other form',
      {
        type: 'email.delivered',
        data: { ...data, tags: [{ name: 'tidings_message_id', value: samples.email.id }] },
      },
      [{ kind: 'delivered', ...about }],
    ],
    [
      'a mail that could not be sent',
      { type: 'email.failed', data: { ...data, failed: { reason: 'reached_daily_quota' } } },
      [{ kind: 'bounced', permanent: false, reason: 'reached_daily_quota', ...about }],
    ],
    [
      'an address that Resend does not send to any more',
      {
        type: 'email.suppressed',
        data: {
          ...data,
          suppressed: { type: 'OnAccountSuppressionList', reason: 'previous_bounce', message: 'on the list' },
        },
      },
      [{ kind: 'bounced', permanent: true, reason: 'on the list', ...about }],
    ],
    ['an opening', { type: 'email.opened', data }, [{ kind: 'opened', ...about }]],
    ['a click', { type: 'email.clicked', data }, [{ kind: 'clicked', ...about }]],
    [
      'what has no kind, under its own word',
      { type: 'email.delivery_delayed', data },
      [{ kind: 'other', name: 'delivery_delayed', ...about }],
    ],
    ['nothing of its being on the way', { type: 'email.sent', data }, []],
    ['nothing of a contact', { type: 'contact.created', data }, []],
  ])('tell of %s', (_name, event, callbacks) => {
    expect(resend.inbound?.read({ headers: {}, body: JSON.stringify(event) })).toEqual(callbacks)
  })

  const two = { ...data, to: ['ada@example.org', 'bob@example.org'] }
  const copied = { ...data, tags: { ...data.tags, tidings_recipients: '2' } }
  const ofMail = { externalId: '49a3999c', messageId: samples.email.id }

  test.each([
    ['two in its field to', two],
    ['one there, and a copy', copied],
  ])('name nobody of a mail with several recipients (%s): which one it was is not said', (_name, several) => {
    const read = (type: string, more: object = {}) =>
      resend.inbound?.read({ headers: {}, body: JSON.stringify({ type, data: { ...several, ...more } }) })
    expect(read('email.delivered')).toEqual([{ kind: 'delivered', ...ofMail }])
    expect(read('email.bounced', { bounce: { ...bounce, type: 'Permanent' } })).toEqual([
      { kind: 'bounced', permanent: false, reason: '550 unknown', ...ofMail },
    ])
    expect(read('email.suppressed', { suppressed: { message: 'on the list' } })).toEqual([
      { kind: 'bounced', permanent: false, reason: 'on the list', ...ofMail },
    ])
    expect(read('email.complained')).toEqual([{ kind: 'complained', permanent: false, ...ofMail }])
  })

  test.each(['', 'null', '[]', '{"data":null}'])('are none in %j', (junk) => {
    expect(resend.inbound?.read({ headers: {}, body: junk })).toEqual([])
  })
})
