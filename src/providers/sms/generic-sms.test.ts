import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import generic from './generic-sms.ts'

const required = { baseUrl: 'https://sms.example.com/send?x=1', apiKeyRequestHeader: 'X-Api-Key', apiKey: 'key1' }

providerTable(generic, {
  credentials: { ...required, secretKeyRequestHeader: 'X-Secret', secretKey: 'hush', idPath: 'data.messages.0.id' },
  message: { overrides: { route: 'premium' } },
  request: {
    url: 'https://sms.example.com/send?x=1',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'key1',
      'x-secret': 'hush',
      'webhook-id': samples.sms.id,
      'webhook-timestamp': '1767323045',
    },
    json: {
      id: samples.sms.id,
      to: '+15005550006',
      from: '+15005550001',
      sender: '+15005550001',
      content: 'Hello Ada',
      route: 'premium',
    },
  },
  accepted: { reply: { json: { data: { messages: [{ id: 17 }] } } }, id: '17' },
  badRecipient: { reply: { status: 422, json: { error: 'no such number' } }, reason: '422 no such number' },
  replies: [
    ['an id that is not where it should be is unknown', { json: { id: 'm1' } }, { kind: 'unknown' }],
    [
      'a refusal is told in its own words',
      { status: 422, json: { error: 'no such route' } },
      { kind: 'rejected', reason: '422 no such route' },
    ],
  ],
})

const once = (credentials: object, reply: object = {}) =>
  trySend(generic, {
    credentials: { authenticateByToken: false, ...required, ...credentials },
    http: ({ url }) => (url.startsWith('https://auth.') ? reply : { json: reply }),
  })

describe('the id', () => {
  test('is at "id" unless said', async () => {
    expect((await once({}, { id: 'm1' })).outcome).toEqual({ kind: 'sent', id: 'm1' })
  })

  test('may be missing where nobody said that there is one', async () => {
    expect((await once({}, { ok: true })).outcome).toEqual({ kind: 'sent' })
  })

  test('is looked for among own properties only', async () => {
    expect((await once({ idPath: 'constructor.name' }, {})).outcome).toMatchObject({ kind: 'unknown' })
  })
})

describe('the secret key', () => {
  test('with a header of its own is sent and does not sign', async () => {
    const { requests } = await once({ secretKeyRequestHeader: 'X-Secret', secretKey: 'hush' })
    expect(requests[0]?.headers).toMatchObject({ 'X-Secret': 'hush' })
    expect(requests[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  test('without one signs the very body and is not sent', async () => {
    const { requests } = await once({ secretKey: `whsec_${Buffer.from('hush').toString('base64')}` })
    const { headers, body } = requests[0] ?? {}
    const signed = createHmac('sha256', 'hush')
      .update(`${samples.sms.id}.1767323045.${String(body)}`)
      .digest('base64')
    expect(headers?.['webhook-signature']).toBe(`v1,${signed}`)
    expect(Object.values(headers ?? {}).join()).not.toContain('whsec_')
  })
})

describe('by token', () => {
  const byToken = {
    authenticateByToken: true,
    domain: 'https://auth.example.com/login',
    authenticationTokenKey: 'X-Token',
  }

  test.each([
    ['under the name of its header', { 'X-Token': 't1' }],
    ['the same in data', { data: { 'X-Token': 't1' } }],
    ['as OAuth has it', { access_token: 't1', expires_in: 60 }],
  ])('the token is taken %s and sent instead of the keys', async (_name, json) => {
    const { requests } = await once(byToken, { json })
    expect(requests[0]).toMatchObject({
      url: 'https://auth.example.com/login',
      headers: { 'X-Api-Key': 'key1' },
      json: { 'X-Api-Key': 'key1' },
    })
    expect(requests[1]?.headers).toMatchObject({ 'X-Token': 't1' })
    expect(requests[1]?.headers).not.toHaveProperty('X-Api-Key')
  })

  test.each([
    ['no token came', byToken, { json: {} }, 1],
    ['it was refused', byToken, { status: 401 }, 1],
    ['nobody said where to get it', { ...byToken, domain: undefined }, {}, 0],
  ])('nothing is sent when %s', async (_name, credentials, reply, calls) => {
    const { outcome, requests } = await once(credentials, reply)
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(requests).toHaveLength(calls)
  })
})
