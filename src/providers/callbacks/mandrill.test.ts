import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { junkBodies } from '../../../test/providers/inbound-tests.ts'
import { samples } from '../../../test/providers/provider-samples.ts'
import { mandrillCallbacks } from './mandrill.ts'

const url = 'https://tidings.example/v1/webhooks/0198c000'
const form = (events: unknown) => new URLSearchParams({ mandrill_events: JSON.stringify(events) }).toString()
const hmac = (text: string, key: string) => createHmac('sha1', key).update(text).digest('base64')

describe('the proof of Mandrill', () => {
  const event = [{ event: 'open', _id: 'm1' }]
  const signed = `${url}mandrill_events${JSON.stringify(event)}`
  const verify = (body: string, signature: string, signingKey = 'key-1') =>
    mandrillCallbacks.verify(inboundCall({ body, url, signingKey, headers: { 'x-mandrill-signature': signature } }))

  test('is the signature of the URL and the form', () => {
    expect(verify(form(event), hmac(signed, 'key-1'))).toBe(true)
    const two = `${form(event)}&another=1`
    expect(verify(two, hmac(`${url}another1mandrill_events${JSON.stringify(event)}`, 'key-1'))).toBe(true)
  })

  test('is missing with another key, another form, or none', () => {
    expect(verify(form(event), hmac(signed, 'key-2'))).toBe(false)
    expect(verify(form([{ event: 'click', _id: 'm1' }]), hmac(signed, 'key-1'))).toBe(false)
    expect(verify(form(event), hmac(signed, ''), '')).toBe(false)
    expect(verify(form(event), '')).toBe(false)
    expect(verify('', hmac(url, 'key-1'))).toBe(false)
    const many = Array(101).fill('a=b').join('&')
    expect(verify(many, hmac(url + 'ab'.repeat(101), 'key-1'))).toBe(false)
    expect(verify(many, hmac(url, 'key-1'))).toBe(false)
  })

  test('of the call that tries the address is made with a key that all know, and good for nothing else', () => {
    expect(verify(form([]), hmac(`${url}mandrill_events[]`, 'test-webhook'))).toBe(true)
    expect(verify(form(event), hmac(signed, 'test-webhook'))).toBe(false)
    const doubled = `${form([])}&${form(event)}`
    expect(mandrillCallbacks.read({ headers: {}, body: doubled })).toEqual([])
  })
})

describe('events of Mandrill', () => {
  const read = (events: unknown) => mandrillCallbacks.read({ headers: {}, body: form(events) })
  const msg = {
    _id: 'exampleaaaaaaaaaaaaaaaaaaaaaaaaa',
    email: 'ada@example.org',
    metadata: { tidings_message_id: samples.email.id },
    state: 'sent',
    diag: null,
    bounce_description: null,
  }
  const about = { externalId: msg._id, messageId: samples.email.id, address: 'ada@example.org' }
  const bounce = { ...msg, state: 'bounced', bounce_description: 'bad_mailbox', diag: 'smtp;550 5.1.1 no such user' }
  const reason = bounce.diag

  test.each<[string, object, object]>([
    ['delivered', msg, { kind: 'delivered', ...about }],
    ['hard_bounce', bounce, { kind: 'bounced', permanent: true, ...about, reason }],
    ['soft_bounce', { ...bounce, diag: null }, { kind: 'bounced', permanent: false, ...about, reason: 'bad_mailbox' }],
    ['reject', { ...msg, state: 'rejected' }, { kind: 'bounced', permanent: false, ...about }],
    ['spam', msg, { kind: 'complained', ...about }],
    ['open', msg, { kind: 'opened', ...about }],
    ['click', msg, { kind: 'clicked', ...about }],
    ['unsub', msg, { kind: 'unsubscribed', ...about }],
    ['deferral', bounce, { kind: 'other', ...about, reason, name: 'deferral' }],
    ['teleport', msg, { kind: 'other', ...about, name: 'teleport' }],
  ])('are read: %s', (event, of, callback) => {
    expect(read([{ ts: 1767323045, event, _id: msg._id, msg: of }])).toEqual([callback])
  })

  test('on their way, of lists, and of mails that come in say nothing', () => {
    const others = [
      { event: 'send', msg },
      { type: 'blacklist', reject: { email: 'a@b.c' } },
      { event: 'inbound', msg },
    ]
    expect(read([...others, { event: 'open', msg }])).toEqual([{ kind: 'opened', ...about }])
  })

  test.each(junkBodies)('are none in %.40s', (junk) => {
    expect(mandrillCallbacks.read({ headers: {}, body: junk })).toEqual([])
    expect(read([{ msg: junk }])).toEqual([])
  })
})
