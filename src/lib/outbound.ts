/** Requests and replies as providers see them. src/egress implements sending, behind the address guard. */

export type HttpRequest = {
  /** POST by default. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  /** At most one of these four. It sets the content type, unless a header does. */
  json?: unknown
  form?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  multipart?: readonly Part[]
  body?: string | Uint8Array
  /** For servers that speak only HTTP/2 (APNs). */
  http2?: true
  /** The moment (in ms) by which the call must be over, if sooner than the common limit. */
  deadline?: number
  /** Asked right before the first byte: after a wait for a free connection it may be too late to begin. */
  mayBegin?: () => boolean
  /** Of the answer, where it may be larger than the common limit. Not over HTTP/2. */
  mostBytes?: number
}

/** A field or a file of a form. */
export type Part =
  | { name: string; value: string }
  | { name: string; filename: string; mime: string; content: Uint8Array }

/** The peer answered, whatever it said. */
export type HttpReply = {
  kind: 'reply'
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
  /** Undefined when the body is not JSON. */
  json: unknown
}

/** The peer did not answer. `sent`: bytes of the request may have reached it, so it may have acted on them. */
export type Fault = { kind: 'fault'; sent: boolean; reason: string; refused?: true }

/** The fault of a call that might not begin any more. */
export const notBegun = 'the process is stopping, and has not begun this call'

export type Http = (request: HttpRequest) => Promise<HttpReply | Fault>

export type Address = { email: string; name?: string }
export type Attachment = { name: string; mime: string; content: Uint8Array }

/** One e-mail, ready to be written as MIME. */
export type Mail = {
  messageId?: string
  /** The same mail with the same date is the same bytes; without one it is now. */
  date?: Date
  from: Address
  to: readonly string[]
  cc: readonly string[]
  bcc: readonly string[]
  replyTo?: string
  subject: string
  html: string
  text: string
  headers: Readonly<Record<string, string>>
  attachments: readonly Attachment[]
}

export type SmtpServer = {
  host: string
  port: number
  /** TLS from the first byte. */
  secure: boolean
  /** STARTTLS or nothing. */
  requireTls: boolean
  ignoreTls: boolean
  tlsOptions: Readonly<Record<string, unknown>>
  auth?: { user: string; password: string }
  dkim?: { domain: string; selector: string; privateKey: string }
  /** The moment (in ms) by which the call must be over, if sooner than the common limit. */
  deadline?: number
  /** As in HttpRequest. */
  mayBegin?: () => boolean
}

/**
 * `code`: the server's answer to the whole transaction (250, 451, 550 …); `stage` where it was given. `refused`: it was
 * accepted, but not for these recipients.
 */
export type SmtpReply = {
  kind: 'reply'
  code: number
  text: string
  stage: 'connect' | 'auth' | 'envelope' | 'data'
  refused?: string
}

export type Smtp = {
  send(server: SmtpServer, mail: Mail): Promise<SmtpReply | Fault>
  /** Connects, greets and authenticates; sends nothing. */
  verify(server: SmtpServer): Promise<SmtpReply | Fault>
  /** The mail as bytes, for APIs that take MIME. */
  compose(mail: Mail): Promise<Uint8Array | Fault>
}
