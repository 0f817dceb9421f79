import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import DKIM from 'nodemailer/lib/dkim'
import MailComposer from 'nodemailer/lib/mail-composer'
import { oneLine } from '../lib/one-line.ts'
import type { Fault, Mail, SmtpServer } from '../lib/outbound.ts'
import { refuse } from './connect.ts'
import { toMime } from './http-request.ts'

export type SmtpEnvelope = { from: string; to: string[] }
export type PreparedMail = {
  kind: 'prepared'
  envelope: SmtpEnvelope /** How many of the envelope are `to`. */
  direct: number
  draft: Draft
}
type Draft = ConstructorParameters<typeof MailComposer>[0]

/**
 * So that no value can begin a new header: a line break in what people read (subject, display name, file name) becomes
 * a space, because templates often end in one. In what machines read (addresses, header names and values, ids) it is an
 * attack or a mistake, and the mail is refused.
 */
export function prepareMail(mail: Mail): PreparedMail | Fault {
  const from = toAddress(mail.from.email)
  const replyTo = mail.replyTo === undefined ? undefined : toAddress(mail.replyTo)
  const [to, cc, bcc] = [mail.to, mail.cc, mail.bcc].map((list) => list.map(toAddress))
  const all = [...(to ?? []), ...(cc ?? []), ...(bcc ?? [])]
  if (from === null || replyTo === null) return refuse('The sender or the reply address is not valid.')
  if (all.length === 0) return refuse('The mail has no recipient.')
  const recipients = all.filter((address) => address !== null)
  if (recipients.length < all.length) return refuse('A recipient is not a valid e-mail address.')
  const fault = headerFault(mail)
  if (fault) return refuse(fault)
  const bare = (list: readonly (string | null)[] = []) => list.map((address) => ({ address: address ?? '', name: '' }))
  const draft: Draft = {
    from: { address: from, name: oneLine(mail.from.name ?? '') },
    to: bare(to),
    ...(mail.cc.length > 0 && { cc: bare(cc) }),
    ...(replyTo !== undefined && { replyTo: bare([replyTo]) }),
    subject: oneLine(mail.subject),
    html: mail.html,
    text: mail.text,
    ...(mail.messageId !== undefined && { messageId: mail.messageId }),
    ...(mail.date !== undefined && { date: mail.date }),
    headers: Object.entries(mail.headers).map(([key, value]) => ({ key, value })),
    attachments: mail.attachments.map(({ name, mime, content }) => ({
      filename: oneLine(name),
      contentType: toMime(mime),
      content: Buffer.from(content),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
    baseBoundary: boundaryOf(mail),
  }
  return {
    kind: 'prepared',
    envelope: { from, to: [...new Set(recipients)] },
    direct: new Set(mail.to.length > 0 ? to : recipients).size,
    draft,
  }
}

/** A hash of the parts: the same parts are the same bytes at every try, and no part can contain its own hash. */
function boundaryOf({ messageId = '', html, text, attachments }: Mail): string {
  const hash = createHash('sha256')
  for (const part of [messageId, html, text, ...attachments.flatMap(({ name, content }) => [name, content])])
    hash.update(`${part.length}:`).update(part)
  return hash.digest('hex').slice(0, 32)
}

/** Throws when the mail cannot be signed as asked. */
export async function writeMail(draft: Draft, dkim?: SmtpServer['dkim']): Promise<Buffer> {
  const bytes = await new MailComposer(draft).compile().build()
  if (!dkim) return bytes
  if (![dkim.domain, dkim.selector].every((name) => /^[\w.-]+$/.test(name))) throw new Error('no names')
  const signer = new DKIM({ domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey })
  const chunks: Buffer[] = []
  for await (const chunk of signer.sign(bytes)) chunks.push(chunk)
  const signed = Buffer.concat(chunks)
  // With a key it cannot use, nodemailer returns the mail unsigned.
  if (!signed.toString('latin1', 0, 15).startsWith('DKIM-Signature:')) throw new Error('not signed')
  return signed
}

// What the mail already has, or what only servers write.
const reservedHeader =
  /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|return-path|received|dkim-signature|resent-.*)$/i
const headerName = /^[!-9;-~]{1,76}$/
const controlCharacter = /[\p{Cc}\u2028\u2029]/u
const messageId = /^<[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+>$/u

function headerFault({ headers, messageId: id }: Mail): string | null {
  if (id !== undefined && !messageId.test(id)) return 'The message id is not valid.'
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const shown = JSON.stringify(name.slice(0, 50))
    if (!headerName.test(name)) return `The name of the header ${shown} is not valid.`
    if (reservedHeader.test(name))
      return `The header ${shown} cannot be set here; it has a field of its own or is made by us.`
    if (seen.has(name.toLowerCase())) return `The header ${shown} stands twice.`
    if (controlCharacter.test(value)) return `The value of the header ${shown} has a line break or a control character.`
    seen.add(name.toLowerCase())
  }
  return null
}

/** One bare address with its domain in ASCII, or null. Quoted local parts are refused: nobody uses them. */
function toAddress(text: string): string | null {
  const [, local = '', domain = ''] =
    /^([^\s\p{C}<>()[\],;:\\"@]{1,64})@([^\s\p{C}<>()[\],;:\\"@]{1,253})$/u.exec(text) ?? []
  const ascii = /[^\x21-\x7e]/.test(domain) ? domainToASCII(domain) : domain
  return local && ascii ? `${local}@${ascii}` : null
}
