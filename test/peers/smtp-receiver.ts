import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import type { Certificate } from './http-receiver.ts'

/** Where in the conversation: the login, MAIL, RCPT, while the content arrives, or after its final dot. */
export type SmtpStage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'content' | 'dot'
/** A code refuses, `hang` says nothing, `reset` cuts. */
export type SmtpScript = Partial<Record<SmtpStage, number | 'hang' | 'reset'>>

export type ReceivedMail = {
  from: string
  to: string[]
  raw: string
  /** Unfolded, in order. */
  headers: [name: string, value: string][]
  /** Who logged in, and whether it came over TLS. */
  user: string | undefined
  isSecure: boolean
}

export type SmtpReceiver = {
  host: string
  port: number
  /** What was accepted with 250. */
  mails: ReceivedMail[]
  script: SmtpScript
  /** The stages that were reached, by all. */
  reached: SmtpStage[]
  /** Addresses it does not take, whatever the script says, and the code it gives. */
  unknown: Map<string, number>
  connections: { total: number; open: number; most: number }
  cut(): void
  close(): Promise<void>
}

/** A real mail server on loopback that does as it is told. With a certificate it offers STARTTLS; `secure` begins with TLS. */
export async function startSmtpReceiver(
  options: {
    tls?: Certificate
    secure?: boolean
    auth?: { user: string; password: string }
    maxBytes?: number
    pipelining?: boolean
  } = {},
): Promise<SmtpReceiver> {
  const sockets = new Set<Socket>()
  const server = new SMTPServer(toOptions(options, () => receiver, sockets))
  const receiver: SmtpReceiver = {
    host: '127.0.0.1',
    port: 0,
    mails: [],
    script: {},
    reached: [],
    unknown: new Map(),
    connections: { total: 0, open: 0, most: 0 },
    cut: () => {
      for (const connection of server.connections) connection._socket.destroy()
    },
    // Only after the sockets are gone: destroying one during its TLS handshake crashes node (24.21).
    close: async () => {
      receiver.cut()
      for (let waits = 0; sockets.size > 0 && waits < 100; waits++)
        await new Promise((resolve) => setTimeout(resolve, 10))
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    const { connections } = receiver
    connections.total++
    connections.most = Math.max(connections.most, ++connections.open)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      connections.open--
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.port = (server.server.address() as AddressInfo).port
  return receiver
}

type Done = (error?: Error | null) => void

function toOptions(
  { tls, secure = false, auth, maxBytes, pipelining = true }: Parameters<typeof startSmtpReceiver>[0] & object,
  receiver: () => SmtpReceiver,
  sockets: Set<Socket>,
): SMTPServerOptions {
  /** Does what the script says at this stage; true when it says nothing. */
  const passes = (stage: SmtpStage, session: SMTPServerSession, done: Done): boolean => {
    receiver().reached.push(stage)
    const action = receiver().script[stage]
    if (action === undefined) return true
    if (typeof action === 'number') done(refusal(action))
    if (action === 'reset') for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.destroy()
    return false
  }
  return {
    secure,
    ...tls,
    ...(maxBytes !== undefined && { size: maxBytes }),
    disabledCommands: [...(auth ? [] : ['AUTH' as const]), ...(tls && !secure ? [] : ['STARTTLS' as const])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    hidePIPELINING: !pipelining,
    onConnect: (session, done) => void (passes('connect', session, done) && done()),
    onAuth(given, session, done) {
      if (!passes('auth', session, done)) return
      if (given.username === auth?.user && given.password === auth?.password) done(null, { user: given.username })
      else done(refusal(535))
    },
    onMailFrom: (_address, session, done) => void (passes('mail', session, done) && done()),
    onRcptTo({ address }, session, done) {
      const code = receiver().unknown.get(address)
      if (code !== undefined) done(refusal(code))
      else if (passes('rcpt', session, done)) done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        if (chunks.push(chunk) === 1) passes('content', session, () => {})
      })
      stream.on('end', () => {
        if (!passes('dot', session, done)) return
        if (stream.sizeExceeded) return done(refusal(552))
        receiver().mails.push(toMail(Buffer.concat(chunks).toString('utf8'), session))
        done()
      })
    },
  }
}

function refusal(code: number): Error {
  return Object.assign(new Error(`scripted ${code}`), { responseCode: code })
}

function toMail(raw: string, session: SMTPServerSession): ReceivedMail {
  const { mailFrom, rcptTo } = session.envelope
  return {
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map(({ address }) => address),
    raw,
    headers: readHeaders(raw),
    user: session.user,
    isSecure: session.secure,
  }
}

/** The headers of a mail as a strict reader sees them: CRLF ends a line, a leading blank continues it. */
export function readHeaders(raw: string): [name: string, value: string][] {
  const [head = ''] = raw.split('\r\n\r\n')
  return head
    .replace(/\r\n[\t ]+/g, ' ')
    .split('\r\n')
    .map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
}
