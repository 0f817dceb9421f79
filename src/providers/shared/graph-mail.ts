import type { Attachment, Fault, Http, HttpReply, HttpRequest } from '../../lib/outbound.ts'
import type { EmailMessage } from '../message.ts'
import { type Outcome, readReply, reasonOf } from '../outcome.ts'
import { base64 } from './base64.ts'
import { field } from './reply-field.ts'

type Call = (path: string, request?: Partial<HttpRequest>) => Promise<HttpReply | Fault>

// A request may have 4 MB. https://learn.microsoft.com/en-us/graph/api/user-sendmail
const mostBody = 3_900_000
// https://learn.microsoft.com/en-us/graph/outlook-large-attachments: larger ones in ranges, each under 4 MB.
const mostOfFile = 3_000_000

/**
 * One mail through Microsoft Graph. What is too large for one call becomes a draft to which the files are added, and of
 * which Microsoft keeps a copy in Sent Items.
 */
export async function sendGraphMail(
  { http, token }: { http: Http; token: string },
  message: EmailMessage,
): Promise<Outcome> {
  const call: Call = (path, request = {}) =>
    http({
      url: `https://graph.microsoft.com/v1.0/users/${encodeURIComponent(message.from.email)}/${path}`,
      // In Microsoft's logs.
      headers: { authorization: `Bearer ${token}`, 'client-request-id': message.id },
      ...request,
    })
  const files = message.attachments.reduce((sum, { content }) => sum + content.length, 0)
  const length = (files * 4) / 3 + Buffer.byteLength(message.html || message.text)
  // A trigger that brings a message of its own has said all of it.
  if (length < mostBody || message.overrides.message !== undefined) {
    const json = { message: toGraph(message), saveToSentItems: false, ...message.overrides }
    return readReply(await call('sendMail', { json }), { failure: noMailbox })
  }
  return sendDraft({ http, call }, toGraph({ ...message, attachments: [] }), message.attachments)
}

/** The path has only the sender's mailbox in it. */
function noMailbox(reply: HttpReply): Outcome | undefined {
  return reply.status === 404 ? { kind: 'rejected', reason: reasonOf(reply), because: 'integration' } : undefined
}

type Files = readonly Attachment[]

/** Until the draft is told to go nothing was sent, whatever happens; one that will not go is taken away. */
async function sendDraft({ http, call }: { http: Http; call: Call }, json: object, files: Files): Promise<Outcome> {
  const created = await call('messages', { json })
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

/** It takes one body, and makes the plain text of a mail in HTML itself. */
function toGraph(message: EmailMessage) {
  return {
    from: { emailAddress: { address: message.from.email, name: message.from.name } },
    toRecipients: people(message.to),
    ccRecipients: people(message.cc),
    bccRecipients: people(message.bcc),
    replyTo: message.replyTo === undefined ? undefined : people([message.replyTo]),
    subject: message.subject,
    body: message.html
      ? { contentType: 'HTML', content: message.html }
      : { contentType: 'Text', content: message.text },
    ...toHeaders(message),
    attachments: message.attachments.map(toFile),
  }
}

const mostXHeaders = 5
// https://msdn.microsoft.com/en-us/library/office/cc765939, as https://github.com/redaxo/core/pull/6590 does.
const listUnsubscribe = 'String 0x1045'
// The names here are those of headers (PS_INTERNET_HEADERS).
const internetHeader = 'String {00020386-0000-0000-C000-000000000046} Name'

/**
 * As headers Graph takes five whose names begin with x-, and refuses a mail with any other. Exchange keeps headers as
 * properties of a message, so the others go as these. MIME is no way out: of what it brings Exchange drops headers that
 * the mailbox has not sent before (https://github.com/microsoftgraph/microsoft-graph-docs-contrib/issues/424).
 */
function toHeaders({ id, headers }: EmailMessage) {
  const given = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const named = [{ name: 'x-tidings-message-id', value: id }, ...given.filter(({ name }) => /^x-/i.test(name))]
  const others = [...given.filter(({ name }) => !/^x-/i.test(name)), ...named.slice(mostXHeaders)]
  const properties = others.map(({ name, value }) => ({
    id: /^list-unsubscribe$/i.test(name) ? listUnsubscribe : `${internetHeader} ${name}`,
    value,
  }))
  return {
    internetMessageHeaders: named.slice(0, mostXHeaders),
    ...(properties.length > 0 && { singleValueExtendedProperties: properties }),
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
