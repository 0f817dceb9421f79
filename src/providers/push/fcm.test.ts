import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { keepingCache, reply, tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import fcm from './fcm.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const account = {
  type: 'service_account',
  project_id: 'my-project',
  private_key_id: 'kid1',
  private_key: privateKey,
  client_email: 'push@my-project.iam.gserviceaccount.com',
  token_uri: 'https://elsewhere.example/token',
}
const credentials = { serviceAccount: JSON.stringify(account) }
const grant = { access_token: 'ya29.token', expires_in: 3599, token_type: 'Bearer' }

const error = (code: number, status: string, message: string, details: unknown[] = []) => ({
  status: code,
  json: { error: { code, message, status, details } },
})
const fcmError = (errorCode: string) => ({
  '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError',
  errorCode,
})
const badRequest = (field: string) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: [{ field, description: 'bad' }],
})
const quotaFailure = (subject: string, description: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ subject, description }],
})

providerTable(fcm, {
  credentials,
  message: { data: { orderId: '42', count: 3, from: 'Ada', 'google.x': '1' } },
  before: { 'oauth2.googleapis.com/token': { json: grant } },
  request: {
    url: 'https://fcm.googleapis.com/v1/projects/my-project/messages:send',
    headers: { authorization: 'Bearer ya29.token' },
    json: {
      message: {
        notification: { title: 'Hello', body: 'Hello Ada' },
        data: { orderId: '42', count: '3', tidings_message_id: samples.push.id },
        token: 'device-token-1',
      },
    },
  },
  accepted: {
    reply: { json: { name: 'projects/my-project/messages/0:1500' } },
    id: 'projects/my-project/messages/0:1500',
  },
  badRecipient: {
    reply: error(400, 'INVALID_ARGUMENT', 'The registration token is not a valid FCM registration token', [
      fcmError('INVALID_ARGUMENT'),
    ]),
  },
  common: { garbage: 'unknown' },
  replies: [
    [
      'an app that was removed is gone',
      error(404, 'NOT_FOUND', 'Requested entity was not found.', [fcmError('UNREGISTERED')]),
      { kind: 'rejected', reason: '404 Requested entity was not found.', because: 'gone' },
    ],
    [
      'a quota paces everybody, for a minute unless said',
      error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [fcmError('QUOTA_EXCEEDED')]),
      { kind: 'retry', afterMs: 60_000, paces: true },
    ],
    [
      'the quota of the project paces everybody',
      error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [
        fcmError('QUOTA_EXCEEDED'),
        quotaFailure('project_number:1', 'Message rate exceeded'),
      ]),
      { kind: 'retry', paces: true },
    ],
    [
      'the quota of one device paces that device',
      error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [
        fcmError('QUOTA_EXCEEDED'),
        quotaFailure('registration_token', 'Device message rate exceeded'),
      ]),
      { kind: 'retry', afterMs: 60_000, paces: 'target' },
    ],
    [
      'an account that may not send is the integration',
      error(403, 'PERMISSION_DENIED', "Permission 'cloudmessaging.messages.create' denied"),
      { kind: 'rejected', because: 'integration' },
    ],
  ],
})

const google = (token: ReturnType<typeof reply>) => (request: { url: string }) =>
  request.url.includes('oauth2') ? token : reply(200, { name: 'projects/p/messages/1' })

