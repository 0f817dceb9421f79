import { describe, expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk, junkBodies } from '../../../test/providers/inbound-tests.ts'
import { samples } from '../../../test/providers/provider-samples.ts'
import { sendWithCallback } from '../../../test/providers/send-with-callback.ts'
import brevoSms from '../sms/brevo-sms.ts'
import { brevoCallbacks, brevoSmsCallbacks } from './brevo.ts'

describe('mails of Brevo', () => {
  believesKeyInUrl(brevoCallbacks)

  const mail = {
    id: 26224,
    email: 'ada@example.org',
    'message-id': '<202601020304.1@smtp-relay.mailin.fr>',
    'X-Mailin-custom': JSON.stringify({ tidings_message_id: samples.email.id }),
    ts_event: 1767323045,
  }
  const about = { externalId: mail['message-id'], messageId: samples.email.id, address: 'ada@example.org' }
  const reason = '550-5.1.1 no such user'
  const read = (body: unknown) => brevoCallbacks.read({ headers: {}, body: JSON.stringify(body) })

  test.each([
    ['delivered', { kind: 'delivered', ...about }],
    ['hard_bounce', { kind: 'bounced', permanent: true, ...about, reason }],
    ['invalid_email', { kind: 'bounced', permanent: true, ...about, reason }],
    ['soft_bounce', { kind: 'bounced', permanent: false, ...about, reason }],
    ['blocked', { kind: 'bounced', permanent: false, ...about, reason }],
    ['error', { kind: 'bounced', permanent: false, ...about, reason }],
    ['spam', { kind: 'complained', ...about, reason }],
    ['complaint', { kind: 'complained', ...about, reason }],
    ['opened', { kind: 'opened', ...about, reason }],
    ['unique_opened', { kind: 'opened', ...about, reason }],
    ['proxy_open', { kind: 'opened', ...about, reason: 'loaded by a proxy of the mailbox' }],
    ['unique_proxy_open', { kind: 'opened', ...about, reason: 'loaded by a proxy of the mailbox' }],
    ['click', { kind: 'clicked', ...about, reason }],
    ['unsubscribed', { kind: 'unsubscribed', ...about, reason }],
    ['deferred', { kind: 'other', ...about, reason, name: 'deferred' }],
    ['list_addition', { kind: 'other', ...about, reason, name: 'list_addition' }],
  ])('are told of by %s', (event, callback) => {
    expect(read({ event, reason, ...mail })).toEqual([callback])
  })

  test('on their way say nothing new', () => {
    expect(read({ event: 'request', ...mail })).toEqual([])
  })

  test('come in a list too', () => {
    expect(
      read([
        { event: 'request', ...mail },
        { event: 'delivered', ...mail },
      ]),
    ).toEqual([{ kind: 'delivered', ...about }])
  })

  test('have their id in brackets, as in the reply', () => {
    const bare = { event: 'click', 'message-id': '202601020304.1@smtp-relay.mailin.fr', 'X-Mailin-custom': 'junk' }
    expect(read(bare)).toEqual([{ kind: 'clicked', externalId: about.externalId }])
  })

  test.each(junkBodies)('are none in %.40s', (body) => {
    expect(brevoCallbacks.read({ headers: {}, body })).toEqual([])
    expect(read({ event: body })).toHaveLength(body === '' ? 0 : 1)
  })
})

describe('SMS of Brevo', () => {
  believesKeyInUrl(brevoSmsCallbacks)

  test('say where to report, if somebody listens', async () => {
    const url = 'https://tidings.example/v1/webhooks/0198c000?key=k'
    expect((await sendWithCallback(brevoSms, url)).json).toMatchObject({ webUrl: url })
    expect((await sendWithCallback(brevoSms)).json).toMatchObject({ webUrl: undefined })
  })

  const read = (body: unknown) => brevoSmsCallbacks.read({ headers: {}, body: JSON.stringify(body) })
  const sms = { id: 26570, to: '15005550006', sms_count: 1, messageId: 1511882900176220, type: 'transactional' }
  const externalId = '1511882900176220'

  test.each([
    ['delivered', { kind: 'delivered', externalId }],
    ['hard_bounce', { kind: 'bounced', permanent: true, externalId }],
    ['soft_bounce', { kind: 'bounced', permanent: false, externalId }],
    ['rejected', { kind: 'bounced', permanent: false, externalId }],
    ['replied', { kind: 'other', externalId, name: 'replied' }],
  ])('are told of by %s', (msg_status, callback) => {
    expect(read({ ...sms, msg_status })).toEqual([callback])
  })

  test('on their way say nothing new', () => {
    expect(read({ ...sms, msg_status: 'sent' })).toEqual([])
    expect(read({ ...sms, msg_status: 'accepted' })).toEqual([])
  })

  ignoresJunk(brevoSmsCallbacks)
})
