import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { otherSigners } from '../../../test/providers/signers/others.ts'
import { whatsappCallbacks } from './whatsapp.ts'

const { verify, read, challenge } = whatsappCallbacks
const signer = otherSigners['whatsapp-business']
if (!signer?.events) throw new Error('no signer')
const { delivered, bounced } = signer.events({ externalId: 'wamid.HBgL', messageId: '0198c000', to: '+15005550006' })
const signed = (body: string) => signer.sign({ body, url: '', now: new Date() })

const said = (...statuses: object[]) =>
  JSON.stringify({ object: 'whatsapp_business_account', entry: [{ changes: [change({ statuses })] }] })
const change = (value: object, name = 'messages') => ({ field: name, value })
const readBody = (body: string) => read({ body, headers: {} })

describe('the proof', () => {
  test('is the body signed with the app secret', () => {
    expect(verify(inboundCall({ ...signed(delivered), signingKey: 'app-secret' }))).toBe(true)
    const umlauts = '{"entry":[],"text":"äöå \\u00e4"}'
    expect(verify(inboundCall({ ...signed(umlauts), signingKey: 'app-secret' }))).toBe(true)
  })

  test.each([
    ['another key', { signingKey: 'other' }],
    ['an empty key', { signingKey: '' }],
    ['another body', { body: bounced ?? '' }],
    ['no header', { headers: {} }],
    [
      'no algorithm',
      { headers: { 'x-hub-signature-256': signed(delivered).headers['x-hub-signature-256']?.slice(7) ?? '' } },
    ],
    ['an empty signature', { headers: { 'x-hub-signature-256': 'sha256=' } }],
  ])('fails with %s', (_name, changes) => {
    expect(verify(inboundCall({ ...signed(delivered), signingKey: 'app-secret', ...changes }))).toBe(false)
  })
})

describe('the challenge', () => {
  const ask = (query: string, token: unknown = 'my verify token') =>
    challenge?.({ url: `https://t.example/v1/webhooks/1${query}`, signingKey: 'app-secret', credentials: { token } })
  const good = '?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=my+verify%20token'

  test('is given back to who knows the verify token', () => {
    expect(ask(good)).toEqual({ type: 'text/plain', body: '1158201444' })
  })

  test.each([
    ['no query', ''],
    ['another token', good.replace('my+', 'your+')],
    ['the app secret as token', good.replace('my+verify%20token', 'app-secret')],
    ['no token', good.replace(/&hub.verify_token=.*/, '')],
    ['another mode', good.replace('subscribe', 'unsubscribe')],
    ['nothing to give back', good.replace('1158201444', '')],
    ['a page to give back', good.replace('1158201444', 'x'.repeat(201))],
  ])('is not answered with %s', (_name, query) => expect(ask(query)).toBeUndefined())

  test.each([undefined, '', 7])('is not answered as long as the token is %s', (token) => {
    expect(challenge?.({ url: `https://t.example/${good}`, signingKey: 'k', credentials: { token } })).toBeUndefined()
    const empty = good.replace('my+verify%20token', '')
    expect(challenge?.({ url: `https://t.example/${empty}`, signingKey: 'k', credentials: { token } })).toBeUndefined()
  })
})

describe('what it says', () => {
  const about = { externalId: 'wamid.1', messageId: '0198c000' }
  const status = (word: string, more: object = {}) => ({
    id: 'wamid.1',
    status: word,
    timestamp: '1750263773',
    recipient_id: '15005550006',
    biz_opaque_callback_data: '0198c000',
    pricing: { billable: true, pricing_model: 'PMP', category: 'utility' },
    ...more,
  })

  test.each([
    ['delivered', { kind: 'delivered' }],
    ['read', { kind: 'opened' }],
    ['played', { kind: 'opened' }],
    ['deleted', { kind: 'other', name: 'deleted' }],
  ])('%s', (word, expected) => expect(readBody(said(status(word)))).toEqual([{ ...about, ...expected }]))

  test('sent says nothing new', () => expect(readBody(said(status('sent')))).toEqual([]))

  test.each([
    [
      {
        code: 131026,
        title: 'Message undeliverable',
        message: 'Message undeliverable',
        error_data: { details: 'Details.' },
      },
      '131026 Message undeliverable: Details.',
    ],
    [
      { code: 131047, title: 'Re-engagement message', error_data: { details: 'Re-engagement message' } },
      '131047 Re-engagement message',
    ],
    [{ code: 130472, message: 'Part of an experiment' }, '130472 Part of an experiment'],
    [{ code: 131049 }, '131049'],
  ])('failed, and why: %o', (error, reason) => {
    expect(readBody(said(status('failed', { errors: [error] })))).toEqual([{ kind: 'bounced', ...about, reason }])
  })

  test('failed without a reason', () => {
    expect(readBody(said(status('failed')))).toEqual([{ kind: 'bounced', ...about }])
  })

  test('many in one call; what people write and calls by voice are left out', () => {
    const messages = [{ from: '15005550006', id: 'wamid.9', type: 'text', text: { body: 'Hello' } }]
    const entry = [
      { changes: [change({ statuses: [status('delivered'), status('read')] }), change({ messages })] },
      { changes: [change({ statuses: [status('RINGING')] }, 'calls'), change({ statuses: [status('delivered')] })] },
    ]
    expect(readBody(JSON.stringify({ entry })).map(({ kind }) => kind)).toEqual(['delivered', 'opened', 'delivered'])
  })

  test.each(['', 'junk', '[]', '{}', 'null', '"text"', '['.repeat(9_000) + ']'.repeat(9_000)])(
    'junk: %.20s',
    (body) => {
      expect(readBody(body)).toEqual([])
    },
  )

  test('fields of another kind than documented', () => {
    for (const odd of [null, 1, 'x', [], {}, [null], [[]], [1]]) {
      expect(readBody(JSON.stringify({ entry: odd }))).toEqual([])
      expect(readBody(JSON.stringify({ entry: [{ changes: odd }] }))).toEqual([])
      expect(readBody(JSON.stringify({ entry: [{ changes: [{ field: 'messages', value: odd }] }] }))).toEqual([])
      expect(readBody(JSON.stringify({ entry: [{ changes: [change({ statuses: odd })] }] }))).toEqual([])
    }
  })
})
