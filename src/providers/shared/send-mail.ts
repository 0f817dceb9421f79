import type { Mail, Smtp, SmtpServer } from '../../lib/outbound.ts'
import type { EmailMessage } from '../message.ts'
import { type Outcome, readSmtp } from '../outcome.ts'

/** Mail servers may scan a mail for most of a minute before they accept it; hanging up before means sending it twice. */
export const mailWithinMs = 60_000

/** SMTP gives no ids, so the mail's Message-ID, made from ours, is its id. */
export async function sendMail(smtp: Smtp, server: SmtpServer, message: EmailMessage): Promise<Outcome> {
  const mail = toMail(message)
  const outcome = readSmtp(await smtp.send(server, mail))
  return outcome.kind === 'sent' ? { ...outcome, id: mail.messageId } : outcome
}

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
