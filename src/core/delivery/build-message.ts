import { createHash } from 'node:crypto'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { chunks } from '../../lib/chunks.ts'
import { oneLine } from '../../lib/one-line.ts'
import type { Address, Attachment } from '../../lib/outbound.ts'
import type { ChatMessage, EmailMessage, PushMessage, SmsMessage } from '../../providers/message.ts'
import type { Provider } from '../../providers/provider.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { normalAddress } from '../../store/suppressions.ts'
import { isPlausibleEmail, readAddress, readAddresses, safeName } from '../addresses/email-addresses.ts'
import { toDialled } from '../addresses/phone-number.ts'
import type { Suppressed } from '../addresses/suppressed-addresses.ts'
import { withoutAddresses } from '../addresses/vendor-addresses.ts'
import type { Credentials } from '../integrations/integration-credentials.ts'
import { channelOverrides, providerOverrides } from '../pipeline/overrides.ts'
import type { OwnChannel } from './channel-of.ts'

export type Parts = {
  row: MessageRow
  stepId: string
  integrationId: string
  /** See variant.ts. */
  variant: string
  provider: Provider
  credentials: Credentials
  subscriber: SubscriberRow
  channel: OwnChannel | undefined
  firstTriedAt: Date
  attachments: readonly Attachment[]
  suppressed: Suppressed
  /** The plain part of an e-mail. */
  text: string
  /** List-Unsubscribe, if there is an unsubscribe link. */
  headers: Readonly<Record<string, string>>
}

export type Built = { message: EmailMessage | SmsMessage | ChatMessage } | { pushes: PushMessage[] } | { fault: string }

/** What the provider gets: the stored message, the trigger's overrides and the subscriber's current channel. */
export function buildMessage(parts: Parts): Built {
  switch (parts.provider.channel) {
    case 'email':
      return buildEmail(parts)
    case 'sms':
      return buildSms(parts)
    case 'chat':
      return buildChat(parts)
    case 'push':
      return buildPush(parts)
    case 'in_app':
      return { fault: 'in-app messages are not sent' }
  }
}

function common({ row, stepId, integrationId, variant, provider, subscriber, firstTriedAt, suppressed }: Parts) {
  return {
    id: row.id,
    // Another body needs another key: a provider refuses a key that it knows with another one.
    key: `${row.id}-${integrationId.slice(-12)}-${variant}`,
    subscriberId: subscriber.subscriber_id,
    firstTriedAt,
    overrides: withoutAddresses(providerOverrides(row.overrides, provider.id, stepId), suppressed.leftOut),
  }
}

function buildEmail(parts: Parts): Built {
  const { row, stepId } = parts
  const given = channelOverrides(row.overrides, 'email', stepId)
  const from = senderOf(parts, given)
  if (!from) return { fault: 'No sender: set `from` in the integration, the step or overrides.email.from' }
  const to = given.to === undefined ? [row.address ?? ''] : readAddresses(given.to)
  if (to.length === 0 || !to.every(isPlausibleEmail)) return { fault: 'The recipient is not an e-mail address' }
  const isWanted = (address: string) => !parts.suppressed.leftOut.has(normalAddress(address))
  const { replyTo, ...content } = emailContent(row, stepId)
  return {
    message: {
      ...common(parts),
      from,
      to: to.filter((address, n) => n === 0 || isWanted(address)),
      cc: readAddresses(given.cc).filter(isWanted),
      bcc: readAddresses(given.bcc).filter(isWanted),
      ...(replyTo !== undefined && { replyTo }),
      ...content,
      text: parts.text,
      headers: { ...parts.headers, ...safeHeaders(given.headers) },
      attachments: parts.attachments,
    },
  }
}

type StoredContent = Pick<MessageRow, 'overrides' | 'subject' | 'content' | 'envelope'>

/** The e-mail without its plain part: as rendered, or as the trigger overrides it. */
export function emailContent(row: StoredContent, stepId: string) {
  const given = channelOverrides(row.overrides, 'email', stepId)
  const { replyTo, preheader } = envelopeOf(row)
  return {
    replyTo: readAddress(given.replyTo)?.email ?? replyTo,
    subject: oneLine(typeof given.subject === 'string' ? given.subject : (row.subject ?? '')),
    html: typeof given.html === 'string' ? given.html : withPreheader(row.content, preheader),
  }
}

