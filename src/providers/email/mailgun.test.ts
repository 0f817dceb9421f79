import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { fullEmail, now, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import mailgun from './mailgun.ts'

const credentials = { apiKey: 'key-1', domain: 'mg.example.com' }
const authorization = `Basic ${Buffer.from('api:key-1').toString('base64')}`

providerTable(mailgun, {
  credentials,
  request: { url: 'https://api.mailgun.net/v3/mg.example.com/messages', headers: { authorization } },
  accepted: { reply: { json: { id: '<20260102@mg.example.com>', message: 'Queued.' } }, id: '20260102@mg.example.com' },
  badRecipient: {
    reply: { status: 400, json: { message: 'to parameter is not a valid address' } },
    reason: '400 to parameter is not a valid address',
  },
  replies: [
    [
      'a domain it does not know is the fault of the integration',
      { status: 404, json: { message: 'Domain not found: mg.example.com' } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
  check: {
    url: 'https://api.mailgun.net/v3/mg.example.com/messages',
    good: { status: 400, json: { message: 'from parameter is missing' } },
    bad: { status: 401, body: 'Forbidden' },
  },
})

describe('mailgun', () => {
  test('sends a form with a part for each address, header and file', async () => {
    const { requests, send } = tryProvider(mailgun, {
      credentials: { ...credentials, baseUrl: 'https://api.eu.mailgun.net/', user: 'me' },
      message: { ...fullEmail, to: ['ada@example.org', 'cyd@example.org'], overrides: { 'o:tag': ['a', 'b'] } },
      http: [{ json: { id: '<1@x>' } }],
    })
    expect(await send()).toEqual({ kind: 'sent', id: '1@x' })
    expect(requests).toEqual([
      {
        url: 'https://api.eu.mailgun.net/v3/mg.example.com/messages',
        headers: { authorization: `Basic ${Buffer.from('me:key-1').toString('base64')}` },
        multipart: [
          { name: 'from', value: 'The Team <team@example.com>' },
          { name: 'to', value: 'ada@example.org' },
          { name: 'to', value: 'cyd@example.org' },
          { name: 'cc', value: 'bob@example.org' },
          { name: 'bcc', value: 'eve@example.org' },
          { name: 'subject', value: 'Hello Ada' },
          { name: 'text', value: 'Hello' },
          { name: 'html', value: '<p>Hello</p>' },
          { name: 'h:Reply-To', value: 'help@example.com' },
          { name: 'h:X-Team', value: 'blue' },
          { name: 'v:tidings_message_id', value: samples.email.id },
          { name: 'o:tag', value: 'a' },
          { name: 'o:tag', value: 'b' },
          { name: 'attachment', filename: 'a.txt', mime: 'text/plain', content: Buffer.from('hi') },
        ],
      },
    ])
  })

  test('a domain stays a part of the path', async () => {
    const { requests, send } = tryProvider(mailgun, { credentials: { ...credentials, domain: 'x/../../v5?a' } })
    await send()
    expect(requests[0]?.url).toBe('https://api.mailgun.net/v3/x%2F..%2F..%2Fv5%3Fa/messages')
  })
})

describe('events of mailgun', () => {
  const signingKey = 'signing-key-1'
  const timestamp = String(now.getTime() / 1000)
  const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')
  const verify = (signature: Record<string, string>, over: { signingKey?: string; now?: Date } = {}) =>
    mailgun.inbound?.verify(
      inboundCall({
        headers: {},
        body: JSON.stringify({ signature, 'event-data': {} }),
        url: 'https://tidings.example/inbound',
        signingKey,
        now,
        ...over,
      }),
    )

  test('are believed when signed by the key, or for a subaccount by the key above', () => {
    expect(verify({ timestamp, token: 't1', signature: hmac(signingKey, `${timestamp}t1`) })).toBe(true)
    const parent = hmac(signingKey, `${timestamp}t1`)
    expect(verify({ timestamp, token: 't1', signature: hmac('other', 'x'), 'parent-signature': parent })).toBe(true)
  })

  test('are believed for half a day: Mailgun repeats for hours what was not taken', () => {
    const given = { timestamp, token: 't1', signature: hmac(signingKey, `${timestamp}t1`) }
    expect(verify(given, { now: new Date(now.getTime() + 12 * 3_600_000) })).toBe(true)
    expect(verify(given, { now: new Date(now.getTime() - 300_000) })).toBe(true)
  })

  test('are not believed when signed otherwise, older than half a day, or of a time to come', () => {
    const signature = hmac(signingKey, `${timestamp}t1`)
    expect(verify({ timestamp, token: 't2', signature })).toBe(false)
    expect(verify({ timestamp, token: 't1', signature }, { signingKey: 'other' })).toBe(false)
    expect(verify({ timestamp, token: 't1', signature: hmac('', `${timestamp}t1`) }, { signingKey: '' })).toBe(false)
    expect(
      verify({ timestamp, token: 't1', signature }, { now: new Date(now.getTime() + 12 * 3_600_000 + 1_000) }),
    ).toBe(false)
    expect(verify({ timestamp, token: 't1', signature }, { now: new Date(now.getTime() - 301_000) })).toBe(false)
    expect(verify({})).toBe(false)
    expect(mailgun.inbound?.verify(inboundCall({ headers: {}, body: 'junk', url: '', signingKey, now }))).toBe(false)
  })

  const common = {
    recipient: 'ada@example.org',
    message: { headers: { 'message-id': '20260102@mg.example.com' } },
    'user-variables': { tidings_message_id: samples.email.id },
  }
  const about = { externalId: '20260102@mg.example.com', messageId: samples.email.id, address: 'ada@example.org' }

  test.each([
    [
      'a delivery',
      { event: 'delivered', 'delivery-status': { message: 'OK', code: 250 } },
      [{ kind: 'delivered', ...about }],
    ],
    [
      'a bounce for good',
      {
        event: 'failed',
        severity: 'permanent',
        reason: 'bounce',
        'delivery-status': { code: 550, message: '5.1.1 no such user' },
      },
      [{ kind: 'bounced', permanent: true, reason: '5.1.1 no such user', ...about }],
    ],
    [
      'one given up after many tries',
      { event: 'failed', severity: 'permanent', reason: 'old', 'delivery-status': { message: '', description: '' } },
      [{ kind: 'bounced', permanent: false, reason: 'old', ...about }],
    ],
    [
      'what Mailgun will try again',
      { event: 'failed', severity: 'temporary', reason: 'generic' },
      [{ kind: 'other', ...about, reason: 'generic', name: 'temporary_fail' }],
    ],
    [
      'what Mailgun did not want to send',
      { event: 'rejected', reject: { reason: 'Sandbox subdomains are for test purposes only', description: '' } },
      [{ kind: 'bounced', permanent: false, ...about, reason: 'Sandbox subdomains are for test purposes only' }],
    ],
    ['a complaint', { event: 'complained' }, [{ kind: 'complained', ...about }]],
    ['an opening', { event: 'opened', ip: '192.0.2.1' }, [{ kind: 'opened', ...about }]],
    ['a click', { event: 'clicked', url: 'https://example.org' }, [{ kind: 'clicked', ...about }]],
    ['who wants no more', { event: 'unsubscribed' }, [{ kind: 'unsubscribed', ...about }]],
    ['an event of the future', { event: 'teleported' }, [{ kind: 'other', ...about, name: 'teleported' }]],
    ['nothing of a mail on its way', { event: 'accepted' }, []],
  ])('tell of %s', (_name, event, callbacks) => {
    const body = JSON.stringify({ signature: {}, 'event-data': { ...common, ...event } })
    expect(mailgun.inbound?.read({ headers: {}, body })).toEqual(callbacks)
  })

  test.each(['', 'null', '[]', '{"event-data":7}'])('are none in %j', (body) => {
    expect(mailgun.inbound?.read({ headers: {}, body })).toEqual([])
  })
})
