import { describe, expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import sns from './sns.ts'

const credentials = { apiKey: 'AKIDEXAMPLE', secretKey: 'secret', region: 'eu-west-1' }

const refusal = (status: number, code: string, words: string) => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${words}</Message></Error></ErrorResponse>`,
})

providerTable(sns, {
  credentials,
  message: { overrides: { Subject: 'Order 42' } },
  request: {
    url: 'https://sns.eu-west-1.amazonaws.com/',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-amz-date': '20260102T030405Z' },
    form: {
      Action: 'Publish',
      Version: '2010-03-31',
      PhoneNumber: '+15005550006',
      Message: 'Hello Ada',
      'MessageAttributes.entry.1.Name': 'AWS.MM.SMS.OriginationNumber',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': '+15005550001',
      'MessageAttributes.entry.2.Name': 'AWS.SNS.SMS.SMSType',
      'MessageAttributes.entry.2.Value.DataType': 'String',
      'MessageAttributes.entry.2.Value.StringValue': 'Transactional',
      Subject: 'Order 42',
    },
  },
  accepted: {
    reply: {
      body: '<PublishResponse><PublishResult><MessageId>567910cd</MessageId></PublishResult></PublishResponse>',
    },
    id: '567910cd',
  },
  badRecipient: {
    reply: refusal(400, 'InvalidParameter', 'Invalid parameter: PhoneNumber Reason: +1 is not valid to publish to'),
    because: 'gone',
  },
  replies: [
    [
      'another bad parameter is refused, in words and not in XML',
      refusal(400, 'InvalidParameter', 'Invalid parameter: Message too long'),
      { kind: 'rejected', reason: '400 InvalidParameter: Invalid parameter: Message too long' },
    ],
    ['a throttle may come as 400', refusal(400, 'Throttling', 'Rate exceeded'), { kind: 'retry', paces: true }],
    [
      'a bad key is the integration’s fault',
      refusal(403, 'InvalidClientTokenId', 'The security token is invalid'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['an internal error leaves it open', refusal(500, 'InternalError', 'oops'), { kind: 'unknown' }],
  ],
  check: {
    url: 'https://sns.eu-west-1.amazonaws.com/',
    good: { body: '<GetSMSAttributesResponse/>' },
    bad: refusal(403, 'SignatureDoesNotMatch', 'no'),
  },
})

test('signs for this service, region and day, over the body that is sent', async () => {
  const one = await trySend(sns, { credentials })
  const other = await trySend(sns, { credentials, message: { content: 'Bye' } })
  const signature = one.requests[0]?.headers?.authorization
  expect(signature).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20260102\/eu-west-1\/sns\/aws4_request, /)
  expect(other.requests[0]?.headers?.authorization).not.toBe(signature)
})

test('a name goes as sender id, a short code as number', async () => {
  const { requests } = await trySend(sns, { credentials, message: { from: 'Acme' } })
  expect(String(requests[0]?.body)).toContain('Name=AWS.SNS.SMS.SenderID')
  const short = await trySend(sns, { credentials, message: { from: '12345' } })
  expect(String(short.requests[0]?.body)).toContain('Name=AWS.MM.SMS.OriginationNumber')
})

describe('attributes', () => {
  const attribute = (n: number, name: string, value: string) => ({
    [`MessageAttributes.entry.${n}.Name`]: name,
    [`MessageAttributes.entry.${n}.Value.DataType`]: 'String',
    [`MessageAttributes.entry.${n}.Value.StringValue`]: value,
  })
  const attributesOf = async (message: object) => {
    const { requests } = await trySend(sns, { credentials, message })
    const form = Object.fromEntries(new URLSearchParams(String(requests[0]?.body)))
    return Object.fromEntries(Object.entries(form).filter(([name]) => name.startsWith('MessageAttributes.')))
  }

  test('a message is transactional, with and without a sender', async () => {
    expect(await attributesOf({ from: undefined })).toEqual(attribute(1, 'AWS.SNS.SMS.SMSType', 'Transactional'))
    expect(await attributesOf({ from: 'Acme' })).toEqual({
      ...attribute(1, 'AWS.SNS.SMS.SenderID', 'Acme'),
      ...attribute(2, 'AWS.SNS.SMS.SMSType', 'Transactional'),
    })
  })

  test('a trigger may make it promotional', async () => {
    const promotional = attribute(1, 'AWS.SNS.SMS.SMSType', 'Promotional')
    expect(await attributesOf({ from: 'Acme', overrides: promotional })).toEqual({
      ...promotional,
      ...attribute(2, 'AWS.SNS.SMS.SenderID', 'Acme'),
    })
  })

  test("a trigger's own attributes displace none of ours", async () => {
    const price = attribute(2, 'AWS.SNS.SMS.MaxPrice', '0.5')
    expect(await attributesOf({ from: 'Acme', overrides: price })).toEqual({
      ...attribute(1, 'AWS.SNS.SMS.SenderID', 'Acme'),
      ...price,
      ...attribute(3, 'AWS.SNS.SMS.SMSType', 'Transactional'),
    })
  })

  test("a trigger's sender stands instead of ours", async () => {
    const sender = attribute(1, 'AWS.SNS.SMS.SenderID', 'Other')
    expect(await attributesOf({ from: 'Acme', overrides: sender })).toEqual({
      ...sender,
      ...attribute(2, 'AWS.SNS.SMS.SMSType', 'Transactional'),
    })
  })
})

test('no other region becomes a part of the host', async () => {
  const { outcome, requests } = await trySend(sns, {
    credentials: { ...credentials, region: 'x.evil.example/' },
  })
  expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
  expect(requests).toEqual([])
})
