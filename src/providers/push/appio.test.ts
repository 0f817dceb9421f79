import { describe, expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import appio from './appio.ts'

providerTable(appio, {
  credentials: { apiKey: 'io-key' },
  message: { token: 'AAAAAA00A00A000A', overrides: { feature_level_type: 'STANDARD' } },
  request: {
    url: 'https://api.io.italia.it/api/v1/messages',
    headers: { 'ocp-apim-subscription-key': 'io-key' },
    json: {
      fiscal_code: 'AAAAAA00A00A000A',
      content: { subject: 'Hello', markdown: 'Hello Ada' },
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
    const { outcome } = await trySend(appio, { credentials: { apiKey: 'k' }, http: () => reply(403, json) })
    expect(outcome).toEqual({ kind: 'rejected', reason: `403 ${json.title}` })
  })

  test('the key may come with the trigger, and never goes into the body', async () => {
    const { requests } = await trySend(appio, {
      credentials: { AppIOBaseUrl: 'https://io.example.it/v1/' },
      message: { overrides: { apiKey: 'of-trigger' } },
      http: () => reply(201, { id: '1' }),
    })
    expect(requests[0]).toMatchObject({
      url: 'https://io.example.it/v1/messages',
      headers: { 'ocp-apim-subscription-key': 'of-trigger' },
    })
    expect(JSON.stringify(requests[0]?.json)).not.toContain('of-trigger')
  })

  test('the key of the integration wins; without any nothing leaves', async () => {
    const overrides = { apiKey: 'of-trigger' }
    const vendor = () => reply(201, { id: '1' })
    const own = await trySend(appio, { credentials: { apiKey: 'own' }, message: { overrides }, http: vendor })
    expect(own.requests[0]?.headers).toEqual({ 'ocp-apim-subscription-key': 'own' })
    expect(await trySend(appio, { http: vendor })).toMatchObject({
      outcome: { kind: 'rejected', because: 'integration' },
      requests: [],
    })
  })
})
