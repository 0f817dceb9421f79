import { createPauses } from '../../lib/chunks.ts'
import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readFault, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { signAws } from '../shared/aws-signature.ts'
import { base64 } from '../shared/base64.ts'
import { field } from '../shared/reply-field.ts'
import { toMail } from '../shared/to-mail.ts'

export default defineProvider({
  id: 'ses',
  channel: 'email',
  displayName: 'SES',
  documentation: 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html',
  verified: 'documentation',
  traceable: true,
  credentials: {
    apiKey: named(secret, 'Access key ID'),
    secretKey: named(secret, 'Secret access key'),
    region: where(text),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http, smtp, now }) {
    const url = regionUrl(credentials.region, '/v2/email/outbound-emails')
    if (!url) return { kind: 'rejected', reason: notARegion, because: 'integration' }
    // As MIME: SES leaves the encoding of names and most headers to the sender.
    const mime = await smtp.compose(toMail(message))
    if ('kind' in mime) return readFault(mime)
    const pause = createPauses()
    const body = JSON.stringify({
      Content: { Raw: { Data: base64(mime) } },
      Destination: { ToAddresses: message.to, CcAddresses: message.cc, BccAddresses: message.bcc },
      EmailTags: [{ Name: 'tidings_message_id', Value: message.id }],
      ...message.overrides,
    })
    // Writing and signing 20 MB take an eighth of a second each.
    await pause()
    const headers = sign(credentials, {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body,
      now,
    })
    return readReply(await http({ url, headers, body }), {
      success: (reply) => sentWith(field(reply.json, 'MessageId'), reply),
      failure: (reply) => (reply.status === 429 ? undefined : readError(errorIn(reply), reasonOf(reply))),
    })
  },

  async check({ credentials, http, now }) {
    const url = regionUrl(credentials.region, '/v2/email/account')
    if (!url) return { kind: 'refused', reason: notARegion }
    const headers = sign(credentials, { method: 'GET', url, headers: {}, body: '', now })
    const answer = await http({ method: 'GET', url, headers })
    // Known and signed right; it may send, and not look at the account.
    if (answer.kind === 'reply' && errorIn(answer) === 'AccessDeniedException') return { kind: 'ok' }
    return readCheck(answer)
  },
})

const notARegion = 'the region is not one of AWS, such as eu-central-1'

function regionUrl(region: string, path: string): string | undefined {
  if (!/^[a-z0-9-]+$/.test(region)) return undefined
  return `https://email.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}${path}`
}

type Unsigned = Pick<Parameters<typeof signAws>[0], 'method' | 'url' | 'headers' | 'body' | 'now'>

function sign(credentials: { apiKey: string; secretKey: string; region: string }, request: Unsigned) {
  const { apiKey, secretKey, region } = credentials
  return signAws({ ...request, region, service: 'ses', accessKeyId: apiKey, secretAccessKey: secretKey })
}

/** `TooManyRequestsException`, from the header or the body, without the URI some replies put after or before it. */
function errorIn({ headers, json }: HttpReply): string {
  const named = headers['x-amzn-errortype'] ?? field(json, '__type') ?? field(json, 'code')
  return String(named ?? '')
    .replace(/:.*$/s, '')
    .replace(/^.*#/s, '')
}

// Per second or per day: https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html
const throttled = ['TooManyRequestsException', 'ThrottlingException', 'Throttling', 'LimitExceededException']
const badAccount = ['AccountSuspendedException', 'SendingPausedException', 'MailFromDomainNotVerifiedException']

function readError(error: string, reason: string): Outcome | undefined {
  if (throttled.includes(error)) return { kind: 'retry', reason, paces: true }
  if (badAccount.includes(error)) return { kind: 'rejected', reason, because: 'integration' }
  return undefined
}
