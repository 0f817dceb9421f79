import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Fault, SmtpReply, SmtpServer } from '../lib/outbound.ts'
import { type TlsOptionName, tlsOptionNames } from '../lib/tls-options.ts'
import { type Connect, codeOf, describe, notSent, refuse, type TlsShape, toHostname } from './connect.ts'
import type { Envelope } from './smtp-mail.ts'

/** One greeted and authenticated connection. */
export type Session = {
  deliver(mail: { envelope: Envelope; direct: number; bytes: Buffer }, deadline: number): Promise<SmtpReply | Fault>
  /** After a refused envelope: the connection is fit for another mail. */
  reset(deadline: number): Promise<boolean>
  isUsable(): boolean
  close(): void
}

type Stage = SmtpReply['stage']
/** What a step came to: its value, or the error with which it or the whole connection ended. */
type Step<T> = { value: T } | { error: SmtpError }
type SmtpError = { code?: string | undefined; responseCode?: number | undefined; response?: string | undefined }

// Larger than any reply a person would read.
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
    // One clock for all: the deadline given with each step. nodemailer's own must only not be shorter.
    connectionTimeout: 600_000,
    greetingTimeout: 600_000,
    socketTimeout: 600_000,
    maxResponseSize: maxResponseBytes,
    logger: false,
  })
  // Each step listens for itself; between steps an error only means that the connection is no longer usable.
  connection.on('error', () => {})
  const destroy = () => {
    connection.close()
    opened.socket.destroy()
  }
  const greeted = await step<void>(connection, deadline, destroy, (done) => connection.connect((error) => done(error)))
  if ('error' in greeted) {
    destroy()
    return answerTo(greeted.error, { host, stage: 'connect', sent: false })
  }
  if (server.auth) {
    const { user, password } = server.auth
    const login = await step<void>(connection, deadline, destroy, (done) =>
      connection.login({ user, pass: password }, (error) => done(error)),
    )
    if ('error' in login) {
      destroy()
      return answerTo(login.error, { host, stage: 'auth', sent: false })
    }
  }
  return { kind: 'session', session: toSession(connection, host, destroy) }
}

function toSession(connection: SMTPConnection, host: string, destroy: () => void): Session {
  return {
    async deliver({ envelope, direct, bytes }, deadline) {
      // The final dot is written when this stream has been read to its end, and never before: the server can have
      // accepted nothing until then.
      const content = Readable.from(chunksOf(bytes))
      let isDotted = false
      content.once('end', () => {
        isDotted = true
      })
      const sent = await step<SendInfo>(connection, deadline, destroy, (done) =>
        connection.send({ ...envelope, to: [...envelope.to], size: bytes.length }, content, (error, info) =>
          done(error, info),
        ),
      )
      // An answer before the mail was read out leaves the two of us out of step.
      if (!isDotted && 'value' in sent) destroy()
      if ('value' in sent) return acceptedBy(sent.value, envelope.to.slice(0, direct), host)
      const stage = isDotted || sent.error.code === 'EMESSAGE' ? 'data' : 'envelope'
      return answerTo(sent.error, { host, stage, sent: isDotted })
    },
    async reset(deadline) {
      const done = await step<void>(connection, deadline, destroy, (finish) =>
        connection.reset((error) => finish(error)),
      )
      return 'value' in done
    },
    isUsable: () => !connection.destroyed,
    close() {
      // quit() waits for the server's goodbye; a server that gives none must not keep the socket.
      setTimeout(destroy, 1_000).unref()
      if (!connection.destroyed) connection.quit()
    },
  }
}

type SendInfo = { accepted: string[]; rejected: string[]; rejectedErrors?: SmtpError[] | undefined; response: string }

/**
 * Some recipients may have been refused and others not. The answer is the one for the people the mail is to: if none of
 * them was taken, it is theirs, although copies went out. If one was, the mail counts as accepted, and the text says how
 * many were not: a retry would send it to the others again.
 */
function acceptedBy(
  { accepted, rejected, rejectedErrors = [], response }: SendInfo,
  direct: string[],
  host: string,
): SmtpReply | Fault {
  const refusal = rejectedErrors[0]
  if (refusal && !direct.some((address) => accepted.includes(address))) {
    return answerTo(refusal, { host, stage: 'envelope', sent: true })
  }
  const reply = toReply(response, 'data')
  if (!reply) return { kind: 'fault', sent: true, reason: `${host} answered something else than SMTP` }
  if (!refusal) return reply
  const note = `${rejected.length} of ${rejected.length + accepted.length} recipients refused: ${refusal.response ?? ''}`
  return { ...reply, text: toText(`${reply.text} (${note})`) }
}

function answerTo(
  { code = '', responseCode, response = '' }: SmtpError,
  { host, stage, sent }: { host: string; stage: Stage; sent: boolean },
): SmtpReply | Fault {
  // A server's no is a no. Any other number here (a 250 out of turn) is no answer to anything.
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 600) {
    return toReply(response, stage) ?? { kind: 'reply', code: responseCode, text: toText(response), stage }
  }
  if (response !== '') return { kind: 'fault', sent, reason: `${host} answered something else than SMTP` }
  // nodemailer compared it with the size the server named in its greeting.
  if (code === 'EMESSAGE' && !sent) {
    return { kind: 'reply', code: 552, text: 'the mail is larger than the server takes', stage: 'envelope' }
  }
  if (code === 'EAUTH') return refuse(`${host} offers no way to log in that we know`)
  if (code === 'EENVELOPE') return refuse('The sender or a recipient is not a valid e-mail address.')
  const reason =
    code === 'ETLS'
      ? `the TLS handshake with ${host} failed`
      : describe(code === 'ETIMEDOUT' ? code : 'ECONNRESET', host)
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

/** Runs one step, and ends it when the step, the connection or the time ends, whichever is first. */
function step<T>(
  connection: SMTPConnection,
  deadline: number,
  destroy: () => void,
  run: (done: (error?: unknown, value?: T) => void) => void,
): Promise<Step<T>> {
  return new Promise((resolve) => {
    const finish = (result: Step<T>) => {
      clearTimeout(timer)
      connection.removeListener('error', onError)
      connection.removeListener('end', onEnd)
      resolve(result)
    }
    const onError = (error: unknown) => finish({ error: toSmtpError(error) })
    // A 421 closes the connection first and reports to the step's own callback then: let it speak.
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
  const { code, responseCode, response } = error as SmtpError
  return { code, responseCode, response }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes)
}

/** Checked when the integration was saved; here nothing else passes, whatever was stored. */
function pickTls(given: Readonly<Record<string, unknown>>): TlsShape {
  const isText = (value: unknown) => typeof value === 'string'
  const isUsable = (name: TlsOptionName, value: unknown) =>
    name === 'rejectUnauthorized' ? value === false : isText(value) || (Array.isArray(value) && value.every(isText))
  const usable = tlsOptionNames.filter((name) => isUsable(name, given[name]))
  return Object.fromEntries(usable.map((name) => [name, given[name]]))
}
