import { domainToASCII } from 'node:url'
import { createPauses } from '../../lib/chunks.ts'
import type { HttpReply } from '../../lib/outbound.ts'
import { sesCallbacks } from '../callbacks/ses.ts'
import { type Outcome, readCheck, readFault, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, optional, text } from '../provider.ts'
import { awsFields, readAwsFault, toAwsRequest } from '../shared/aws-request.ts'
import { base64 } from '../shared/base64.ts'
import { field, textField } from '../shared/reply-field.ts'
import { toMail } from '../shared/send-mail.ts'

/** Signs as in https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html. */
export default defineProvider({
  id: 'ses',
  channel: 'email',
  displayName: 'SES',
  documentation: 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html',
  verified: 'documentation',
  traceable: true,
  credentials: {
    ...awsFields,
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http, smtp, cached, now }) {
    // As MIME: SES leaves the encoding of names and most headers to the sender.
    const mime = await smtp.compose(toMail(message))
    if ('kind' in mime) return readFault(mime)
    const pause = createPauses()
    const body = JSON.stringify({
      Content: { Raw: { Data: base64(mime) } },
      Destination: {
        ToAddresses: message.to.map(toAscii),
        CcAddresses: message.cc.map(toAscii),
        BccAddresses: message.bcc.map(toAscii),
      },
      EmailTags: [{ Name: 'tidings_message_id', Value: message.id }],
      ...message.overrides,
    })
    // Writing and signing 20 MB take an eighth of a second each.
    await pause()
    const request = await toAwsRequest({ http, cached, now }, credentials, {
      service: 'ses',
      path: '/v2/email/outbound-emails',
      type: 'application/json',
      body,
    })
    if ('fault' in request) return request.fault
    return readReply(await http(request), {
      success: (reply) => sentWith(field(reply.json, 'MessageId'), reply),
      failure: (reply) => (reply.status === 429 ? undefined : readError(reply, toAscii(message.from.email))),
    })
  },

  async check({ credentials, http, cached, now }) {
    const wanted = { service: 'ses', method: 'GET', path: '/v2/email/account' } as const
    const request = await toAwsRequest({ http, cached, now }, credentials, wanted)
    if ('fault' in request) return readAwsFault(request.fault)
    const answer = await http(request)
    // Known and signed right; it may send, and not look at the account.
    if (answer.kind === 'reply' && errorIn(answer) === 'AccessDeniedException') return { kind: 'ok' }
    return readCheck(answer)
  },

  inbound: sesCallbacks,
})

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

function readError(reply: HttpReply, sender: string): Outcome | undefined {
  const [error, reason] = [errorIn(reply), reasonOf(reply)]
  if (throttled.includes(error)) return { kind: 'retry', reason, paces: true }
  const isBad = badAccount.includes(error) || (error === 'MessageRejected' && isUnverified(reply, sender))
  return isBad ? { kind: 'rejected', reason, because: 'integration' } : undefined
}

/**
 * The identities that failed are listed behind the region, as addresses or domains: the sender's, or in the sandbox
 * those of recipients. https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html
 */
function isUnverified({ json }: HttpReply, sender: string): boolean {
  const words = (textField(json, 'message') || textField(json, 'Message')).toLowerCase()
  const [fault, identities] = words.split(/failed the check in region [^:]{0,40}:/)
  if (!fault?.includes('not verified') || identities === undefined) return false
  const named = identities.split(/[\s,<>"]+/)
  const address = sender.toLowerCase()
  return named.includes(address) || named.includes(address.slice(address.lastIndexOf('@') + 1))
}

/** Punycode for other letters: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Destination.html */
function toAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at))
}
