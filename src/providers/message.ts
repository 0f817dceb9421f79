import type { Address, Attachment } from '../lib/outbound.ts'
import type { Endpoint } from './endpoint.ts'

/** What every message carries, whatever its channel. */
type Common = {
  /** Our id, the same at every attempt. Give it to vendors that take a reference (`tidings_message_id`). */
  id: string
  /** For vendors with idempotency keys: the same at every attempt through this integration. */
  key: string
  subscriberId: string
  /** When it was first tried through this integration: some vendors recognise a repetition by this and the key. */
  firstTriedAt: Date
  /** What the trigger adds to the vendor's request, under the vendor's own names. */
  overrides: Readonly<Record<string, unknown>>
}

export type EmailMessage = Common & {
  from: Address
  /** At least one address; none has control characters. */
  to: readonly string[]
  cc: readonly string[]
  bcc: readonly string[]
  replyTo?: string
  subject: string
  html: string
  text: string
  /** Beyond the usual headers: List-Unsubscribe and what the trigger adds. */
  headers: Readonly<Record<string, string>>
  attachments: readonly Attachment[]
}

export type SmsMessage = Common & { to: string; from?: string; content: string }

/** The provider's `address` says which of `webhookUrl`, `channel` and `phone` is set; the others may be empty. */
export type ChatMessage = Common & {
  content: string
  webhookUrl: string
  channel: string
  phone: string
  /** Instead of the subscriber's credentials. Of a `webhook` or `phone` the fields above are set, too. */
  to?: Endpoint
  /** The subscriber's own values for Grafana OnCall. */
  alert: Readonly<{ alertUid?: string; title?: string; imageUrl?: string; state?: string; externalUrl?: string }>
}

export type PushMessage = Common & {
  /** The first of `tokens`. */
  token: string
  /** At most as many as the provider takes in one call (`tokensPerCall`, by default 1). */
  tokens: readonly string[]
  title: string
  body: string
  /** For the receiving app: what the step and the trigger's overrides give it. */
  data: Readonly<Record<string, unknown>>
  /** The trigger's, for a receiver of the tenant's own; never sent to a platform. */
  payload: Readonly<Record<string, unknown>>
}

export type MessageOf = { email: EmailMessage; sms: SmsMessage; chat: ChatMessage; push: PushMessage; in_app: never }