type Envelope = { from?: Address; replyTo?: string; preheader?: string; data?: Record<string, string> }

function envelopeOf(row: Pick<MessageRow, 'envelope'>): Envelope {
  // Written by send-content.ts.
  return (row.envelope ?? {}) as Envelope
}

/** The trigger's sender, else the step's, the integration's, or the provider's default. */
function senderOf({ row, credentials, provider }: Parts, given: Record<string, unknown>): Address | null {
  const own = readAddress(credentials.from)
  const from = readAddress(given.from) ?? envelopeOf(row).from ?? own ?? readAddress(provider.defaultFrom)
  if (!from) return null
  const name = safeName(String(given.senderName ?? from.name ?? credentials.senderName ?? ''))
  return { email: from.email, ...(name && { name }) }
}

const reserved =
  /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|received|return-path|dkim-signature)$/i

/** Headers a trigger adds. Each must stay one header, and none may replace one the mail already has. */
function safeHeaders(value: unknown): Record<string, string> {
  if (!isPlainObject(value)) return {}
  const entries = Object.entries(value).flatMap(([name, text]) =>
    /^[A-Za-z0-9-]{1,76}$/.test(name) && !reserved.test(name) && typeof text === 'string'
      ? [[name, oneLine(text)] as const]
      : [],
  )
  return Object.fromEntries(entries)
}

/** Mail clients show it beside the subject: hidden text at the start of the body. */
export function withPreheader(html: string, preheader: string | undefined): string {
  if (!preheader) return html
  const text = preheader.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  const hidden = `<div style="display:none;max-height:0;overflow:hidden">${text}</div>`
  // Two searches that go on from each other: one expression for both would look for the end anew at every beginning.
  const body = /<body(?=[\s/>])/i.exec(html)
  const at = body ? html.indexOf('>', body.index) + 1 : 0
  return html.slice(0, at) + hidden + html.slice(at)
}

function buildSms(parts: Parts): Built {
  const { row, stepId, credentials, subscriber } = parts
  const given = channelOverrides(row.overrides, 'sms', stepId)
  const from = typeof given.from === 'string' ? given.from : credentials.from
  return {
    message: {
      ...common(parts),
      to: toDialled(row.address ?? '', subscriber.locale),
      ...(typeof from === 'string' && from !== '' && { from }),
      content: typeof given.content === 'string' ? given.content : row.content,
    },
  }
}

function buildChat(parts: Parts): Built {
  const { row, channel, subscriber } = parts
  const { alertUid, title, imageUrl, state, externalUrl, reached } = channel ?? {}
  const to = reached?.to()
  const alert = Object.entries({ alertUid, title, imageUrl, state, externalUrl }).filter(
    ([, value]) => value !== undefined,
  )
  return {
    message: {
      ...common(parts),
      content: row.content,
      webhookUrl: channel?.webhookUrl ?? '',
      channel: channel?.channel ?? '',
      phone: to?.type === 'phone' ? to.endpoint.phoneNumber : (subscriber.phone ?? ''),
      alert: Object.fromEntries(alert),
      ...(to && { to }),
    },
  }
}

/** One message per call: the tokens that are not settled yet, as many per call as the provider takes. */
function buildPush(parts: Parts): Built {
  const { row, stepId, channel, provider } = parts
  const given = channelOverrides(row.overrides, 'push', stepId)
  // Not the payload: it may hold what is nobody else's business, and more than a platform takes.
  const data = { ...envelopeOf(row).data, ...(isPlainObject(given.data) && given.data) }
  const settled = new Set((row.settled_targets ?? []).map((entry) => entry.slice(1)))
  const open = (channel?.deviceTokens ?? []).filter((token) => !settled.has(targetDigest(token)))
  const pushes = chunks(open, provider.tokensPerCall ?? 1).flatMap(([token, ...others]): PushMessage[] =>
    token === undefined
      ? []
      : [
          {
            ...common(parts),
            token,
            tokens: [token, ...others],
            title: row.subject ?? '',
            body: row.content,
            data,
            payload: isPlainObject(row.payload) ? row.payload : {},
          },
        ],
  )
  return { pushes }
}

/** A device token is a secret: history stores only a digest of it. */
export function targetDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, 22)
}
