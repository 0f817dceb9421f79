import { parseCallback } from '../callbacks/parse-callback.ts'
import { toCallback } from '../callbacks/to-callback.ts'
import type { Callback, InboundCall } from '../inbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { base64 } from '../shared/base64.ts'
import { formatAddress } from '../shared/email-address.ts'
import { field, textField } from '../shared/reply-field.ts'
import { sameText } from '../shared/same-text.ts'

export default defineProvider({
  id: 'postmark',
  channel: 'email',
  displayName: 'Postmark',
  documentation: 'https://postmarkapp.com/developer/api/email-api',
  verified: 'documentation in part',
  traceable: true,
  credentials: {
    apiKey: named(
      secret,
      'Server API token',
      'Not the account token; in the server, under API Tokens: https://account.postmarkapp.com/servers.',
    ),
    from: optional(text),
    senderName: optional(text),
  },

  async send({ credentials, message, http }) {
    const answer = await http({
      url: 'https://api.postmarkapp.com/email',
      headers: { accept: 'application/json', 'x-postmark-server-token': credentials.apiKey },
      json: {
        From: formatAddress(message.from),
        To: message.to.join(', '),
        Cc: message.cc.join(', ') || undefined,
        Bcc: message.bcc.join(', ') || undefined,
        ReplyTo: message.replyTo,
        Subject: message.subject,
        HtmlBody: message.html || undefined,
        TextBody: message.text || undefined,
        Headers: Object.entries(message.headers).map(([Name, Value]) => ({ Name, Value })),
        Metadata: { tidings_message_id: message.id },
        Attachments: message.attachments.map(({ name, mime, content }) => ({
          Name: name,
          ContentType: mime,
          Content: base64(content),
        })),
        ...message.overrides,
      },
    })
    return readReply(answer, {
      success: (reply) =>
        readCode(field(reply.json, 'ErrorCode'), saidBy(reply)) ??
        withNote(sentWith(field(reply.json, 'MessageID'), reply), textField(reply.json, 'Message')),
      failure: (reply) => (reply.status === 422 ? readCode(field(reply.json, 'ErrorCode'), saidBy(reply)) : undefined),
    })
  },

  check: async ({ credentials, http }) =>
    readCheck(
      await http({
        method: 'GET',
        url: 'https://api.postmarkapp.com/server',
        headers: { accept: 'application/json', 'x-postmark-server-token': credentials.apiKey },
      }),
    ),

  // A bounce may hold the mail that came back.
  inbound: {
    mostBytes: 1024 * 1024,
    key: {
      label: 'Name and password',
      help: 'The pair `name:password` that stands in the webhook address at Postmark (https://name:password@…), or the password alone.',
    },
    verify,
    read,
  },
})

// https://postmarkapp.com/developer/api/overview#error-codes
const maintenance = 100
const rateLimit = 429
const inactiveRecipient = 406
// The token, the sender's signature (not found, not confirmed), credits, an account not approved or not to send.
const badAccount = [10, 400, 401, 405, 412, 413]
// "Invalid email request": mostly a bad field, and also a sender that is no signature of the account.
const invalidRequest = 300

function readCode(code: unknown, reason: string): Outcome | undefined {
  if (typeof code !== 'number' || code === 0) return undefined
  if (code === maintenance) return { kind: 'retry', reason }
  if (code === rateLimit) return { kind: 'retry', reason, paces: true }
  if (code === inactiveRecipient) return { kind: 'rejected', reason, because: 'gone' }
  const isSender = code === invalidRequest && /sender signature/i.test(reason)
  return { kind: 'rejected', reason, ...((isSender || badAccount.includes(code)) && { because: 'integration' }) }
}

/** It takes a mail for those that are active, and names the others (src/client/errors/Errors.ts of its postmark.js). */
function withNote(outcome: Outcome, words: string): Outcome {
  return outcome.kind === 'sent' && /inactive addresses/i.test(words)
    ? { ...outcome, note: words.slice(0, 500) }
    : outcome
}

function saidBy(reply: Parameters<typeof reasonOf>[0]): string {
  const words = field(reply.json, 'Message')
  return typeof words === 'string' ? `${reply.status} ${words}`.slice(0, 500) : reasonOf(reply)
}

/**
 * Postmark signs nothing; it sends the name and password of HTTP Basic it was given with the webhook's URL. The signing
 * key is that pair, `name:password`, or the password alone, whatever the name.
 * https://postmarkapp.com/developer/webhooks/webhooks-overview
 */
function verify({ headers, signingKey }: InboundCall): boolean {
  const [, encoded = ''] = /^basic +([a-z0-9+/]+=*)$/i.exec(headers.authorization ?? '') ?? []
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const password = pair.slice(pair.indexOf(':') + 1)
  return signingKey !== '' && [pair, password].some((given) => sameText(given, signingKey))
}

// Of type "bounce", yet they tell of no mail that came back: it was answered, or is late.
const notBounced = ['AutoResponder', 'Subscribe', 'AddressChange', 'ChallengeVerification', 'Transient']

/** https://postmarkapp.com/developer/webhooks/bounce-webhook and the pages beside it: one event in each call. */
function read({ body }: Pick<InboundCall, 'body'>): Callback[] {
  const event = parseCallback(body)
  const [record, type] = [textField(event, 'RecordType'), textField(event, 'Type')]
  const about = {
    externalId: field(event, 'MessageID'),
    messageId: field(event, 'Metadata.tidings_message_id'),
    address: field(event, 'Email') ?? field(event, 'Recipient'),
    reason: field(event, 'Details') || field(event, 'Description'),
  }
  switch (record) {
    case '':
      return []
    case 'Delivery':
      return [toCallback({ kind: 'delivered', ...about, reason: undefined })]
    case 'SpamComplaint':
      return [toCallback({ kind: 'complained', ...about })]
    case 'Bounce': {
      if (type === 'SpamComplaint') return [toCallback({ kind: 'complained', ...about })]
      if (type === 'Unsubscribe') return [toCallback({ kind: 'unsubscribed', ...about })]
      if (notBounced.includes(type)) return [toCallback({ kind: 'other', ...about, name: type })]
      // Inactive: Postmark will not send to the address any more.
      const permanent = type === 'HardBounce' || type === 'BadEmailAddress' || field(event, 'Inactive') === true
      return [toCallback({ kind: 'bounced', permanent, ...about })]
    }
    case 'Open':
      return [toCallback({ kind: 'opened', ...about })]
    case 'Click':
      return [toCallback({ kind: 'clicked', ...about })]
    case 'SubscriptionChange': {
      // Or by a bounce or a complaint, which tell of themselves; or by the tenant.
      const isOwn = field(event, 'SuppressSending') === true && field(event, 'Origin') === 'Recipient'
      const isAsked = isOwn && field(event, 'SuppressionReason') === 'ManualSuppression'
      if (isAsked) return [toCallback({ kind: 'unsubscribed', ...about })]
      return [toCallback({ kind: 'other', ...about, name: record, reason: field(event, 'SuppressionReason') })]
    }
    default:
      return [toCallback({ kind: 'other', ...about, name: record })]
  }
}
