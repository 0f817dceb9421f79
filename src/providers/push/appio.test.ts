import { describe, expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import appio from './appio.ts'

const text = {
  title: 'Your order is on its way',
  body: 'Good morning Ada, your order number 42 left our house today and will be with you by tomorrow evening.',
}
const profile = { json: { sender_allowed: true } }

providerTable(appio, {
  credentials: { apiKey: 'io-key' },
  sendsWithLess: 'a trigger may give the key',
  before: { '/profiles': profile },
  message: { ...text, token: 'AAAAAA00A00A000A', overrides: { feature_level_type: 'STANDARD' } },
  request: {
    url: 'https://api.io.pagopa.it/api/v1/messages',
    headers: { 'ocp-apim-subscription-key': 'io-key' },
    json: {
      fiscal_code: 'AAAAAA00A00A000A',
      content: { subject: text.title, markdown: text.body },
      feature_level_type: 'STANDARD',
    },
  },
  accepted: { reply: { status: 201, json: { id: '01FKG3' } }, id: '01FKG3' },
  badRecipient: 'tested apart',
  common: { garbage: 'unknown' },
  replies: [
    [
      'a text that is too short is refused for good',
      { status: 400, json: { detail: 'value is not a valid markdown', status: 400, title: 'Invalid NewMessage' } },
      { kind: 'rejected', reason: '400 value is not a valid markdown' },
    ],
    [
      'a bad key is the integration',
      { status: 401, json: { statusCode: 401, message: 'Access denied due to invalid subscription key.' } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
})

describe('appio', () => {
  test('a citizen the service may not write to is not the fault of the integration', async () => {
    const json = { title: 'You are not allowed to issue requests for the recipient.', status: 403 }
    const { outcome } = await trySend(appio, {
      credentials: { apiKey: 'k' },
      message: text,
      http: [profile, reply(403, json)],
    })
    expect(outcome).toEqual({ kind: 'rejected', reason: `403 ${json.title}` })
  })

  test('the key may come with the trigger, and never goes into the body', async () => {
    const { requests } = await trySend(appio, {
      credentials: { AppIOBaseUrl: 'https://io.example.it/v1/' },
      message: { ...text, overrides: { apiKey: 'of-trigger' } },
      http: [profile, reply(201, { id: '1' })],
    })
    expect(requests[1]).toMatchObject({
      url: 'https://io.example.it/v1/messages',
      headers: { 'ocp-apim-subscription-key': 'of-trigger' },
    })
    expect(JSON.stringify(requests.map(({ json }) => json))).not.toContain('of-trigger')
  })

  test('the key of the integration wins; without any nothing leaves', async () => {
    const overrides = { apiKey: 'of-trigger' }
    const vendor = () => reply(201, { id: '1' })
    const own = await trySend(appio, { credentials: { apiKey: 'own' }, message: { ...text, overrides }, http: vendor })
    expect(own.requests[0]?.headers).toEqual({ 'ocp-apim-subscription-key': 'own' })
    expect(await trySend(appio, { message: text, http: vendor })).toMatchObject({
      outcome: { kind: 'rejected', because: 'integration' },
      requests: [],
    })
  })

  test('the citizen is looked up first', async () => {
    const { requests } = await trySend(appio, {
      credentials: { apiKey: 'k' },
      message: { ...text, token: 'AAAAAA00A00A000A' },
      http: [profile, reply(201, { id: '1' })],
    })
    expect(requests).toHaveLength(2)
    expect(requests[0]).toEqual({
      url: 'https://api.io.pagopa.it/api/v1/profiles',
      headers: { 'ocp-apim-subscription-key': 'k' },
      json: { fiscal_code: 'AAAAAA00A00A000A' },
    })
  })

  test.each([
    ['is not in the app', reply(404, { title: 'Profile not found' }), '404 Profile not found'],
    ['wants nothing from this service', reply(200, { sender_allowed: false }), 'switched this service off'],
  ])('who %s gets no message', async (_name, found, words) => {
    const { outcome, requests } = await trySend(appio, { credentials: { apiKey: 'k' }, message: text, http: [found] })
    expect(outcome).toEqual({ kind: 'rejected', reason: expect.stringContaining(words) })
    expect(requests).toHaveLength(1)
  })

  test('a look-up that broke has sent nothing', async () => {
    const { outcome, requests } = await trySend(appio, {
      credentials: { apiKey: 'k' },
      message: text,
      http: [reply(500)],
    })
    expect(outcome).toMatchObject({ kind: 'retry' })
    expect(requests).toHaveLength(1)
  })

  test.each([
    [{ ...text, title: 'Too short' }, 'the title has 9 characters: App IO takes 10 to 120'],
    [{ ...text, title: 'x'.repeat(121) }, 'the title has 121 characters: App IO takes 10 to 120'],
    [{ ...text, body: 'x'.repeat(79) }, 'the body has 79 characters: App IO takes 80 to 10,000'],
    [{ ...text, body: 'x'.repeat(10_001) }, 'the body has 10001 characters: App IO takes 80 to 10,000'],
  ])('a text of another length is refused before the call', async (message, reason) => {
    const { outcome, requests } = await trySend(appio, { credentials: { apiKey: 'k' }, message })
    expect(outcome).toEqual({ kind: 'rejected', reason })
    expect(requests).toEqual([])
  })

  test('content the trigger gives is left to the vendor', async () => {
    const content = { subject: 'Short', markdown: 'Short' }
    const { requests } = await trySend(appio, {
      credentials: { apiKey: 'k' },
      message: { overrides: { content } },
      http: [profile, reply(201, { id: '1' })],
    })
    expect(requests[1]?.json).toMatchObject({ content })
  })

  describe('a key from the trigger', () => {
    const send = (...http: ReturnType<typeof reply>[]) =>
      trySend(appio, { message: { ...text, overrides: { apiKey: 'of-trigger' } }, http })

    test.each([401, 403])('that is refused (%i) says nothing about the integration', async (status) => {
      expect((await send(reply(status, { message: 'no' }))).outcome).toEqual({
        kind: 'rejected',
        reason: `${status} no`,
      })
      const later = await send(reply(200, { sender_allowed: true }), reply(status, { message: 'no' }))
      expect(later.outcome).toEqual({ kind: 'rejected', reason: `${status} no` })
    })

    test('that is limited paces what goes to this address only', async () => {
      expect((await send(reply(429))).outcome).toMatchObject({ kind: 'retry', paces: 'target' })
    })
  })
})