describe('fcm', () => {
  test.each([
    [
      'a text that is no token',
      error(400, 'INVALID_ARGUMENT', 'The registration token is not a valid FCM registration token'),
    ],
    [
      'a token named by the violation',
      error(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', [
        fcmError('INVALID_ARGUMENT'),
        badRequest('message.token'),
      ]),
    ],
    [
      'a token of another project',
      error(403, 'PERMISSION_DENIED', 'SenderId mismatch', [fcmError('SENDER_ID_MISMATCH')]),
    ],
    [
      'a device of Apple or of the web, whose credentials are missing in the project',
      error(401, 'UNAUTHENTICATED', 'Auth error from APNS', [fcmError('THIRD_PARTY_AUTH_ERROR')]),
    ],
  ])('%s is refused, and neither gone nor the fault of the integration', async (_name, { status, json }) => {
    const vendor = ({ url }: { url: string }) => (url.includes('oauth2') ? reply(200, grant) : reply(status, json))
    const { outcome } = await trySend(fcm, { credentials, http: vendor })
    expect(outcome).toEqual({ kind: 'rejected', reason: `${status} ${json.error.message}` })
  })

  test('a push larger than FCM takes does not leave: keys and values of the text and of the data', async () => {
    const tried = (text: string, overrides = {}) => {
      const message = { title: 'ü', body: text, data: { k: 'v' }, overrides }
      return trySend(fcm, { credentials, message, http: google(reply(200, grant)) })
    }
    const rest = 'title'.length + 2 + 'body'.length + 'kv'.length + 'tidings_message_id'.length + samples.push.id.length
    const most = 'x'.repeat(4_096 - rest)
    expect((await tried(most)).outcome).toMatchObject({ kind: 'sent' })
    const reason = 'the push is 4,097 bytes; FCM takes 4,096: shorten the text or the data'
    expect(await tried(`${most}x`)).toMatchObject({ outcome: { kind: 'rejected', reason }, requests: [] })
    // What a trigger puts in their place is what counts.
    expect((await tried(`${most}x`, { notification: { title: 'short' } })).outcome).toMatchObject({ kind: 'sent' })
  })

  test('a bad field of the message leaves the token alone', async () => {
    const bad = error(400, 'INVALID_ARGUMENT', 'Invalid value', [badRequest('message.data[0].value')])
    const vendor = ({ url }: { url: string }) => (url.includes('oauth2') ? reply(200, grant) : reply(400, bad.json))
    expect((await trySend(fcm, { credentials, http: vendor })).outcome).toEqual({
      kind: 'rejected',
      reason: '400 Invalid value',
    })
  })

  test('a trigger adds to the message, and cannot send it to another device', async () => {
    const { requests } = await trySend(fcm, {
      credentials,
      message: { overrides: { android: { priority: 'high' }, token: 'other' } },
      http: google(reply(200, grant)),
    })
    expect(requests[1]?.json).toMatchObject({ message: { android: { priority: 'high' }, token: 'device-token-1' } })
  })

  test('asks Google, and nobody else, for a token with a signed assertion', async () => {
    const { requests } = await trySend(fcm, { credentials, http: google(reply(200, grant)) })
    expect(requests[0]?.url).toBe('https://oauth2.googleapis.com/token')
    const form = Object.fromEntries(new URLSearchParams(Object(requests[0]?.form)))
    expect(form.grant_type).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const [header = '', claims = '', signature = ''] = (form.assertion ?? '').split('.')
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'kid1' })
    expect(read(claims)).toEqual({
      iss: 'push@my-project.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: 'https://oauth2.googleapis.com/token',
      iat: 1_767_323_045,
      exp: 1_767_326_645,
    })
    const signed = Buffer.from(`${header}.${claims}`)
    expect(verify('sha256', signed, createPublicKey(publicKey), Buffer.from(signature, 'base64url'))).toBe(true)
  })

  test('a project cannot lead to another path', async () => {
    const serviceAccount = JSON.stringify({ ...account, project_id: '../x?y' })
    const { requests } = await trySend(fcm, { credentials: { serviceAccount }, http: google(reply(200, grant)) })
    expect(requests[1]?.url).toBe('https://fcm.googleapis.com/v1/projects/..%2Fx%3Fy/messages:send')
  })

  test('keeps a token for as long as Google says', async () => {
    let life = 0
    await trySend(fcm, {
      credentials,
      http: google(reply(200, grant)),
      cached: async (_name, fetch) => {
        const made = await fetch()
        if ('token' in made) life = made.expiresInMs
        return made
      },
    })
    expect(life).toBe(3_599_000)
  })

  test('one token serves many messages', async () => {
    const cached = keepingCache()
    const vendor = google(reply(200, grant))
    expect((await trySend(fcm, { credentials, http: vendor, cached })).requests).toHaveLength(2)
    const second = await trySend(fcm, { credentials, http: vendor, cached })
    expect(second.requests).toHaveLength(1)
    expect(second.outcome).toMatchObject({ kind: 'sent' })
  })

  test.each([
    ['a revoked key', reply(400, { error: 'invalid_grant' }), { kind: 'rejected', because: 'integration' }],
    ['a broken token service', reply(500, {}), { kind: 'retry' }],
    ['a token reply without a token', reply(200, {}), { kind: 'rejected', because: 'integration' }],
  ])('%s: the message has not left', async (_name, token, outcome) => {
    const sent = await trySend(fcm, { credentials, http: google(token) })
    expect(sent.outcome).toMatchObject(outcome)
    expect(sent.requests).toHaveLength(1)
  })

  test.each([
    ['no JSON', 'nonsense'],
    ['without a key', JSON.stringify({ ...account, private_key: undefined })],
    ['with a key that is none', JSON.stringify({ ...account, private_key: 'x' })],
  ])('a service account %s is the fault of the integration', async (_name, serviceAccount) => {
    const { outcome, requests } = await trySend(fcm, { credentials: { serviceAccount }, http: () => reply(200) })
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(requests).toEqual([])
  })

  test('checks its credentials by asking for a token', async () => {
    const check = async (token: ReturnType<typeof reply>, serviceAccount = credentials.serviceAccount) =>
      (await tryProvider(fcm, { credentials: { serviceAccount }, http: [token] }).check())?.kind
    expect(await check(reply(200, grant))).toBe('ok')
    expect(await check(reply(400, { error: 'invalid_grant' }))).toBe('refused')
    expect(await check(reply(503))).toBe('unreachable')
    expect(await check(reply(200, grant), '{}')).toBe('refused')
  })
})
