import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import bandwidth from './bandwidth.ts'

const credentials = { user: 'client', password: 'secret', accountSid: '9900000', applicationId: '93de2206' }

providerTable(bandwidth, {
  credentials,
  message: { overrides: { priority: 'high' } },
  before: { 'api.bandwidth.com/api/v1/oauth2/token': { json: { access_token: 'token1', expires_in: 3600 } } },
  request: {
    url: 'https://messaging.bandwidth.com/api/v2/users/9900000/messages',
    headers: { authorization: 'Bearer token1' },
    json: {
      applicationId: '93de2206',
      from: '+15005550001',
      to: ['+15005550006'],
      text: 'Hello Ada',
      tag: samples.sms.id,
      priority: 'high',
    },
  },
  accepted: {
    reply: { status: 202, json: { id: '1589228074636lm4k2je7j7jklbn2' } },
    id: '1589228074636lm4k2je7j7jklbn2',
  },
  badRecipient: {
    reply: { status: 400, json: { type: 'request-validation', description: "'to' is no E.164 number" } },
    reason: "400 'to' is no E.164 number",
  },
  replies: [
    [
      'a bad request is refused',
      { status: 400, json: { type: 'request-validation', description: "'from' is not in application" } },
      { kind: 'rejected', reason: "400 'from' is not in application" },
    ],
  ],
  common: { '500': 'retry' },
})

const token = { json: { access_token: 'token1', expires_in: 3600 } }

test('cannot be active without an application: the vendor takes no message without one', () => {
  expect(bandwidth.credentials.applicationId).toMatchObject({ required: true })
})

test('fetches the token by the client id and secret', async () => {
  const { requests } = await trySend(bandwidth, { credentials, http: () => token })
  expect(requests[0]).toEqual({
    url: 'https://api.bandwidth.com/api/v1/oauth2/token',
    headers: { authorization: 'Basic Y2xpZW50OnNlY3JldA==' },
    form: { grant_type: 'client_credentials' },
  })
  expect(requests).toHaveLength(2)
})

test('sends nothing without a token', async () => {
  const { outcome, requests } = await trySend(bandwidth, {
    credentials,
    http: () => ({ status: 401 }),
  })
  expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
  expect(requests).toHaveLength(1)
})

test('the account stays inside its part of the path', async () => {
  const { requests } = await trySend(bandwidth, {
    credentials: { ...credentials, accountSid: '../99' },
    http: () => token,
  })
  expect(requests[1]).toMatchObject({
    url: 'https://messaging.bandwidth.com/api/v2/users/..%2F99/messages',
    json: { applicationId: '93de2206' },
  })
})

test.each([
  [200, 'ok'],
  [401, 'refused'],
  [503, 'unreachable'],
])('a token answered with %i: %s', async (status, kind) => {
  const result = await tryProvider(bandwidth, { credentials, http: [{ status }] }).check()
  expect(result?.kind).toBe(kind)
})
