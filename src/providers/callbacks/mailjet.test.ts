import { describe, expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { samples } from '../../../test/providers/provider-samples.ts'
import { mailjetCallbacks } from './mailjet.ts'

describe('events of Mailjet', () => {
  believesKeyInUrl(mailjetCallbacks)

  const mail = {
    time: 1767323045,
    MessageID: 104427216766056450,
    Message_GUID: '5577705c-024a-472d-8918-29ef81a64738',
    email: 'ada@example.org',
    mj_campaign_id: 0,
    CustomID: samples.email.id,
    Payload: '',
  }
  const about = { externalId: mail.Message_GUID, messageId: samples.email.id, address: 'ada@example.org' }
  const read = (body: unknown) => mailjetCallbacks.read({ headers: {}, body: JSON.stringify(body) })

  test.each<[string, object, object]>([
    ['a delivery', { event: 'sent', smtp_reply: '250 OK' }, { kind: 'delivered', ...about }],
    ['an opening', { event: 'open', ip: '192.0.2.1' }, { kind: 'opened', ...about }],
    ['a click', { event: 'click', url: 'https://example.org' }, { kind: 'clicked', ...about }],
    ['a complaint', { event: 'spam', source: 'JMRPP' }, { kind: 'complained', ...about, reason: 'JMRPP' }],
    ['who wants no more', { event: 'unsub', mj_list_id: 1 }, { kind: 'unsubscribed', ...about }],
    [
      'a bounce for good',
      {
        event: 'bounce',
        hard_bounce: true,
        error_related_to: 'recipient',
        error: 'user unknown',
        comment: '550 5.1.1',
      },
      { kind: 'bounced', permanent: true, ...about, reason: 'user unknown: 550 5.1.1' },
    ],
    [
      'one that is not about the address',
      { event: 'bounce', hard_bounce: true, error_related_to: 'content', error: 'error in template language' },
      { kind: 'bounced', permanent: false, ...about, reason: 'error in template language' },
    ],
    [
      'one that may pass',
      { event: 'bounce', hard_bounce: false, error_related_to: 'policy issue', error: '', comment: '421 4.7.0' },
      { kind: 'bounced', permanent: false, ...about, reason: 'policy issue: 421 4.7.0' },
    ],
    [
      'one that is tried again',
      { event: 'bounce', hard_bounce: false, error_related_to: 'domain', error: 'greylisted' },
      { kind: 'other', ...about, name: 'greylisted', reason: 'greylisted' },
    ],
    [
      'one that was not tried',
      { event: 'blocked', error_related_to: 'mailjet', error: 'preblocked' },
      { kind: 'bounced', permanent: false, ...about, reason: 'preblocked' },
    ],
    ['an event of the future', { event: 'teleport' }, { kind: 'other', ...about, name: 'teleport' }],
  ])('tell of %s', (_name, event, callback) => {
    expect(read({ ...mail, ...event })).toEqual([callback])
  })

  test('come in a list too', () => {
    expect(read([{ ...mail, event: 'sent' }, { event: '' }, { ...mail, event: 'open' }])).toEqual([
      { kind: 'delivered', ...about },
      { kind: 'opened', ...about },
    ])
  })

  ignoresJunk(mailjetCallbacks)
})
