import { describe, expect, test } from 'vitest'
import { believesKeyInUrl, junkBodies } from '../../../test/providers/inbound-tests.ts'
import { samples } from '../../../test/providers/provider-samples.ts'
import { sparkpostCallbacks } from './sparkpost.ts'

describe('events of SparkPost', () => {
  believesKeyInUrl(sparkpostCallbacks)

  const mail = {
    event_id: '92356927693813856',
    transmission_id: '65832150921904138',
    message_id: '000443ee14578172be22',
    rcpt_to: 'ada@example.org',
    raw_rcpt_to: 'Ada@example.org',
    rcpt_meta: { tidings_message_id: samples.email.id },
    timestamp: '1767323045',
  }
  const about = { externalId: mail.transmission_id, messageId: samples.email.id, address: 'Ada@example.org' }
  const wrap = (kind: string, event: object) => ({ msys: { [kind]: { ...mail, ...event } } })
  const read = (body: unknown) => sparkpostCallbacks.read({ headers: {}, body: JSON.stringify(body) })
  const raw_reason = '550 5.1.1 no such user'
  const bounced = { ...about, reason: raw_reason }
  const failed = { kind: 'bounced', permanent: false, ...bounced }

  test.each<[string, object, object]>([
    ['message_event', { type: 'delivery' }, { kind: 'delivered', ...about }],
    ['message_event', { type: 'bounce', bounce_class: '10', raw_reason }, { ...failed, permanent: true }],
    ['message_event', { type: 'bounce', bounce_class: 30, raw_reason }, { ...failed, permanent: true }],
    ['message_event', { type: 'bounce', bounce_class: '22', raw_reason }, failed],
    ['message_event', { type: 'bounce', bounce_class: '25', reason: raw_reason }, failed],
    ['message_event', { type: 'out_of_band', bounce_class: '10', raw_reason }, { ...failed, permanent: true }],
    ['message_event', { type: 'out_of_band', bounce_class: '60' }, { kind: 'other', ...about, name: 'auto-reply' }],
    ['message_event', { type: 'out_of_band', bounce_class: '80' }, { kind: 'other', ...about, name: 'subscribe' }],
    ['message_event', { type: 'out_of_band', bounce_class: '90' }, { kind: 'unsubscribed', ...about }],
    [
      'message_event',
      { type: 'out_of_band', bounce_class: '100' },
      { kind: 'other', ...about, name: 'challenge-response' },
    ],
    ['message_event', { type: 'policy_rejection', raw_reason }, failed],
    ['message_event', { type: 'delay', raw_reason }, { kind: 'other', ...bounced, name: 'delay' }],
    ['message_event', { type: 'spam_complaint', fbtype: 'abuse' }, { kind: 'complained', ...about, reason: 'abuse' }],
    ['gen_event', { type: 'generation_failure', raw_reason }, failed],
    ['gen_event', { type: 'generation_rejection', raw_reason }, failed],
    ['track_event', { type: 'open' }, { kind: 'opened', ...about }],
    ['track_event', { type: 'initial_open' }, { kind: 'opened', ...about }],
    ['track_event', { type: 'amp_open' }, { kind: 'opened', ...about }],
    ['track_event', { type: 'amp_initial_open' }, { kind: 'opened', ...about }],
    ['track_event', { type: 'click', target_link_url: 'https://example.org' }, { kind: 'clicked', ...about }],
    ['track_event', { type: 'amp_click' }, { kind: 'clicked', ...about }],
    ['unsubscribe_event', { type: 'list_unsubscribe' }, { kind: 'unsubscribed', ...about }],
    ['unsubscribe_event', { type: 'link_unsubscribe' }, { kind: 'unsubscribed', ...about }],
  ])('are read: %s %j', (kind, event, callback) => {
    expect(read([wrap(kind, event)])).toEqual([callback])
  })

  test('come in lists; those on their way, tests and mails that come in say nothing', () => {
    const others = [wrap('message_event', { type: 'injection' }), { msys: {} }, wrap('relay_message', { type: 'x' })]
    expect(read([...others, wrap('message_event', { type: 'delivery' })])).toEqual([{ kind: 'delivered', ...about }])
  })

  test.each(junkBodies)('are none in %.40s', (body) => {
    expect(sparkpostCallbacks.read({ headers: {}, body })).toEqual([])
    expect(read([{ msys: body }, { msys: { message_event: body } }])).toEqual([])
  })
})
