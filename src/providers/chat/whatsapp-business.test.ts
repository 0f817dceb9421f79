import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import whatsappBusiness from './whatsapp-business.ts'

const credentials = { apiToken: 'EAAG', phoneNumberIdentification: '106540352242922' }
const error = (code: number, message = `(#${code}) words`) => ({ error: { message, type: 'OAuthException', code } })

providerTable(whatsappBusiness, {
  credentials,
  request: {
    url: 'https://graph.facebook.com/v24.0/106540352242922/messages',
    headers: { authorization: 'Bearer EAAG' },
    json: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+15005550006',
      type: 'text',
      text: { body: 'Hello Ada' },
      biz_opaque_callback_data: samples.chat.id,
    },
  },
  accepted: {
    reply: {
      json: {
        messaging_product: 'whatsapp',
        contacts: [{ input: '+15005550006', wa_id: '15005550006' }],
        messages: [{ id: 'wamid.HBgL' }],
      },
    },
    id: 'wamid.HBgL',
  },
  badRecipient: { reply: { status: 400, json: error(131026) }, reason: '400 (#131026) words' },
  common: { garbage: 'unknown' },
  replies: [
    [
      'a rate limit paces everybody, whatever its status',
      { status: 400, headers: { 'retry-after': '9' }, json: error(130429, '(#130429) Rate limit hit') },
      { kind: 'retry', reason: '400 (#130429) Rate limit hit', paces: true, afterMs: 9_000 },
    ],
    ['an overloaded service did not take it', { status: 500, json: error(131016) }, { kind: 'retry' }],
    [
      'an expired token is the integration',
      { status: 400, json: error(190) },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a missing permission is the integration',
      { status: 400, json: error(200) },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a locked account is the integration',
      { status: 400, json: error(131031) },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a number of ours that is not registered is the integration',
      { status: 400, json: error(133010) },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'so is one whose registration is faulty',
      { status: 500, json: error(131045) },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'so is a phone number ID that is none, or not for this token',
      { status: 400, json: { error: { ...error(100, 'Unsupported post request').error, error_subcode: 33 } } },
      { kind: 'rejected', reason: '400 Unsupported post request', because: 'integration' },
    ],
    ['an error nobody knows leaves us in the dark', { status: 500, json: error(131000) }, { kind: 'unknown' }],
  ],
  check: {
    url: 'https://graph.facebook.com/v24.0/106540352242922?fields=id',
    good: { json: { id: '106540352242922' } },
  },
})

describe('whatsapp-business', () => {
  test('a template of the trigger takes the place of the text', async () => {
    const template = { name: 'order_confirmation', language: { code: 'en' } }
    const { requests } = await trySend(whatsappBusiness, {
      credentials,
      message: { overrides: { template } },
      http: () => reply(200),
    })
    expect(requests[0]?.json).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+15005550006',
      type: 'template',
      biz_opaque_callback_data: samples.chat.id,
      template,
    })
  })

  test('a trigger may send any other type', async () => {
    const overrides = { type: 'image', image: { link: 'https://example.com/a.png' } }
    const { requests } = await trySend(whatsappBusiness, {
      credentials,
      message: { overrides },
      http: () => reply(200),
    })
    expect(requests[0]?.json).toMatchObject(overrides)
    expect(requests[0]?.json).not.toHaveProperty('text')
  })

  test.each([
    [
      'one recipient had too many: only they wait',
      400,
      131056,
      { kind: 'retry', reason: '400 (#131056) words', paces: 'target' },
    ],
    [
      'a country that is closed to the account is one of many',
      403,
      130497,
      { kind: 'rejected', reason: '403 (#130497) words' },
    ],
    ['the 24 hours are over', 400, 131047, { kind: 'rejected', reason: '400 (#131047) words' }],
  ])('%s', async (_name, status, code, outcome) => {
    expect((await trySend(whatsappBusiness, { credentials, http: () => reply(status, error(code)) })).outcome).toEqual(
      outcome,
    )
  })

  test('a parameter that is wrong is the fault of this message alone', async () => {
    const { outcome } = await trySend(whatsappBusiness, { credentials, http: () => reply(400, error(100)) })
    expect(outcome).toEqual({ kind: 'rejected', reason: '400 (#100) words' })
  })

  test('an id cannot lead to another path', async () => {
    const { requests } = await trySend(whatsappBusiness, {
      credentials: { ...credentials, phoneNumberIdentification: '../me' },
      http: () => reply(200),
    })
    expect(requests[0]?.url).toBe('https://graph.facebook.com/v24.0/..%2Fme/messages')
  })
})
