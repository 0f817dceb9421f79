import type { Address, Attachment } from '../lib/outbound.ts'

/** What every message carries, whatever its channel. */
type Common = {
  /** Ours, the same at every try. Hand it to the vendor as a reference where it takes one (`tidings_message_id`). */
  id: string
  /** For vendors with idempotency keys: the same at every try of this message through this integration. */
  key: string
  subscriberId: string
  /** When it was first tried through this integration: with the key, what some vendors know a repetition by. */
  firstTriedAt: Date
  /** What the trigger adds to the vendor's request, in the vendor's own words. */
  overrides: Readonly<Record<string, unknown>>
}

export type EmailMessage = Common & {
  from: Address
  /** One address at least, all free of control characters. */
  to: readonly string[]
  cc: readonly string[]
  bcc: readonly string[]
  replyTo?: string
  subject: string
  html: string
  text: string
  /** Besides those a mail always has: List-Unsubscribe and what the trigger adds. */
  headers: Readonly<Record<string, string>>
  attachments: readonly Attachment[]
}

export type SmsMessage = Common & { to: string; from?: string; content: string }

/** Which of these is there, the provider says by its `address`; the rest may be empty. */
export type ChatMessage = Common & {
  content: string
  webhookUrl: string
  channel: string
  phone: string
  /** The subscriber's own values for Grafana OnCall. */
  alert: Readonly<{ alertUid?: string; title?: string; imageUrl?: string; state?: string; externalUrl?: string }>
}

export type PushMessage = Common & {
  /** The first of `tokens`. */
  token: string
  /** As many as the provider takes in one call (`tokensPerCall`), one unless it says more. */
  tokens: readonly string[]
  title: string
  body: string
  /** The trigger's payload. */
  data: Readonly<Record<string, unknown>>
}

export type MessageOf = { email: EmailMessage; sms: SmsMessage; chat: ChatMessage; push: PushMessage; in_app: never }
