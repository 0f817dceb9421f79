import { domainToASCII } from 'node:url'
import { createPauses } from '../../lib/chunks.ts'
import type { Attachment, Fault, Http, HttpReply, HttpRequest, Smtp } from '../../lib/outbound.ts'
import type { EmailMessage } from '../message.ts'
import { type Outcome, readFault, readReply, reasonOf } from '../outcome.ts'
import { base64 } from './base64.ts'
import { field } from './reply-field.ts'
import { toMail } from './send-mail.ts'

type Tools = { http: Http; smtp: Pick<Smtp, 'compose'>; token: string }
type Call = (path: string, request?: Partial<HttpRequest>) => Promise<HttpReply | Fault>

// A request may have 4 MB, and of MIME it holds the base64. https://learn.microsoft.com/en-us/graph/api/user-sendmail
const mostBody = 4_000_000
// https://learn.microsoft.com/en-us/graph/outlook-large-attachments: larger ones in ranges, each under 4 MB.
const mostOfFile = 3_000_000

/**
 * One mail through Microsoft Graph, as MIME: its JSON takes one body only, and no header that does not begin with x-.
 * Microsoft keeps a copy in Sent Items. What is too large for one call becomes a draft to which the files are added.
 */
export async function sendGraphMail({ http, smtp, token }: Tools, message: EmailMessage): Promise<Outcome> {
  const call: Call = (path, { headers, ...request } = {}) =>
    http({
      url: `https://graph.microsoft.com/v1.0/users/${encodeURIComponent(message.from.email)}/${path}`,
      // In Microsoft's logs.
      headers: { authorization: `Bearer ${token}`, 'client-request-id': message.id, ...headers },
      ...request,
    })
  const hasOverrides = Object.keys(message.overrides).length > 0
  if (hasOverrides) return readSent(await call('sendMail', { json: toGraph(message) }))
  const files = message.attachments.reduce((sum, { content }) => sum + content.length, 0)
  // Encoded twice, each time a third longer.
  if ((files * 16) / 9 < mostBody) {
    const request = await toMime(smtp, message)
    if ('kind' in request) return readFault(request)
    if (request.body.length <= mostBody) return readSent(await call('sendMail', request))
  }
  const request = await toMime(smtp, { ...message, attachments: [] })
  return 'kind' in request ? readFault(request) : sendDraft({ http, call }, request, message.attachments)
}

function readSent(answer: HttpReply | Fault): Outcome {
  return readReply(answer, { failure: noMailbox })
}

/** The path has only the sender's mailbox in it. */
function noMailbox(reply: HttpReply): Outcome | undefined {
  return reply.status === 404 ? { kind: 'rejected', reason: reasonOf(reply), because: 'integration' } : undefined
}

async function toMime(smtp: Tools['smtp'], message: EmailMessage) {
  const own = Object.entries(message.headers).filter(([name]) => !/^x-tidings-message-id$/i.test(name))
  const headers = Object.fromEntries([...own, ['x-tidings-message-id', message.id]])
  const mime = await smtp.compose(toMail({ ...message, headers }))
  if ('kind' in mime) return mime
  const pause = createPauses()
  // Whoever gets it stands in the mail; Microsoft takes this line out of it.
  const bcc = message.bcc.length === 0 ? '' : `Bcc: ${message.bcc.map(toAscii).join(',\r\n ')}\r\n`
  const body = base64(Buffer.concat([Buffer.from(bcc), mime]))
  await pause()
  return { headers: { 'content-type': 'text/plain' }, body }
}

function toAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + domainToASCII(address.slice(at))
}

type Files = readonly Attachment[]

/** Until the draft is told to go nothing was sent, whatever happens; one that will not go is taken away. */
async function sendDraft(
  { http, call }: { http: Http; call: Call },
  mime: Partial<HttpRequest>,
  files: Files,
): Promise<Outcome> {
  const created = await call('messages', mime)
  const id = created.kind === 'reply' ? field(created.json, 'id') : undefined
  const fault = notDone(created, (reply) => noMailbox(reply) ?? noDrafts(reply))
  if (fault) return fault
  if (typeof id !== 'string') return { kind: 'retry', reason: 'made a draft and did not say its id' }
  const draft = `messages/${encodeURIComponent(id)}`
  const outcome = (await addFiles({ http, call }, draft, files)) ?? readReply(await call(`${draft}/send`))
  // Where it is not known whether it went, it may be on its way.
  if (outcome.kind === 'retry' || outcome.kind === 'rejected') await call(draft, { method: 'DELETE' })
  return outcome
}

