import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import twilio from './twilio.ts'

const refusal = (status: number, code: number, message: string) => ({ status, json: { status, code, message } })

providerTable(twilio, {
  credentials: { accountSid: 'AC1', token: 'secret' },
  message: { overrides: { StatusCallback: 'https://example.com/cb', MediaUrl: ['https://example.com/a.png'] } },
  request: {
    url: 'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json',
    headers: { authorization: 'Basic QUMxOnNlY3JldA==', 'content-type': 'application/x-www-form-urlencoded' },
    form: {
      To: '+15005550006',
      From: '+15005550001',
      Body: 'Hello Ada',
      StatusCallback: 'https://example.com/cb',
      MediaUrl: 'https://example.com/a.png',
    },
  },
  accepted: { reply: { status: 201, json: { sid: 'SM1', status: 'queued' } }, id: 'SM1' },
  badRecipient: { reply: refusal(400, 21211, "Invalid 'To'"), because: 'gone' },
  replies: [
    ['a landline is gone', refusal(400, 21635, "'To' is a landline"), { kind: 'rejected', because: 'gone' }],
    [
      'who opted out is refused, but may come back',
      refusal(400, 21610, 'Attempt to send to unsubscribed recipient'),
      { kind: 'rejected', reason: '400 Attempt to send to unsubscribed recipient' },
    ],
    [
      "a sender that is not the account's is the integration's fault",
      refusal(400, 21660, 'Mismatch between From and account'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a bad login is the integration’s fault',
      refusal(401, 20003, 'Authenticate'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['a full queue of the sender asks to wait', refusal(400, 21611, 'queue full'), { kind: 'retry', paces: true }],
    ['a reply without its id is unknown', { status: 201, json: {} }, { kind: 'unknown' }],
  ],
  check: { url: 'https://api.twilio.com/2010-04-01/Accounts/AC1.json', good: { json: { status: 'active' } } },
})

describe('an API key', () => {
  const key = { accountSid: 'AC1', apiKey: 'SK1', secretKey: 'hush', token: undefined }

  test('signs in instead of the auth token; the account stays in the path', async () => {
    const { requests } = await once(key)
    expect(requests[0]).toMatchObject({
      url: 'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json',
      headers: { authorization: 'Basic U0sxOmh1c2g=' },
    })
  })

  test('goes before an auth token', async () => {
    const { requests } = await once({ ...key, token: 'secret' })
    expect(requests[0]?.headers?.authorization).toBe('Basic U0sxOmh1c2g=')
  })

  test.each([
    ['nothing', { token: undefined }],
    ['a key without its secret', { token: undefined, apiKey: 'SK1' }],
    ['a secret without its key', { token: undefined, secretKey: 'hush' }],
  ])('%s is not enough', async (_name, credentials) => {
    const { outcome, requests } = await once(credentials)
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(requests).toEqual([])
    expect(await tryProvider(twilio, { credentials: { accountSid: 'AC1', ...credentials } }).check()).toMatchObject({
      kind: 'refused',
    })
  })

  test('is checked where a standard key may look: not at the account', async () => {
    const { requests, check } = tryProvider(twilio, { credentials: key, http: () => ({ json: { messages: [] } }) })
    expect(await check()).toEqual({ kind: 'ok' })
    expect(requests[0]?.url).toBe('https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json?PageSize=1')
  })

  test('that may only send fails the check, which says so', async () => {
    const { check } = tryProvider(twilio, {
      credentials: key,
      http: () => refusal(401, 70051, 'Authorization Failed'),
    })
    expect(await check()).toEqual({
      kind: 'refused',
      reason: '401 Authorization Failed. A restricted key needs the permission to read messages for this check.',
    })
  })
})

const once = (credentials: object, message: object = {}) =>
  trySend(twilio, {
    credentials: { accountSid: 'AC1', token: 'secret', region: undefined, ...credentials },
    message: { ...message },
    http: () => ({ status: 201, json: { sid: 'SM1' } }),
  })

describe('regions', () => {
  test.each([
    ['us1', 'api.twilio.com'],
    ['ie1', 'api.dublin.ie1.twilio.com'],
    ['de1', 'api.twilio.com'],
  ])('%s is reached at %s', async (region, host) => {
    const { requests } = await once({ region })
    expect(new URL(requests[0]?.url ?? '').host).toBe(host)
  })

  test('Australia has no SMS, and the outcome says so', async () => {
    const { outcome, requests } = await once({ region: 'au1' })
    expect(outcome).toEqual({ kind: 'rejected', reason: expect.stringContaining('au1'), because: 'integration' })
    expect(outcome).toMatchObject({ reason: expect.stringContaining('no SMS') })
    expect(requests).toEqual([])
    const checked = await tryProvider(twilio, { credentials: { accountSid: 'AC1', token: 's', region: 'au1' } }).check()
    expect(checked).toEqual({ kind: 'refused', reason: expect.stringContaining('no SMS') })
  })

  test('no other name becomes a part of the host', async () => {
    const { outcome, requests } = await once({ region: 'evil.example/' })
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(requests).toEqual([])
  })

  test('the account stays inside its part of the path', async () => {
    const { requests } = await once({ accountSid: '../x?' })
    expect(requests[0]?.url).toBe('https://api.twilio.com/2010-04-01/Accounts/..%2Fx%3F/Messages.json')
  })
})

test('a messaging service may be the sender', async () => {
  const sid = 'MG0123456789abcdef0123456789abcdef'
  const { requests } = await once({}, { from: sid })
  expect(requests[0]?.form).toContainEqual(['MessagingServiceSid', sid])
  expect(requests[0]?.form).not.toContainEqual(['From', sid])
  expect((await once({}, { from: 'MGM' })).requests[0]?.form).toContainEqual(['From', 'MGM'])
})

describe('callbacks', () => {
  // The example in Twilio's documentation of request validation.
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  const body = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+12349013030',
    Digits: '1234',
    From: '+12349013030',
    To: '+18005551212',
  }).toString()
  const signed = { headers: { 'x-twilio-signature': '0/KCTR6DLpKmkAf8muzZqo1nDgQ=' }, body, url, signingKey: '12345' }
  const verify = (changes: object) => twilio.inbound?.verify(inboundCall({ ...signed, now: new Date(), ...changes }))

  const signedFor = (fields: string, given: string) => ({
    headers: {
      'x-twilio-signature': createHmac('sha1', '12345')
        .update(url + fields)
        .digest('base64'),
    },
    body: given,
  })

  test('a signed call is believed', () => {
    expect(verify({})).toBe(true)
    expect(verify(signedFor('ab', Array(100).fill('a=b').join('&')))).toBe(true)
  })

  test.each([
    ['another field', { body: `${body}&x=1` }],
    ['another URL', { url: `${url}&baz=3` }],
    ['another key', { signingKey: '12346' }],
    ['no key', { signingKey: '' }],
    ['no signature', { headers: {} }],
    ['too many fields', signedFor('', Array(101).fill('a=b').join('&'))],
    ['no fields', signedFor('', '')],
    ['a short signature', { headers: { 'x-twilio-signature': '0/KC' } }],
  ])('%s is not', (_name, changes) => {
    expect(verify(changes)).toBe(false)
  })

  const read = (fields: Record<string, string>) =>
    twilio.inbound?.read({ headers: {}, body: new URLSearchParams(fields).toString() })

  test('tells what became of the message', () => {
    const about = { MessageSid: 'SM1', To: '+15005550006' }
    expect(read({ ...about, MessageStatus: 'delivered' })).toEqual([
      { kind: 'delivered', externalId: 'SM1', address: '+15005550006' },
    ])
    expect(read({ ...about, MessageStatus: 'undelivered', ErrorCode: '30005' })).toEqual([
      { kind: 'bounced', externalId: 'SM1', address: '+15005550006', permanent: true, reason: 'error 30005' },
    ])
    expect(read({ ...about, MessageStatus: 'failed', ErrorCode: '30003' })).toMatchObject([
      { kind: 'bounced', permanent: false },
    ])
    expect(read({ ...about, MessageStatus: 'read' })).toEqual([
      { kind: 'opened', externalId: 'SM1', address: '+15005550006' },
    ])
    expect(read({ ...about, MessageStatus: 'canceled' })).toEqual([
      { kind: 'other', name: 'canceled', externalId: 'SM1', address: '+15005550006' },
    ])
    for (const status of ['', 'accepted', 'scheduled', 'queued', 'sending', 'sent'])
      expect(read({ ...about, MessageStatus: status })).toEqual([])
    expect(read(about)).toEqual([])
    expect(read({ MessageStatus: 'delivered' })).toEqual([])
  })
})
