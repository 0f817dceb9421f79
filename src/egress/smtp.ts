import { createHash } from 'node:crypto'
import type { Smtp, SmtpServer } from '../lib/outbound.ts'
import type { Guard } from './address-guard.ts'
import { type ConnectOptions, createConnect, refuse } from './connect.ts'
import { prepareMail, writeMail } from './smtp-mail.ts'
import { createSmtpPool } from './smtp-pool.ts'
import { openSession } from './smtp-session.ts'

export type SmtpOptions = ConnectOptions & {
  /** For everything, waiting for a free connection included. */
  totalMs?: number
  connectionsPerServer?: number
  mailsPerConnection?: number
  idleMs?: number
}

/**
 * The caller's deadline for a mail must be longer than this. Longer than for HTTP: servers scan a mail between its
 * final dot and their answer, and hanging up before that means sending it twice.
 */
export const smtpTotalMs = 60_000

/** Never throws. */
export function createSmtp(guard: Guard, options: SmtpOptions = {}): Smtp & { close(): Promise<void> } {
  const { totalMs = smtpTotalMs, connectionsPerServer = 20, mailsPerConnection = 100, idleMs = 5_000 } = options
  const connect = createConnect(guard, options)
  const pool = createSmtpPool({ connectionsPerServer, mailsPerConnection, idleMs })
  return {
    async send(server, mail) {
      const deadline = Math.min(Date.now() + totalMs, server.deadline ?? Number.POSITIVE_INFINITY)
      const prepared = prepareMail(mail)
      if (prepared.kind === 'fault') return prepared
      const { draft, envelope, direct } = prepared
      const bytes = await writeMail(draft, server.dkim).catch(() => null)
      if (!bytes) return refuse('The mail cannot be signed; check the DKIM key.')
      return pool.use(keyOf(server), deadline, () => openSession(connect, server, deadline), {
        envelope,
        direct,
        bytes,
        mayBegin: server.mayBegin,
      })
    },

    async verify(server) {
      const opened = await openSession(
        connect,
        server,
        Math.min(Date.now() + totalMs, server.deadline ?? Number.POSITIVE_INFINITY),
      )
      if (opened.kind !== 'session') return opened
      opened.session.close()
      return { kind: 'reply', code: 250, text: 'ready', stage: server.auth ? 'auth' : 'connect' }
    },

    async compose(mail) {
      const prepared = prepareMail(mail)
      return prepared.kind === 'fault' ? prepared : writeMail(prepared.draft)
    },

    close: async () => pool.close(),
  }
}

/** Servers with the same key can share a connection. A hash, so that no password is kept as a key. */
function keyOf({ host, port, secure, requireTls, ignoreTls, tlsOptions, auth }: SmtpServer): string {
  const parts = JSON.stringify([host, port, secure, requireTls, ignoreTls, tlsOptions, auth?.user, auth?.password])
  return createHash('sha256').update(parts).digest('base64')
}
