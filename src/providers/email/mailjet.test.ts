import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
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
      'a pair of keys it does not know is the fault of the integration',
      { status: 401, json: { StatusCode: 401, ErrorMessage: 'API key authentication/authorization failure.' } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
  check: { url: 'https://api.mailjet.com/v3/REST/sender?Limit=1', good: { json: { Count: 0, Data: [] } } },
})
