import { expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import mailjet from './mailjet.ts'

const error = (StatusCode: number, ErrorMessage: string) => ({
  Messages: [{ Status: 'error', Errors: [{ ErrorCode: 'mj-0013', StatusCode, ErrorMessage }] }],
})

providerTable(mailjet, {
  credentials: { apiKey: 'public', secretKey: 'private' },
  message: { ...fullEmail, overrides: { CustomCampaign: 'welcome' } },
  request: {
    url: 'https://api.mailjet.com/v3.1/send',
    headers: { authorization: basicAuth('public', 'private') },
    json: {
      Messages: [
        {
          From: { Email: 'team@example.com', Name: 'The Team' },
          To: [{ Email: 'ada@example.org' }],
          Cc: [{ Email: 'bob@example.org' }],
          Bcc: [{ Email: 'eve@example.org' }],
          ReplyTo: { Email: 'help@example.com' },
          Subject: 'Hello Ada',
          TextPart: 'Hello',
          HTMLPart: '<p>Hello</p>',
          Headers: { 'X-Team': 'blue' },
          CustomID: samples.email.id,
          Attachments: [{ Filename: 'a.txt', ContentType: 'text/plain', Base64Content: 'aGk=' }],
          CustomCampaign: 'welcome',
        },
      ],
    },
  },
  accepted: {
    reply: {
      // The number is past what JSON.parse keeps.
      body: '{"Messages":[{"Status":"success","To":[{"Email":"ada@example.org","MessageUUID":"1ab23cd4","MessageID":1152921504606846977}]}]}',
    },
    id: '1ab23cd4',
  },
  badRecipient: {
    reply: { status: 400, json: error(400, '"ada" is an invalid email address.') },
    reason: '400 "ada" is an invalid email address.',
  },
  replies: [
    [
      'a 200 with an error inside is an error',
      { status: 200, json: error(400, 'no') },
      { kind: 'rejected', reason: '200 no' },
    ],
    [
      'a sender that is not allowed is the fault of the integration',
      {
        status: 403,
        json: error(403, '"team@example.com" is not an authorized sender email address for your account.'),
      },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'so it is in a 200, and with a key that may not send',
      { status: 200, json: error(401, 'no') },
      { kind: 'rejected', because: 'integration', reason: '200 no' },
    ],
    [
      'a failure of its own inside leaves it open',
      { status: 200, json: error(500, 'unexpected') },
      { kind: 'unknown', reason: '200 unexpected' },
    ],
    [
      'a limit inside paces everybody',
      { status: 200, headers: { 'retry-after': '9' }, json: error(429, 'slowly') },
      { kind: 'retry', paces: true, afterMs: 9_000, reason: '200 slowly' },
    ],
    [
      'a pair of keys it does not know is the fault of the integration',
      { status: 401, json: { StatusCode: 401, ErrorMessage: 'API key authentication/authorization failure.' } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
  check: { url: 'https://api.mailjet.com/v3/REST/sender?Limit=1', good: { json: { Count: 0, Data: [] } } },
})

const inTheUs = { apiKey: 'public', secretKey: 'private', region: 'us' }

providerRequest(mailjet, {
  credentials: inTheUs,
  request: { url: 'https://api.us.mailjet.com/v3.1/send' },
  accepted: { reply: { json: { Messages: [{ Status: 'success', To: [{ MessageUUID: '1ab2' }] }] } }, id: '1ab2' },
})

test('an account in the US is checked there', async () => {
  const { requests, check } = tryProvider(mailjet, { credentials: inTheUs, http: [{ json: { Count: 0, Data: [] } }] })
  expect(await check()).toEqual({ kind: 'ok' })
  expect(requests[0]?.url).toBe('https://api.us.mailjet.com/v3/REST/sender?Limit=1')
})
