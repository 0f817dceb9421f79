import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Fault, SmtpReply, SmtpServer } from '../lib/outbound.ts'
import { type TlsOptionName, tlsOptionNames } from '../lib/tls-options.ts'
import { type Connect, codeOf, describe, describeTls, notSent, refuse, type TlsShape, toHostname } from './connect.ts'
import type { SmtpEnvelope } from './smtp-mail.ts'

/** One greeted and authenticated connection. */
export type Session = {
  deliver(mail: { envelope: SmtpEnvelope; direct: number; bytes: Buffer }, deadline: number): Promise<SmtpReply | Fault>
  /** After a refused envelope. True: the connection can take another mail. */
  reset(deadline: number): Promise<boolean>
  isUsable(): boolean
  close(): void
}

type Stage = SmtpReply['stage']
/** The result of a step: its value, or the error that ended it or the connection. */
type StepResult<T> = { value: T } | { error: SmtpError }
type SmtpError = {
  code?: string | undefined
  message?: string | undefined
  responseCode?: number | undefined
  response?: string | undefined
}

// Larger than any real reply.
const maxResponseBytes = 64 * 1024
const chunkBytes = 16 * 1024

export async function openSession(
  connect: Connect,
  server: SmtpServer,
  deadline: number,
): Promise<{ kind: 'session'; session: Session } | SmtpReply | Fault> {
  const tls = pickTls(server.tlsOptions)
  const opened = await connect({ host: server.host, port: server.port, deadline, ...(server.secure && { tls }) })
  if (opened.kind === 'fault') return opened
  const host = toHostname(server.host)
  const connection = new SMTPConnection({
    connection: opened.socket,
    host,
    port: server.port,
    secure: server.secure,
    secured: server.secure,
    requireTLS: server.requireTls,
    ignoreTLS: server.ignoreTls,
    tls,
    // Each step has its own deadline; nodemailer's must only not be shorter.
    connectionTimeout: 600_000,
    greetingTimeout: 600_000,
    socketTimeout: 600_000,
    maxResponseSize: maxResponseBytes,
    logger: false,
  })
  // Each step listens for errors; between steps an error only means that the connection is no longer usable.
  connection.on('error', () => {})
  const destroy = () => {
    connection.close()
    opened.socket.destroy()
  }
  const greeted = await step<void>(connection, deadline, destroy, (done) => connection.connect((error) => done(error)))
  if ('error' in greeted) {
    destroy()
    return toErrorAnswer(greeted.error, { host, stage: 'connect', sent: false })
  }
  if (server.auth) {
    const { user, password } = server.auth
    const login = await step<void>(connection, deadline, destroy, (done) =>
      connection.login({ user, pass: password }, (error) => done(error)),
    )
    if ('error' in login) {
      destroy()
      return toErrorAnswer(login.error, { host, stage: 'auth', sent: false })
    }
  }
  return { kind: 'session', session: toSession(connection, host, destroy) }
}

function toSession(connection: SMTPConnection, host: string, destroy: () => void): Session {
  return {
    async deliver({ envelope, direct, bytes }, deadline) {
      const handed: Handed = { ...envelope, to: [...envelope.to], size: bytes.length }
      const isWanted = () => envelope.to.slice(0, direct).some((address) => handed.accepted?.includes(address))
      // The final dot is written only when this stream has been read to its end: until then the server cannot have
      // accepted the mail.
      const content = Readable.from(contentOf(bytes, isWanted))
      let isFinalDotWritten = false
      content.once('end', () => {
        isFinalDotWritten = true
      })
      const sent = await step<SendInfo>(connection, deadline, destroy, (done) =>
        connection.send(handed, content, (error, info) => done(error, info)),
      )
      const refusal = isWanted() ? undefined : refusalOf(handed, envelope.to.slice(0, direct))
      if (refusal) {
        // The server may wait for the content. Nobody has the mail: the final dot was not written.
        if ('error' in sent && sent.error.code === 'ESTREAM') destroy()
        return toErrorAnswer(refusal, { host, stage: 'envelope', sent: false })
      }
      // After an answer before the end of the mail, the connection is out of step.
      if (!isFinalDotWritten && 'value' in sent) destroy()
      if ('value' in sent) return toSendAnswer(sent.value, host)
      const stage = isFinalDotWritten || sent.error.code === 'EMESSAGE' ? 'data' : 'envelope'
      return toErrorAnswer(sent.error, { host, stage, sent: isFinalDotWritten })
    },
    async reset(deadline) {
      const done = await step<void>(connection, deadline, destroy, (finish) =>
        connection.reset((error) => finish(error)),
      )
      return 'value' in done
    },
    isUsable: () => !connection.destroyed,
    close() {
      // quit() waits for the server's answer; a server that gives none must not keep the socket.
      setTimeout(destroy, 1_000).unref()
      if (!connection.destroyed) connection.quit()
    },
  }
}

/** The envelope as nodemailer has it: it notes there what the server says of each recipient. */
type Handed = SmtpEnvelope & {
  size: number
  mailError?: unknown
  accepted?: string[]
  rejectedErrors?: RecipientError[]
}
type RecipientError = SmtpError & { recipient?: string | undefined }
type SendInfo = {
  accepted: string[]
  rejected: string[]
  rejectedErrors?: RecipientError[] | undefined
  response: string
}