function noDrafts(reply: HttpReply): Outcome | undefined {
  if (reply.status !== 403) return undefined
  const reason = `${reasonOf(reply).slice(0, 400)} (a mail of more than 4 MB needs the permission Mail.ReadWrite)`
  return { kind: 'rejected', reason }
}

/** Undefined: all are there. */
async function addFiles(
  { http, call }: { http: Http; call: Call },
  draft: string,
  files: Files,
): Promise<Outcome | undefined> {
  for (const file of files) {
    const fault =
      file.content.length < mostOfFile
        ? notDone(await call(`${draft}/attachments`, { json: toFile(file) }))
        : await upload({ http, call }, draft, file)
    if (fault) return fault
  }
  return undefined
}

async function upload(
  { http, call }: { http: Http; call: Call },
  draft: string,
  { name, mime, content }: Attachment,
): Promise<Outcome | undefined> {
  const size = content.length
  const json = { AttachmentItem: { attachmentType: 'file', name, contentType: mime, size } }
  const session = await call(`${draft}/attachments/createUploadSession`, { json })
  const fault = notDone(session)
  if (fault) return fault
  const url = session.kind === 'reply' ? String(field(session.json, 'uploadUrl')) : ''
  if (URL.parse(url)?.protocol !== 'https:') return { kind: 'retry', reason: 'did not say where to upload the file' }
  for (let start = 0; start < size; start += mostOfFile) {
    const body = content.subarray(start, start + mostOfFile)
    const range = `bytes ${start}-${start + body.length - 1}/${size}`
    // The URL has a token of its own.
    const headers = { 'content-type': 'application/octet-stream', 'content-range': range }
    const broken = notDone(await http({ method: 'PUT', url, headers, body }), goneSession)
    if (broken) return broken
  }
  return undefined
}

/** Another try begins another session; only a file that is too large stays so. */
function goneSession(reply: HttpReply): Outcome | undefined {
  const isCommon = reply.status === 413 || reply.status === 429 || reply.status >= 500
  return isCommon ? undefined : { kind: 'retry', reason: reasonOf(reply) }
}

/** What a step that sends nothing itself means for the mail; undefined if it went well. */
function notDone(answer: HttpReply | Fault, failure?: (reply: HttpReply) => Outcome | undefined): Outcome | undefined {
  const outcome = readReply(answer, failure ? { failure } : {})
  if (outcome.kind === 'sent') return undefined
  return outcome.kind === 'unknown' ? { kind: 'retry', reason: outcome.reason } : outcome
}

/** For a trigger that overrides something: MIME has no place for it. Of the headers only those that begin with x-. */
function toGraph(message: EmailMessage) {
  const headers = Object.entries(message.headers).map(([name, value]) => ({ name, value }))
  const own = [{ name: 'x-tidings-message-id', value: message.id }, ...headers.filter(({ name }) => /^x-/i.test(name))]
  return {
    message: {
      from: { emailAddress: { address: message.from.email, name: message.from.name } },
      toRecipients: people(message.to),
      ccRecipients: people(message.cc),
      bccRecipients: people(message.bcc),
      replyTo: message.replyTo === undefined ? undefined : people([message.replyTo]),
      subject: message.subject,
      body: message.html
        ? { contentType: 'HTML', content: message.html }
        : { contentType: 'Text', content: message.text },
      internetMessageHeaders: own,
      attachments: message.attachments.map(toFile),
    },
    saveToSentItems: false,
    ...message.overrides,
  }
}

function toFile({ name, mime, content }: Attachment) {
  return {
    '@odata.type': '#microsoft.graph.fileAttachment',
    name,
    contentType: mime,
    contentBytes: base64(content),
  }
}

function people(addresses: readonly string[]) {
  return addresses.map((address) => ({ emailAddress: { address } }))
}
