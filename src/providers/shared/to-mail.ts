import type { Mail } from '../../lib/outbound.ts'
import type { EmailMessage } from '../message.ts'

/** Message-ID and Date are the same at every attempt, so that a receiver recognises a repetition. */
export function toMail(message: EmailMessage): Mail & { messageId: string } {
  const { id, firstTriedAt, from, to, cc, bcc, replyTo, subject, html, text, headers, attachments } = message
  const domain = from.email.slice(from.email.lastIndexOf('@') + 1)
  return {
    messageId: `<${id}@${domain}>`,
    date: firstTriedAt,
    from,
    to,
    cc,
    bcc,
    ...(replyTo !== undefined && { replyTo }),
    subject,
    html,
    text,
    headers,
    attachments,
  }
}
