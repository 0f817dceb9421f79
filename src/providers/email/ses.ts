import { createPauses } from '../../lib/chunks.ts'
import type { HttpReply } from '../../lib/outbound.ts'
import { sesCallbacks } from '../callbacks/ses.ts'
import { type Outcome, readCheck, readFault, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, optional, text } from '../provider.ts'
import { awsFields, readAwsFault, toAwsRequest } from '../shared/aws-request.ts'
import { base64 } from '../shared/base64.ts'
import { field } from '../shared/reply-field.ts'
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
      Destination: { ToAddresses: message.to, CcAddresses: message.cc, BccAddresses: message.bcc },
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
      failure: (reply) => (reply.status === 429 ? undefined : readError(errorIn(reply), reasonOf(reply))),
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

function readError(error: string, reason: string): Outcome | undefined {
  if (throttled.includes(error)) return { kind: 'retry', reason, paces: true }
  if (badAccount.includes(error)) return { kind: 'rejected', reason, because: 'integration' }
  return undefined
}
