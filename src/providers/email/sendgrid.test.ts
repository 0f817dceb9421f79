import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { fullEmail, now, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import sendgrid from './sendgrid.ts'

providerTable(sendgrid, {
  credentials: { apiKey: 'SG.123', ipPoolName: 'warm' },
  message: { ...fullEmail, overrides: { categories: ['welcome'] } },
  request: {
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { authorization: 'Bearer SG.123', 'content-type': 'application/json' },
    json: {
      personalizations: [
        {
          to: [{ email: 'ada@example.org' }],
          cc: [{ email: 'bob@example.org' }],
          bcc: [{ email: 'eve@example.org' }],
        },
      ],
      from: { email: 'team@example.com', name: 'The Team' },
      reply_to: { email: 'help@example.com' },
      subject: 'Hello Ada',
      content: [
        { type: 'text/plain', value: 'Hello' },
        { type: 'text/html', value: '<p>Hello</p>' },
      ],
      headers: { 'X-Team': 'blue' },
      custom_args: { tidings_message_id: samples.email.id },
      ip_pool_name: 'warm',
      attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'aGk=', disposition: 'attachment' }],
      categories: ['welcome'],
    },
  },
  accepted: { reply: { status: 202, headers: { 'x-message-id': 'abc123' } }, id: 'abc123' },
  badRecipient: {
    reply: {
      status: 400,
      json: { errors: [{ message: 'Does not contain a valid address.', field: 'personalizations.0.to.0.email' }] },
    },
    reason: '400 Does not contain a valid address.',
  },
  replies: [
    [
      'its limit says when it ends',
      {
        status: 429,
        headers: { 'x-ratelimit-reset': '1392815263' },
        json: { errors: [{ field: null, message: 'too many requests' }] },
      },
      { kind: 'retry', reason: '429 too many requests', afterMs: 0, paces: true },
    ],
    [
      'a bad field is refused for good',
      { status: 400, json: { errors: [{ message: 'Does not contain a valid address.', field: 'from.email' }] } },
      { kind: 'rejected', reason: '400 Does not contain a valid address.' },
    ],
    [
      'a sender that is not verified is the fault of the integration',
      { status: 403, json: { errors: [{ message: 'The from address does not match a verified Sender Identity.' }] } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
  check: { url: 'https://api.sendgrid.com/v3/scopes', good: { json: { scopes: ['mail.send'] } } },
})

describe('sendgrid', () => {
  const credentials = { apiKey: 'SG.123', region: 'eu' }

  test('stays in the EU, names an address once and leaves out what is empty', async () => {
    const { requests, send } = tryProvider(sendgrid, {
      credentials,
      message: {
        to: ['ada@example.org'],
        cc: ['ADA@example.org', 'bob@example.org'],
        bcc: ['bob@example.org'],
        text: '',
      },
      http: [{ status: 202, headers: { 'x-message-id': 'abc' } }],
    })
    await send()
    expect(requests[0]?.url).toBe('https://api.eu.sendgrid.com/v3/mail/send')
    expect(requests[0]?.json).toMatchObject({
      personalizations: [{ to: [{ email: 'ada@example.org' }], cc: [{ email: 'bob@example.org' }], bcc: undefined }],
      content: [{ type: 'text/html', value: '<p>Hello</p>' }],
      attachments: undefined,
    })
  })

  test('a key that may do all but send is refused', async () => {
    const { check } = tryProvider(sendgrid, { credentials, http: [{ json: { scopes: ['stats.read'] } }] })
    expect(await check()).toEqual({ kind: 'refused', reason: expect.stringContaining('mail.send') })
  })
})

describe('events of sendgrid', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signingKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const body = '[{"event":"delivered"}]\r\n'
  const timestamp = String(now.getTime() / 1000)

  function call(over: { body?: string; timestamp?: string; signingKey?: string; now?: Date } = {}) {
    const signature = sign('sha256', Buffer.from((over.timestamp ?? timestamp) + body), privateKey).toString('base64')
    return sendgrid.inbound?.verify(
      inboundCall({
        headers: {
          'x-twilio-email-event-webhook-signature': signature,
          'x-twilio-email-event-webhook-timestamp': over.timestamp ?? timestamp,
        },
        body: over.body ?? body,
        url: 'https://tidings.example/inbound',
        signingKey: over.signingKey ?? signingKey,
        now: over.now ?? now,
      }),
    )
  }

  test('are believed when signed by the key, however it was copied', () => {
    expect(call()).toBe(true)
    expect(call({ signingKey: publicKey.export({ format: 'pem', type: 'spki' }).toString() })).toBe(true)
  })

  test("agree with SendGrid's own example", () => {
    const headers = {
      'x-twilio-email-event-webhook-signature':
        'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=',
      'x-twilio-email-event-webhook-timestamp': '1600112502',
    }
    const example = `${JSON.stringify([
      {
        email: 'hello@world.com',
        event: 'dropped',
        reason: 'Bounced Address',
        sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
        sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0',
        'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
        timestamp: 1600112492,
      },
    ])}\r\n`
    const request = inboundCall({
      headers,
      body: example,
      url: '',
      signingKey:
        'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==',
      now: new Date(1600112502_000),
    })
    expect(sendgrid.inbound?.verify(request)).toBe(true)
    expect(sendgrid.inbound?.read(request)).toEqual([
      {
        kind: 'bounced',
        permanent: true,
        externalId: 'LRzXl_NHStOGhQ4kofSm_A',
        address: 'hello@world.com',
        reason: 'Bounced Address',
      },
    ])
  })

  test('are not believed when changed, signed by another, or older than a day', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    expect(call({ body: '[{"event":"bounce"}]\r\n' })).toBe(false)
    expect(call({ signingKey: other.export({ format: 'der', type: 'spki' }).toString('base64') })).toBe(false)
    expect(call({ signingKey: '' })).toBe(false)
    expect(call({ signingKey: 'no key' })).toBe(false)
    expect(call({ now: new Date(now.getTime() + 24 * 3_600_000 + 1_000) })).toBe(false)
    expect(call({ now: new Date(now.getTime() + 23 * 3_600_000) })).toBe(true)
    expect(call({ now: new Date(now.getTime() - 301_000) })).toBe(false)
    expect(call({ timestamp: `${timestamp}.0` })).toBe(false)
    expect(sendgrid.inbound?.verify(inboundCall({ headers: {}, body, url: '', signingKey, now }))).toBe(false)
  })

  const common = {
    email: 'ada@example.org',
    sg_message_id: 'abc123.recvd-5b8-0.0',
    tidings_message_id: samples.email.id,
  }
  const about = { externalId: 'abc123', messageId: samples.email.id, address: 'ada@example.org' }

  test.each([
    ['delivered', { event: 'delivered', response: '250 OK' }, [{ kind: 'delivered', ...about }]],
    [
      'a bounce for good',
      { event: 'bounce', type: 'bounce', reason: '550 unknown' },
      [{ kind: 'bounced', permanent: true, reason: '550 unknown', ...about }],
    ],
    [
      'a block that may pass',
      { event: 'bounce', type: 'blocked', reason: '421 busy' },
      [{ kind: 'bounced', permanent: false, reason: '421 busy', ...about }],
    ],
    [
      'one not even tried since its address is none',
      { event: 'dropped', reason: 'Invalid' },
      [{ kind: 'bounced', permanent: true, reason: 'Invalid', ...about }],
    ],
    [
      'one not even tried for a fault of the sender',
      { event: 'dropped', reason: 'Invalid SMTPAPI header' },
      [{ kind: 'bounced', permanent: false, reason: 'Invalid SMTPAPI header', ...about }],
    ],
    [
      'one not even tried for a reason of the list',
      { event: 'dropped', reason: 'Unsubscribed Address' },
      [{ kind: 'bounced', permanent: false, reason: 'Unsubscribed Address', ...about }],
    ],
    ['a complaint', { event: 'spamreport' }, [{ kind: 'complained', ...about }]],
    ['an opening', { event: 'open', sg_machine_open: false }, [{ kind: 'opened', ...about }]],
    [
      'an opening by a machine',
      { event: 'open', sg_machine_open: true },
      [{ kind: 'opened', ...about, reason: 'loaded by a machine' }],
    ],
    ['a click', { event: 'click', url: 'https://example.org' }, [{ kind: 'clicked', ...about }]],
    ['who wants no more', { event: 'unsubscribe' }, [{ kind: 'unsubscribed', ...about }]],
    [
      'who left one group',
      { event: 'group_unsubscribe', asm_group_id: 10 },
      [{ kind: 'other', ...about, name: 'group_unsubscribe' }],
    ],
    [
      'what SendGrid will try again',
      { event: 'deferred', response: '400 try again later', attempt: '5' },
      [{ kind: 'other', ...about, name: 'deferred', reason: '400 try again later' }],
    ],
    ['an event of the future', { event: 'teleported' }, [{ kind: 'other', ...about, name: 'teleported' }]],
    ['nothing of a mail on its way', { event: 'processed' }, []],
  ])('tell of %s', (_name, event, callbacks) => {
    expect(sendgrid.inbound?.read({ headers: {}, body: JSON.stringify([{ ...common, ...event }]) })).toEqual(callbacks)
  })

  test.each(['', 'null', '{}', '[null,3,"x"]'])('are none in %j', (junk) => {
    expect(sendgrid.inbound?.read({ headers: {}, body: junk })).toEqual([])
  })
})