/**
 * The server may refuse some recipients and accept others. With none of `to` accepted the content is not sent, so that
 * nobody has a copy at every try. May one of them be taken later, so may the mail.
 */
function refusalOf({ mailError, rejectedErrors = [] }: Handed, direct: readonly string[]): SmtpError | undefined {
  // The sender was refused, and the recipients only for that.
  if (mailError) return undefined
  const ofDirect = rejectedErrors.filter(({ recipient = '' }) => direct.includes(recipient))
  if (ofDirect.length < direct.length) return undefined
  return ofDirect.find(({ responseCode = 0 }) => responseCode < 500) ?? ofDirect[0]
}

/** If one of `to` was accepted, the mail is: a retry would send it twice. `refused` says who does not get it. */
function toSendAnswer(
  { accepted, rejected, rejectedErrors = [], response }: SendInfo,
  host: string,
): SmtpReply | Fault {
  const reply = toReply(response, 'data')
  if (!reply) return { kind: 'fault', sent: true, reason: `${host} answered something else than SMTP` }
  if (rejected.length === 0) return reply
  const who = rejectedErrors.slice(0, 5).map((error) => `${error.recipient} (${error.response ?? 'no reason'})`)
  const count = `${rejected.length} of ${rejected.length + accepted.length} recipients refused`
  return { ...reply, refused: toText(`${count}: ${who.join(', ')}`) }
}

function toErrorAnswer(
  { code = '', message = '', responseCode, response = '' }: SmtpError,
  { host, stage, sent }: { host: string; stage: Stage; sent: boolean },
): SmtpReply | Fault {
  // 4xx and 5xx are refusals. Any other number here (a 250 out of turn) is not an answer.
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 600) {
    return toReply(response, stage) ?? { kind: 'reply', code: responseCode, text: toText(response), stage }
  }
  if (response !== '') return { kind: 'fault', sent, reason: `${host} answered something else than SMTP` }
  // nodemailer compared the mail with the size limit in the server's greeting.
  if (code === 'EMESSAGE' && !sent) {
    return { kind: 'reply', code: 552, text: 'the mail is larger than the server takes', stage: 'envelope' }
  }
  if (code === 'EAUTH') return refuse(`${host} offers no way to log in that we know`)
  if (code === 'EENVELOPE') return refuse('The sender or a recipient is not a valid e-mail address.')
  const reason =
    describeTls(message, host) ??
    (code === 'ETLS'
      ? `the TLS handshake with ${host} failed`
      : describe(code === 'ETIMEDOUT' ? code : 'ECONNRESET', host))
  return sent ? { kind: 'fault', sent, reason } : notSent(reason)
}

function toReply(response: string, stage: Stage): SmtpReply | null {
  const [, code, text = ''] = /^(\d{3})[ -]?(.*)$/s.exec(response) ?? []
  return code === undefined ? null : { kind: 'reply', code: Number(code), text: toText(text), stage }
}

function toText(text: string): string {
  return text
    .replace(/\r?\n\d{3}[ -]?/g, ' ')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 500)
}

/** Runs one step until it, the connection or the time ends, whichever is first. */
function step<T>(
  connection: SMTPConnection,
  deadline: number,
  destroy: () => void,
  run: (done: (error?: unknown, value?: T) => void) => void,
): Promise<StepResult<T>> {
  return new Promise((resolve) => {
    const finish = (result: StepResult<T>) => {
      clearTimeout(timer)
      connection.removeListener('error', onError)
      connection.removeListener('end', onEnd)
      resolve(result)
    }
    const onError = (error: unknown) => finish({ error: toSmtpError(error) })
    // A 421 closes the connection first and calls the step's own callback just after: wait for that.
    const onEnd = () => setImmediate(finish, { error: { code: 'ECONNRESET' } })
    const timer = setTimeout(
      () => {
        finish({ error: { code: 'ETIMEDOUT' } })
        destroy()
      },
      Math.max(1, deadline - Date.now()),
    )
    connection.once('error', onError)
    connection.once('end', onEnd)
    run((error, value) => (error ? onError(error) : finish({ value: value as T })))
  })
}

function toSmtpError(error: unknown): SmtpError {
  if (!(error instanceof Error)) return { code: codeOf(error) }
  const { code, message, responseCode, response } = error as SmtpError
  return { code, message, responseCode, response }
}

/** Read once the server has said what it thinks of every recipient. */
function* contentOf(bytes: Buffer, isWanted: () => boolean): Generator<Buffer> {
  if (!isWanted()) throw new Error('nobody of `to` was accepted')
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes)
}

/** Checked at save, and again here, whatever was stored. */
function pickTls(given: Readonly<Record<string, unknown>>): TlsShape {
  const isText = (value: unknown) => typeof value === 'string'
  const isUsable = (name: TlsOptionName, value: unknown) =>
    name === 'rejectUnauthorized' ? value === false : isText(value) || (Array.isArray(value) && value.every(isText))
  const usable = tlsOptionNames.filter((name) => isUsable(name, given[name]))
  return Object.fromEntries(usable.map((name) => [name, given[name]]))
}
