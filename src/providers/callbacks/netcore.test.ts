import { describe, expect, test } from 'vitest'
import { believesKeyInUrl, junkBodies } from '../../../test/providers/inbound-tests.ts'
import { samples } from '../../../test/providers/provider-samples.ts'
import { netcoreCallbacks } from './netcore.ts'

describe('events of Netcore', () => {
  believesKeyInUrl(netcoreCallbacks)

  const mail = {
    TRANSID: 1553625011170280,
    EMAIL: 'ada@example.org',
    TIMESTAMP: 1767323045,
    FROMADDRESS: 'team@example.com',
    MSIZE: 2155,
    'X-APIHEADER': samples.email.id,
    TAGS: '',
  }
  const about = { messageId: samples.email.id, address: 'ada@example.org' }
  const RESPONSE = 'smtp;550 5.1.1 user unknown'
  const read = (body: unknown) => netcoreCallbacks.read({ headers: {}, body: JSON.stringify(body) })

  test.each<[string, object, object]>([
    ['sent', { RESPONSE: 'smtp;250 2.0.0 OK' }, { kind: 'delivered', ...about }],
    ['delivered', {}, { kind: 'delivered', ...about }],
    ['bounced', { RESPONSE }, { kind: 'bounced', permanent: true, ...about, reason: RESPONSE }],
    ['bounced', { BOUNCE_TYPE: 'SOFTBOUNCE' }, { kind: 'bounced', permanent: false, ...about }],
    ['invalid', {}, { kind: 'bounced', permanent: true, ...about }],
    [
      'dropped',
      { RESPONSE: 'already unsubscribed' },
      { kind: 'bounced', permanent: false, ...about, reason: 'already unsubscribed' },
    ],
    ['opened', { RESPONSE: '', USERAGENT: 'x' }, { kind: 'opened', ...about }],
    ['clicked', { RESPONSE: '' }, { kind: 'clicked', ...about }],
    ['unsubscribed', {}, { kind: 'unsubscribed', ...about }],
    ['abuse', {}, { kind: 'complained', ...about }],
    ['spam', {}, { kind: 'complained', ...about }],
    ['teleported', {}, { kind: 'other', ...about, name: 'teleported' }],
  ])('are read: %s %j', (EVENT, more, callback) => {
    expect(read([{ ...mail, EVENT, ...more }])).toEqual([callback])
  })

  test.each(junkBodies)('are none in %.40s', (body) => {
    expect(netcoreCallbacks.read({ headers: {}, body })).toEqual([])
    expect(read([body, { EVENT: [body] }])).toEqual([])
  })
})
