import type { Smtp, SmtpServer } from '../../lib/outbound.ts'
import type { EmailMessage } from '../message.ts'
import { type Outcome, readSmtp } from '../outcome.ts'
import { toMail } from './to-mail.ts'

/** Mail servers may scan a mail for most of a minute before they accept it; hanging up before means sending it twice. */
export const mailWithinMs = 60_000

/** SMTP gives no ids, so the mail's Message-ID, made from ours, is its id. */
export async function sendMail(smtp: Smtp, server: SmtpServer, message: EmailMessage): Promise<Outcome> {
  const mail = toMail(message)
  const outcome = readSmtp(await smtp.send(server, mail))
  return outcome.kind === 'sent' ? { ...outcome, id: mail.messageId } : outcome
}
