import { describe, expect, test } from 'vitest'
import { now } from '../../../test/providers/provider-samples.ts'
import { keepingCache, tryProvider } from '../../../test/providers/try-provider.ts'
import ses from '../email/ses.ts'
import sns from '../sms/sns.ts'
import { signAws } from './aws-signature.ts'

const own = { apiKey: 'AKIDEXAMPLE', secretKey: 'secret', region: 'eu-central-1' }
const role = 'arn:aws:iam::123456789012:role/mail'
const assumed = (expires = '2026-01-02T04:04:05Z') => ({
  text: `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId>
    <SecretAccessKey>role/secret</SecretAccessKey><SessionToken>role+token==</SessionToken>
    <Expiration>${expires}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
})
const refused = (status: number, code: string) => ({
  status,
  text: `<ErrorResponse><Error><Code>${code}</Code><Message>not so</Message></Error></ErrorResponse>`,
})

describe.each([
  { provider: ses, host: 'email', service: 'ses', sent: { json: { MessageId: '1' } } },
  { provider: sns, host: 'sns', service: 'sns', sent: { text: '<MessageId>1</MessageId>' } },
])('$provider.id', ({ provider, host, service, sent }) => {
  test('signs with the session token of temporary keys', async () => {
    const credentials = { ...own, apiKey: 'ASIAEXAMPLE', token: 'a+token==' }
    const { requests, send, check } = tryProvider(provider, { credentials, http: [sent] })
    expect(await send()).toEqual({ kind: 'sent', id: '1' })
    await check()
    for (const request of requests) {
      expect(request.headers).toMatchObject({ 'x-amz-security-token': 'a+token==' })
      expect(request.headers?.authorization).toMatch(/Credential=ASIAEXAMPLE.*;x-amz-security-token, /)
    }
  })

  test('does not sign with kept keys that are none', async () => {
    for (const token of ['junk', '{}', '{"accessKeyId":"A","secretAccessKey":"B"}', '{"accessKeyId":[]}']) {
      const { requests, send } = tryProvider(provider, {
        credentials: { ...own, applicationId: role },
        cached: async () => ({ token }),
      })
      expect(await send()).toEqual({ kind: 'retry', reason: 'no keys came' })
      expect(requests).toEqual([])
    }
  })

  test('sends as its role, whose keys it asks for once', async () => {
    const { requests, send } = tryProvider(provider, {
      credentials: { ...own, applicationId: role },
      http: [assumed(), sent],
      cached: keepingCache(),
    })
    expect(await send()).toEqual({ kind: 'sent', id: '1' })
    expect(await send()).toEqual({ kind: 'sent', id: '1' })
    expect(requests.map(({ url }) => new URL(url).host)).toEqual([
      'sts.eu-central-1.amazonaws.com',
      `${host}.eu-central-1.amazonaws.com`,
      `${host}.eu-central-1.amazonaws.com`,
    ])
    const [sts, ...sending] = requests
    expect(Object.fromEntries(new URLSearchParams(String(sts?.body)))).toEqual({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: role,
      RoleSessionName: 'tidings',
    })
    expect(sts?.headers?.authorization).toContain('AKIDEXAMPLE/20260102/eu-central-1/sts/aws4_request')
    for (const { method = 'POST', url, headers, body } of sending) {
      const type = headers?.['content-type'] ?? ''
      const expected = signAws({
        method,
        url,
        headers: { 'content-type': type },
        body: String(body),
        region: 'eu-central-1',
        service,
        accessKeyId: 'ASIAROLE',
        secretAccessKey: 'role/secret',
        sessionToken: 'role+token==',
        now,
      })
      expect(headers).toEqual(expected)
    }
  })

  test.each([
    ['2026-01-02T04:04:05Z', 3_600_000],
    ['whenever', 900_000],
  ])('keeps the keys of a role until they expire (%s)', async (expires, expected) => {
    const kept: number[] = []
    const { send } = tryProvider(provider, {
      credentials: { ...own, applicationId: role },
      http: [assumed(expires), sent],
      cached: async (_name, fetch) => {
        const fetched = await fetch()
        if ('token' in fetched) kept.push(fetched.expiresInMs)
        return fetched
      },
    })
    await send()
    expect(kept).toEqual([expected])
  })

  test.each([
    [
      'a role it may not have',
      refused(403, 'AccessDenied'),
      { kind: 'rejected', because: 'integration', reason: 'STS 403 AccessDenied: not so' },
      'refused',
    ],
    ['a role that is none', refused(400, 'ValidationError'), { kind: 'rejected', because: 'integration' }, 'refused'],
    ['too many questions', refused(400, 'Throttling'), { kind: 'retry', paces: true }, 'unreachable'],
    ['a breakdown', refused(500, 'InternalFailure'), { kind: 'retry' }, 'unreachable'],
    ['a cut', { kind: 'fault', sent: true, reason: 'cut' } as const, { kind: 'retry', reason: 'cut' }, 'unreachable'],
    ['an answer without keys', { text: '<html>' }, { kind: 'retry' }, 'unreachable'],
  ])('while it asks for its role, %s has sent nothing', async (_name, answer, outcome, checked) => {
    const { requests, send, check } = tryProvider(provider, {
      credentials: { ...own, applicationId: role },
      http: [answer],
    })
    expect(await send()).toMatchObject(outcome)
    expect(await check()).toMatchObject({ kind: checked })
    expect(requests.every(({ url }) => url.startsWith('https://sts.'))).toBe(true)
  })

  test('goes to China by its own domain, for its role too', async () => {
    const credentials = { ...own, region: 'cn-north-1', applicationId: role }
    const { requests, send } = tryProvider(provider, { credentials, http: [assumed(), sent] })
    await send()
    expect(requests.map(({ url }) => new URL(url).host)).toEqual([
      'sts.cn-north-1.amazonaws.com.cn',
      `${host}.cn-north-1.amazonaws.com.cn`,
    ])
  })
})
