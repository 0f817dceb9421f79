import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Fault, SmtpReply, SmtpServer } from '../lib/outbound.ts'
import { type TlsOptionName, tlsOptionNames } from '../lib/tls-options.ts'
import { type Connect, codeOf, describe, notSent, refuse, type TlsShape, toHostname } from './connect.ts'
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
type SmtpError = { code?: string | undefined; responseCode?: number | undefined; response?: string | undefined }

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
      // The final dot is written only when this stream has been read to its end: until then the server cannot have
      // accepted the mail.
      const content = Readable.from(chunksOf(bytes))
      let isFinalDotWritten = false
      content.once('end', () => {
        isFinalDotWritten = true
      })
      const sent = await step<SendInfo>(connection, deadline, destroy, (done) =>
        connection.send({ ...envelope, to: [...envelope.to], size: bytes.length }, content, (error, info) =>
          done(error, info),
        ),
      )
      // After an answer before the end of the mail, the connection is out of step.
      if (!isFinalDotWritten && 'value' in sent) destroy()
      if ('value' in sent) return toSendAnswer(sent.value, envelope.to.slice(0, direct), host)
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

type SendInfo = { accepted: string[]; rejected: string[]; rejectedErrors?: SmtpError[] | undefined; response: string }

/**
 * The server may refuse some recipients and accept others. If it accepted none of `to`, the mail counts as refused,
 * although copies went out. If it accepted one, the mail counts as accepted, because a retry would send it twice; the
 * text says how many were refused.
 */
function toSendAnswer(
  { accepted, rejected, rejectedErrors = [], response }: SendInfo,
  direct: string[],
  host: string,
): SmtpReply | Fault {
  const refusal = rejectedErrors[0]
  if (refusal && !direct.some((address) => accepted.includes(address))) {
    return toErrorAnswer(refusal, { host, stage: 'envelope', sent: true })
  }
  const reply = toReply(response, 'data')
  if (!reply) return { kind: 'fault', sent: true, reason: `${host} answered something else than SMTP` }
  if (!refusal) return reply
  const note = `${rejected.length} of ${rejected.length + accepted.length} recipients refused: ${refusal.response ?? ''}`
  return { ...reply, text: toText(`${reply.text} (${note})`) }
}

function toErrorAnswer(
  { code = '', responseCode, response = '' }: SmtpError,
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
  const { code, responseCode, response } = error as SmtpError
  return { code, responseCode, response }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
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
