import { describe, expect, test } from 'vitest'
import { fullEmail, now, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import { signAws } from '../shared/aws-signature.ts'
import ses from './ses.ts'

const credentials = { apiKey: 'AKIDEXAMPLE', secretKey: 'secret', region: 'eu-central-1' }
const url = 'https://email.eu-central-1.amazonaws.com/v2/email/outbound-emails'

const unverified = (identities: string) => ({
  status: 400,
  headers: { 'x-amzn-errortype': 'MessageRejected' },
  json: {
    message: `Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: ${identities}`,
  },
})

providerTable(ses, {
  credentials,
  message: { ...fullEmail, overrides: { ConfigurationSetName: 'ours' } },
  request: {
    url,
    headers: { 'content-type': 'application/json', 'x-amz-date': '20260102T030405Z' },
    json: {
      Content: { Raw: { Data: Buffer.from('mime').toString('base64') } },
      Destination: {
        ToAddresses: ['ada@example.org'],
        CcAddresses: ['bob@example.org'],
        BccAddresses: ['eve@example.org'],
      },
      EmailTags: [{ Name: 'tidings_message_id', Value: samples.email.id }],
      ConfigurationSetName: 'ours',
    },
  },
  accepted: { reply: { json: { MessageId: '0100018' } }, id: '0100018' },
  badRecipient: {
    reply: {
      status: 400,
      headers: { 'x-amzn-errortype': 'BadRequestException' },
      json: { message: 'Missing final @domain' },
    },
    reason: '400 Missing final @domain',
  },
  replies: [
    [
      'a rate over the limit paces everybody',
      {
        status: 400,
        headers: { 'x-amzn-errortype': 'ThrottlingException:http://internal.amazon.com/' },
        json: { message: 'Maximum sending rate exceeded.' },
      },
      { kind: 'retry', paces: true, reason: '400 Maximum sending rate exceeded.' },
    ],
    [
      'a quota of the day passes',
      { status: 400, json: { __type: 'com.amazonaws.sesv2#LimitExceededException', message: 'Daily quota' } },
      { kind: 'retry', paces: true },
    ],
    [
      'a paused account is the fault of the integration',
      { status: 400, headers: { 'x-amzn-errortype': 'SendingPausedException' }, json: { message: 'paused' } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a refused message is refused for good',
      {
        status: 400,
        headers: { 'x-amzn-errortype': 'MessageRejected' },
        json: { message: 'Email address is not verified' },
      },
      { kind: 'rejected', reason: '400 Email address is not verified' },
    ],
    [
      'a sender that is not verified is the fault of the integration',
      unverified('Team@example.com, ada@example.org'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['so is its domain', unverified('example.com'), { kind: 'rejected', because: 'integration' }],
    [
      'so is a sender named with its name',
      unverified('The Team <team@example.com>'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a key AWS does not know is the fault of the integration',
      {
        status: 403,
        headers: { 'x-amzn-errortype': 'UnrecognizedClientException' },
        json: { message: 'invalid token' },
      },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
  check: {
    url: 'https://email.eu-central-1.amazonaws.com/v2/email/account',
    good: {
      status: 403,
      headers: { 'x-amzn-errortype': 'AccessDeniedException' },
      json: { message: 'not authorized' },
    },
    bad: { status: 403, headers: { 'x-amzn-errortype': 'InvalidClientTokenId' }, json: { message: 'unknown' } },
  },
})

describe('ses', () => {
  test('signs the bytes it sends, for its region and service', async () => {
    const { requests, send } = tryProvider(ses, { credentials, http: [{ json: { MessageId: '1' } }] })
    await send()
    const [request] = requests
    const expected = signAws({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: String(request?.body),
      region: 'eu-central-1',
      service: 'ses',
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'secret',
      now,
    })
    expect(request?.headers).toEqual(expected)
    expect(expected.authorization).toContain('AKIDEXAMPLE/20260102/eu-central-1/ses/aws4_request')
  })

  test('writes the whole mail as MIME', async () => {
    const { composed, send } = tryProvider(ses, {
      credentials,
      message: fullEmail,
      http: [{ json: { MessageId: '1' } }],
    })
    await send()
    expect(composed).toMatchObject([
      {
        from: { email: 'team@example.com', name: 'The Team' },
        to: ['ada@example.org'],
        cc: ['bob@example.org'],
        replyTo: 'help@example.com',
        headers: { 'X-Team': 'blue' },
        attachments: [{ name: 'a.txt' }],
      },
    ])
  })

  test.each(['ada@example.org', 'not-team@example.com', 'org.example.com'])(
    'in the sandbox is not at fault for a recipient that is not verified: %s',
    async (identity) => {
      const { send } = tryProvider(ses, { credentials, http: [unverified(identity)] })
      const outcome = await send()
      expect(outcome).toMatchObject({ kind: 'rejected' })
      expect(outcome).not.toHaveProperty('because')
    },
  )

  test('knows a domain by its ASCII form only', async () => {
    const { requests, send } = tryProvider(ses, {
      credentials,
      message: { to: ['ada@bücher.example'], cc: ['bob@BÜCHER.example'], bcc: ['eve@example.org', 'ü@bücher.example'] },
      http: [{ json: { MessageId: '1' } }],
    })
    await send()
    expect(JSON.parse(String(requests[0]?.body)).Destination).toEqual({
      ToAddresses: ['ada@xn--bcher-kva.example'],
      CcAddresses: ['bob@xn--bcher-kva.example'],
      BccAddresses: ['eve@example.org', 'ü@xn--bcher-kva.example'],
    })
  })

  test('knows a sender with a domain of other letters as unverified too', async () => {
    const message = { from: { email: 'team@bücher.example' } }
    const { send } = tryProvider(ses, { credentials, message, http: [unverified('xn--bcher-kva.example')] })
    expect(await send()).toMatchObject({ kind: 'rejected', because: 'integration' })
  })

  test('refuses a mail that cannot be written, before anything leaves', async () => {
    const { requests, send } = tryProvider(ses, { credentials, unwritable: 'A recipient is not a valid address.' })
    expect(await send()).toEqual({ kind: 'rejected', reason: 'A recipient is not a valid address.' })
    expect(requests).toEqual([])
  })

  test('goes to China by its own domain, and nowhere by a region that is none', async () => {
    const china = tryProvider(ses, { credentials: { ...credentials, region: 'cn-north-1' } })
    await china.send()
    expect(china.requests[0]?.url).toBe('https://email.cn-north-1.amazonaws.com.cn/v2/email/outbound-emails')
    const evil = tryProvider(ses, { credentials: { ...credentials, region: 'evil.example/#' } })
    expect(await evil.send()).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(await evil.check()).toMatchObject({ kind: 'refused' })
    expect(evil.requests).toEqual([])
  })
})
