import type { Http, HttpReply, HttpRequest } from '../../lib/outbound.ts'
import { type CheckResult, type Outcome, readReply } from '../outcome.ts'
import { named, optional, secret, text, where } from '../provider.ts'
import type { TokenCache } from '../provider-tools.ts'
import { signAws } from './aws-signature.ts'
import { parseJson } from './parse-json.ts'
import { textField } from './reply-field.ts'

/** What every service of AWS needs of an account. */
export const awsFields = {
  apiKey: named(
    secret,
    'Access key ID',
    'Of an IAM user, under Security credentials at https://console.aws.amazon.com/iam.',
  ),
  secretKey: named(secret, 'Secret access key', 'AWS shows it once, when the access key is made.'),
  token: named(
    optional(secret),
    'Session token',
    'Only with temporary keys, whose access key ID begins with ASIA. They expire: a role does not.',
  ),
  // The account that the role belongs to is the one that sends.
  applicationId: named(
    where(optional(text)),
    'Role ARN',
    'Sends as this role, such as arn:aws:iam::123456789012:role/mail; the key above must be allowed sts:AssumeRole.',
  ),
  region: named(where(text), 'Region', 'Its code, such as eu-central-1.'),
} as const

type Account = {
  apiKey: string
  secretKey: string
  token: string | undefined
  applicationId: string | undefined
  region: string
}
type Tools = { http: Http; cached: TokenCache; now: Date }
type Refused = Exclude<Outcome, { kind: 'sent' }>
type Unsigned = { service: string; method?: 'GET' | 'POST'; path?: string; type?: string; body?: string }
type Keys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

/** A request of this account, signed as itself or as its role. A fault has called nobody, or STS only. */
export async function toAwsRequest(
  tools: Tools,
  account: Account,
  request: Unsigned,
): Promise<HttpRequest | { fault: Refused }> {
  const url = urlOf(account.region, request)
  if (!url) return { fault: { kind: 'rejected', reason: notARegion, because: 'integration' } }
  const keys = await keysOf(tools, account)
  return 'fault' in keys ? keys : sign(url, request, { ...keys, region: account.region, now: tools.now })
}

/** A connection check that cannot even ask. */
export function readAwsFault({ kind, reason }: Refused): CheckResult {
  return { kind: kind === 'rejected' ? 'refused' : 'unreachable', reason }
}

const notARegion = 'the region is not one of AWS, such as eu-central-1'

function urlOf(region: string, { service, path = '/' }: Unsigned): string | undefined {
  if (!/^[a-z0-9-]+$/.test(region)) return undefined
  // SES calls its host otherwise.
  const host = service === 'ses' ? 'email' : service
  return `https://${host}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}${path}`
}

function sign(
  url: string,
  { service, method = 'POST', type, body }: Unsigned,
  by: Keys & { region: string; now: Date },
) {
  const headers = signAws({
    method,
    url,
    headers: type === undefined ? {} : { 'content-type': type },
    body: body ?? '',
    service,
    ...by,
  })
  return { method, url, headers, ...(body !== undefined && { body }) }
}

async function keysOf(tools: Tools, account: Account): Promise<Keys | { fault: Refused }> {
  const { apiKey, secretKey, token, applicationId } = account
  const own = { accessKeyId: apiKey, secretAccessKey: secretKey, ...(token && { sessionToken: token }) }
  if (!applicationId) return own
  const cached = await tools.cached(`role ${applicationId}`, () => assumeRole(tools, account, own))
  if (!('fault' in cached)) return parseKeys(cached.token) ?? { fault: noKeys }
  const { fault } = cached
  return { fault: fault.kind === 'sent' ? noKeys : fault }
}

const noKeys = { kind: 'retry', reason: 'no keys came' } as const

/** Those of a role as `readKeys` wrote them. */
function parseKeys(token: string): Keys | undefined {
  const json = parseJson(token)
  const [accessKeyId, secretAccessKey, sessionToken] = ['accessKeyId', 'secretAccessKey', 'sessionToken'].map((name) =>
    textField(json, name),
  )
  return accessKeyId && secretAccessKey && sessionToken ? { accessKeyId, secretAccessKey, sessionToken } : undefined
}

/**
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html, and in botocore/data/sts/2011-06-15 of
 * github.com/boto/botocore. Replies are XML.
 */
async function assumeRole(
  { http, now }: Tools,
  { applicationId = '', region }: Account,
  own: Keys,
): ReturnType<Parameters<TokenCache>[1]> {
  const fields = {
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: applicationId,
    RoleSessionName: 'tidings',
  }
  const unsigned = {
    service: 'sts',
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(fields).toString(),
  }
  const answer = await http(sign(urlOf(region, unsigned) ?? '', unsigned, { ...own, region, now }))
  const outcome = readReply(answer, { failure: readStsError })
  if (outcome.kind === 'sent' && answer.kind === 'reply') return readKeys(answer, now)
  // Nothing was sent yet, so an unclear answer is no doubt about the message.
  if (outcome.kind === 'unknown') return { fault: { kind: 'retry', reason: outcome.reason } }
  return { fault: outcome.kind === 'rejected' ? { ...outcome, because: 'integration' } : outcome }
}

function readKeys({ status, text }: HttpReply, now: Date) {
  const [accessKeyId, secretAccessKey, sessionToken, expires] = [
    'AccessKeyId',
    'SecretAccessKey',
    'SessionToken',
    'Expiration',
  ].map((name) => inXml(text, name))
  if (!accessKeyId || !secretAccessKey || !sessionToken) {
    return { fault: { kind: 'retry', reason: `STS answered ${status} without keys` } } as const
  }
  const expiresInMs = Date.parse(expires ?? '') - now.getTime()
  const keys: Keys = { accessKeyId, secretAccessKey, sessionToken }
  return { token: JSON.stringify(keys), expiresInMs: expiresInMs > 0 ? expiresInMs : 15 * 60_000 }
}

function readStsError({ status, text }: HttpReply): Outcome | undefined {
  const code = inXml(text, 'Code') ?? ''
  const reason = `STS ${status} ${code}: ${inXml(text, 'Message') ?? ''}`.slice(0, 500)
  if (/^Throttl/.test(code)) return { kind: 'retry', reason, paces: true }
  return status < 500 && status !== 429 && code ? { kind: 'rejected', reason } : undefined
}

function inXml(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
}
