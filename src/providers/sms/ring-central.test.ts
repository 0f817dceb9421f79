import { describe, expect, test } from 'vitest'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { reply, tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import type { Fault, HttpReply } from '../../lib/outbound.ts'
import ringCentral from './ring-central.ts'

const credentials = { clientId: 'client', secretKey: 'secret', token: 'jwt', secure: false }

providerTable(ringCentral, {
  credentials,
  before: { '/oauth/token': { json: { access_token: 'at-1', expires_in: 3600 } } },
  message: { overrides: { country: { isoCode: 'US' } } },
  request: {
    url: 'https://platform.ringcentral.com/restapi/v1.0/account/~/extension/~/sms',
    headers: { authorization: 'Bearer at-1' },
    json: {
      from: { phoneNumber: '+15005550001' },
      to: [{ phoneNumber: '+15005550006' }],
      text: 'Hello Ada',
      country: { isoCode: 'US' },
    },
  },
  accepted: { reply: { json: { id: 60049977004, messageStatus: 'Queued' } }, id: '60049977004' },
  badRecipient: {
    reply: { json: { id: 1, messageStatus: 'SendingFailed', deliveryErrorCode: 'SMS-RC-413' } },
    reason: 'SendingFailed SMS-RC-413',
  },
  replies: [
    [
      'a feature the account lacks is the integration’s fault',
      { status: 403, json: { errorCode: 'FeatureNotAvailable', message: 'The requested feature is not available' } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a number that may not send is the integration’s fault',
      { status: 403, json: { errors: [{ errorCode: 'MSG-242', message: 'Sending SMS is not available' }] } },
      { kind: 'rejected', because: 'integration' },
    ],
    ['acceptance without an id leaves it open', { json: { messageStatus: 'Queued' } }, { kind: 'unknown' }],
  ],
  check: {
    url: 'https://platform.ringcentral.com/restapi/v1.0/account/~/extension/~',
    good: { json: { id: 1 } },
  },
})

providerRequest(ringCentral, {
  credentials: { ...credentials, secure: true },
  before: { '/oauth/token': { json: { access_token: 'at-1', expires_in: 3600 } } },
  request: { url: 'https://platform.devtest.ringcentral.com/restapi/v1.0/account/~/extension/~/sms' },
  accepted: { reply: { json: { id: 1 } }, id: '1' },
})

describe('ring-central’s token', () => {
  const sendWith = async (login: HttpReply | Fault) => {
    const kept: { name: string; expiresInMs?: number }[] = []
    const tried = await trySend(ringCentral, {
      credentials,
      http: [login, { json: { id: 7 } }],
      cached: async (name, fetch) => {
        const fetched = await fetch()
        kept.push('token' in fetched ? { name, expiresInMs: fetched.expiresInMs } : { name })
        return fetched
      },
    })
    return { ...tried, kept }
  }

  test('is asked for with the JWT, and kept as long as it lasts', async () => {
    const { outcome, requests, kept } = await sendWith(reply(200, { access_token: 'at-1', expires_in: 3600 }))
    expect(outcome).toEqual({ kind: 'sent', id: '7' })
    expect(requests[0]).toEqual({
      url: 'https://platform.ringcentral.com/restapi/oauth/token',
      headers: { authorization: `Basic ${btoa('client:secret')}` },
      form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'jwt' },
    })
    expect(kept).toEqual([{ name: 'access', expiresInMs: 3_600_000 }])
  })

  test.each([
    ['a refused JWT is the integration’s fault', reply(400, { error: 'invalid_grant' }), 'rejected'],
    ['too many logins are tried again', reply(429, { errorCode: 'CMN-301' }), 'retry'],
    ['a login that broke leaves nothing in doubt', reply(500, {}), 'retry'],
    ['a login without a token is the integration’s fault', reply(200, {}), 'rejected'],
    ['a login cut off leaves nothing in doubt', { kind: 'fault', sent: true, reason: 'cut' } as const, 'retry'],
  ])('%s', async (_name, login, kind) => {
    const { outcome, requests } = await sendWith(login)
    expect(outcome).toMatchObject({ kind, ...(kind === 'rejected' && { because: 'integration' }) })
    expect(requests).toHaveLength(1)
  })

  test.each([
    [400, 'refused'],
    [500, 'unreachable'],
  ])('a login answered %i makes the check %s', async (status, kind) => {
    const http = [reply(status, { error: 'invalid_grant' })]
    expect((await tryProvider(ringCentral, { credentials, http }).check())?.kind).toBe(kind)
  })
})

test.each([
  ['MSG-240', "Specified recipient isn't an US phone number"],
  ['MSG-309', 'Cannot receive SMS on Fax number'],
])('%s is about the recipient, not the integration', async (errorCode, message) => {
  const { outcome } = await trySend(ringCentral, {
    credentials,
    http: [{ json: { access_token: 'at-1' } }, { status: 403, json: { errors: [{ errorCode, message }] } }],
  })
  expect(outcome).toEqual({ kind: 'rejected', reason: `403 ${message}` })
})
