import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { fullEmail, now, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import postmark from './postmark.ts'

providerTable(postmark, {
  credentials: { apiKey: 'server-token' },
  message: { ...fullEmail, overrides: { MessageStream: 'broadcast' } },
  request: {
    url: 'https://api.postmarkapp.com/email',
    headers: { accept: 'application/json', 'x-postmark-server-token': 'server-token' },
    json: {
      From: 'The Team <team@example.com>',
      To: 'ada@example.org',
      Cc: 'bob@example.org',
      Bcc: 'eve@example.org',
      ReplyTo: 'help@example.com',
      Subject: 'Hello Ada',
      HtmlBody: '<p>Hello</p>',
      TextBody: 'Hello',
      Headers: [{ Name: 'X-Team', Value: 'blue' }],
      Metadata: { tidings_message_id: samples.email.id },
      Attachments: [{ Name: 'a.txt', ContentType: 'text/plain', Content: 'aGk=' }],
      MessageStream: 'broadcast',
    },
  },
  accepted: {
    reply: { json: { To: 'ada@example.org', MessageID: 'b7bc2f4a', ErrorCode: 0, Message: 'OK' } },
    id: 'b7bc2f4a',
  },
  badRecipient: {
    reply: { status: 422, json: { ErrorCode: 300, Message: "Invalid 'To' address" } },
    reason: "422 Invalid 'To' address",
  },
  replies: [
    [
      'an inactive recipient is gone',
      {
        status: 422,
        json: { ErrorCode: 406, Message: 'You tried to send to a recipient that has been marked inactive' },
      },
      { kind: 'rejected', because: 'gone' },
    ],
    [
      'a sender that is not confirmed is the fault of the integration',
      { status: 422, json: { ErrorCode: 400, Message: 'Sender signature not found' } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'so is one that is no signature at all',
      {
        status: 422,
        json: {
          ErrorCode: 300,
          Message: "The 'From' address you supplied (team@example.com) is not a Sender Signature on your account.",
        },
      },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'recipients that are inactive are told of, beside those that are not',
      {
        status: 200,
        json: {
          ErrorCode: 0,
          MessageID: 'b7bc2f4a',
          Message: 'Message OK, but will not deliver to these inactive addresses: bob@example.org',
        },
      },
      {
        kind: 'sent',
        id: 'b7bc2f4a',
        note: 'Message OK, but will not deliver to these inactive addresses: bob@example.org',
      },
    ],
    [
      'so are used-up credits',
      { status: 422, json: { ErrorCode: 405, Message: 'Not allowed to send' } },
      { kind: 'rejected', because: 'integration' },
    ],
    ['maintenance passes', { status: 422, json: { ErrorCode: 100, Message: 'Maintenance' } }, { kind: 'retry' }],
    [
      'a limit by its code paces everybody',
      { status: 422, json: { ErrorCode: 429, Message: 'Rate limit exceeded' } },
      { kind: 'retry', paces: true },
    ],
    [
      'a 200 with an error inside is an error',
      { status: 200, json: { ErrorCode: 406, Message: 'inactive' } },
      { kind: 'rejected', because: 'gone' },
    ],
  ],
  check: { url: 'https://api.postmarkapp.com/server', good: { json: { ID: 1 } } },
})

describe('events of postmark', () => {
  const verify = (authorization: string | undefined, signingKey: string) =>
    postmark.inbound?.verify(
      inboundCall({
        headers: authorization === undefined ? {} : { authorization },
        body: '{}',
        url: 'https://tidings.example/inbound',
        signingKey,
        now,
      }),
    )

  test('are believed with the name and password of the webhook, or its password alone', () => {
    expect(verify(basicAuth('postmark', 'pa:ss'), 'postmark:pa:ss')).toBe(true)
    expect(verify(basicAuth('anybody', 'pass'), 'pass')).toBe(true)
  })

  test('are not believed with another password, another name, or none', () => {
    expect(verify(basicAuth('postmark', 'wrong'), 'postmark:pass')).toBe(false)
    expect(verify(basicAuth('other', 'pass'), 'postmark:pass')).toBe(false)
    expect(verify(undefined, 'pass')).toBe(false)
    expect(verify('Bearer pass', 'pass')).toBe(false)
    expect(verify(basicAuth('', ''), '')).toBe(false)
    expect(verify(undefined, '')).toBe(false)
  })

  const common = { MessageID: 'b7bc2f4a', Metadata: { tidings_message_id: samples.email.id } }
  const about = { externalId: 'b7bc2f4a', messageId: samples.email.id, address: 'ada@example.org' }
  const reader = { Recipient: 'ada@example.org', Tag: '' }
  const change = { ...reader, RecordType: 'SubscriptionChange' }
  const bounce = { RecordType: 'Bounce', Email: 'ada@example.org', Description: 'could not be delivered', Details: '' }

  test.each([
    [
      'a delivery',
      { RecordType: 'Delivery', Recipient: 'ada@example.org', Details: '250 OK' },
      [{ kind: 'delivered', ...about }],
    ],
    [
      'a bounce for good',
      { ...bounce, Type: 'HardBounce', Details: '550 unknown', Inactive: true },
      [{ kind: 'bounced', permanent: true, reason: '550 unknown', ...about }],
    ],
    [
      'a bounce that may pass',
      { ...bounce, Type: 'SoftBounce', Inactive: false },
      [{ kind: 'bounced', permanent: false, reason: 'could not be delivered', ...about }],
    ],
    [
      'an address that was switched off',
      { ...bounce, Type: 'ManuallyDeactivated', Inactive: true },
      [{ kind: 'bounced', permanent: true, reason: 'could not be delivered', ...about }],
    ],
    [
      'a complaint',
      { ...bounce, RecordType: 'SpamComplaint', Type: 'SpamComplaint' },
      [{ kind: 'complained', reason: 'could not be delivered', ...about }],
    ],
    [
      'a complaint that came as a bounce',
      { ...bounce, Type: 'SpamComplaint' },
      [{ kind: 'complained', reason: 'could not be delivered', ...about }],
    ],
    [
      'an absence note',
      { ...bounce, Type: 'AutoResponder', Inactive: false },
      [{ kind: 'other', ...about, name: 'AutoResponder', reason: 'could not be delivered' }],
    ],
    [
      'a mail that is late',
      { ...bounce, Type: 'Transient', Details: '421 busy' },
      [{ kind: 'other', ...about, name: 'Transient', reason: '421 busy' }],
    ],
    [
      'who answers that they want no more',
      { ...bounce, Type: 'Unsubscribe', Description: '' },
      [{ kind: 'unsubscribed', ...about }],
    ],
    ['an opening', { ...reader, RecordType: 'Open', FirstOpen: true }, [{ kind: 'opened', ...about }]],
    [
      'a click',
      { ...reader, RecordType: 'Click', OriginalLink: 'https://example.org' },
      [{ kind: 'clicked', ...about }],
    ],
    [
      'who wants no more',
      { ...change, SuppressSending: true, SuppressionReason: 'ManualSuppression', Origin: 'Recipient' },
      [{ kind: 'unsubscribed', ...about }],
    ],
    [
      'whom the tenant wants to leave in peace',
      { ...change, SuppressSending: true, SuppressionReason: 'ManualSuppression', Origin: 'Customer' },
      [{ kind: 'other', ...about, name: 'SubscriptionChange', reason: 'ManualSuppression' }],
    ],
    [
      'who may be written to again',
      { ...change, SuppressSending: false, SuppressionReason: null, Origin: 'Recipient' },
      [{ kind: 'other', ...about, name: 'SubscriptionChange' }],
    ],
    ['an event of the future', { ...reader, RecordType: 'Teleport' }, [{ kind: 'other', ...about, name: 'Teleport' }]],
  ])('tell of %s', (_name, event, callbacks) => {
    expect(postmark.inbound?.read({ headers: {}, body: JSON.stringify({ ...common, ...event }) })).toEqual(callbacks)
  })

  test.each(['', 'null', '[]', '"x"'])('are none in %j', (body) => {
    expect(postmark.inbound?.read({ headers: {}, body })).toEqual([])
  })
})
