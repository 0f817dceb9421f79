import { createHash, createHmac } from 'node:crypto'
import type { HttpReply } from '../../lib/outbound.ts'
import { azureSmsCallbacks } from '../callbacks/azure-sms.ts'
import { type Outcome, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text } from '../provider.ts'
import { noSender } from '../shared/no-sender.ts'
import { readEach } from '../shared/read-each.ts'
import { field, textField } from '../shared/reply-field.ts'
import { uuidOf } from '../shared/uuid-of.ts'

const path = '/sms?api-version=2021-03-07'
// Inferred: https://learn.microsoft.com/en-us/rest/api/communication/repeatable-requests says so of e-mail and rooms. The
// description of SMS (Azure/azure-rest-api-specs, communicationservicessms.json of 2021-03-07) names no time.
const rememberedMs = 5 * 60_000

export default defineProvider({
  id: 'azure-sms',
  channel: 'sms',
  displayName: 'Azure Sms',
  documentation: 'https://learn.microsoft.com/en-us/rest/api/communication/sms/send',
  verified: 'documentation in part',
  credentials: {
    accessKey: named(
      secret,
      'Connection string',
      'The whole of it, endpoint and key: in the Azure portal, under Keys of the Communication Services resource.',
    ),
    from: named(optional(text), 'Sender', 'A phone number or alphanumeric sender ID of the resource.'),
  },
  idempotencyWindowMs: rememberedMs,

  async send({ credentials, message, http, now }) {
    const resource = readConnectionString(credentials.accessKey)
    if (!resource) return { kind: 'rejected', reason: badConnectionString, because: 'integration' }
    const fault = noSender(message, 'from')
    if (fault) return fault
    const body = JSON.stringify({
      from: message.from,
      message: message.content,
      smsSendOptions: { enableDeliveryReport: true, tag: message.id },
      ...message.overrides,
      // Last: without these a repetition is a second message.
      smsRecipients: [
        {
          to: message.to,
          repeatabilityRequestId: uuidOf(message.key),
          repeatabilityFirstSent: firstSent(message.firstTriedAt, now).toUTCString(),
        },
      ],
    })
    const answer = await http({
      url: `https://${resource.host}${path}`,
      headers: { 'content-type': 'application/json', ...sign(resource, body, now) },
      body,
    })
    const isRepetition = message.firstTriedAt < now
    return readReply(answer, {
      success: (reply) =>
        readEach(
          field(reply.json, 'value'),
          (item) => readRecipient(item, reply, isRepetition),
          sentWith(undefined, reply),
        ),
    })
  },

  inbound: azureSmsCallbacks,
})

type Resource = { host: string; key: Buffer }

const badConnectionString =
  'the access key is not a connection string: endpoint=https://….communication.azure.com/;accesskey=…'

function readConnectionString(text: string): Resource | undefined {
  const host = /(?:^|;)\s*endpoint=https:\/\/((?:[a-z0-9-]+\.)+communication\.azure\.com)\/?\s*(?:;|$)/i.exec(text)?.[1]
  const key = /(?:^|;)\s*accesskey=([a-z0-9+/=]+)\s*(?:;|$)/i.exec(text)?.[1]
  return host && key ? { host: host.toLowerCase(), key: Buffer.from(key, 'base64') } : undefined
}

/** https://learn.microsoft.com/en-us/azure/communication-services/tutorials/hmac-header-tutorial */
function sign({ host, key }: Resource, body: string, now: Date): Record<string, string> {
  const date = now.toUTCString()
  const hash = createHash('sha256').update(body, 'utf8').digest('base64')
  const signature = createHmac('sha256', key).update(`POST\n${path}\n${date};${host};${hash}`, 'utf8').digest('base64')
  return {
    'x-ms-date': date,
    'x-ms-content-sha256': hash,
    authorization: `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
  }
}

/** The same at every try for as long as it is remembered; an older time would be refused. */
function firstSent(firstTriedAt: Date, now: Date): Date {
  return now.getTime() - firstTriedAt.getTime() < rememberedMs ? firstTriedAt : now
}

/** 202 for the call, and for each recipient a status of its own. */
function readRecipient(item: unknown, reply: HttpReply, isRepetition: boolean): Outcome {
  const status = field(item, 'httpStatusCode')
  if (field(item, 'successful') === true) return sentWith(field(item, 'messageId'), reply)
  if (typeof status !== 'number') return sentWith(undefined, reply)
  const message = field(item, 'errorMessage')
  if (textField(item, 'repeatabilityResult').toLowerCase() === 'rejected') {
    const reason = `${status} ${String(message)}`
    // Known under another time: an earlier try was seen, and may have gone out. Without one, our key is at fault.
    return isRepetition ? { kind: 'unknown', reason } : { kind: 'rejected', reason, because: 'integration' }
  }
  return readReply({ ...reply, status, json: { message } }, { success: () => sentWith(undefined, reply) })
}
