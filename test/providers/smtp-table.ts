import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addressGuard } from '../../src/egress/address-guard.ts'
import { createSmtp } from '../../src/egress/smtp.ts'
import type { Smtp, SmtpServer } from '../../src/lib/outbound.ts'
import type { Outcome } from '../../src/providers/outcome.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { makeCertificate } from '../peers/http-receiver.ts'
import { type SmtpReceiver, type SmtpScript, startSmtpReceiver } from '../peers/smtp-receiver.ts'
import { fullEmail, givenTo, laterTry, now, sampleFor, samples } from './provider-samples.ts'

// Nobody listens on this reserved port.
const closedPort = 1

/** The table of a provider that speaks SMTP: what every server may answer at every stage, over the real client and TLS. */
export function smtpTable(provider: Provider, credentials: { user: string; password: string }): void {
  let receiver: SmtpReceiver
  let patient: ReturnType<typeof createSmtp>
  let impatient: ReturnType<typeof createSmtp>
  const certificate = makeCertificate()
  beforeAll(async () => {
    receiver = await startSmtpReceiver({ tls: certificate, auth: credentials })
    const guard = addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [receiver.port, closedPort] })
    patient = createSmtp(guard)
    // Enough for a handshake on a busy machine; only a server that never answers is waited for as long.
    impatient = createSmtp(guard, { totalMs: 2_000 })
  })
  afterAll(async () => {
    await patient.close()
    await impatient.close()
    await receiver.close()
  })

  /** Only the server's address and the trusted certificate are replaced. */
  const doors = (client: Smtp, port: number) => {
    const local = (server: SmtpServer): SmtpServer => ({
      ...server,
      host: '127.0.0.1',
      port,
      tlsOptions: { ...server.tlsOptions, ca: certificate.cert },
    })
    return {
      smtp: {
        ...client,
        send: (server: SmtpServer, mail: Parameters<Smtp['send']>[1]) => client.send(local(server), mail),
        verify: (server: SmtpServer) => client.verify(local(server)),
      },
      http: () => Promise.reject(new Error('this table is for SMTP')),
      cached: () => Promise.reject(new Error('this table is for SMTP')),
      mailbox: () => Promise.reject(new Error('this table is for SMTP')),
      now,
    }
  }
  const given = (over: object) => givenTo(provider, { host: 'smtp.example.com', port: '587', ...credentials, ...over })
  const trySend = async (script: SmtpScript, { port = receiver.port, over = {} } = {}) => {
    receiver.script = script
    receiver.mails.length = 0
    const client = Object.values(script).includes('hang') ? impatient : patient
    return provider.send?.({ ...doors(client, port), credentials: given(over), message: sampleFor(provider) })
  }

  describe(provider.id, () => {
    test('hands the mail over once, and knows that it was accepted', async () => {
      const id = `<${samples.email.id}@example.com>`
      expect(await trySend({})).toEqual({ kind: 'sent', id })
      expect(receiver.mails).toMatchObject([{ to: ['ada@example.org'], user: credentials.user, isSecure: true }])
      expect(receiver.mails[0]?.headers).toContainEqual(['Message-ID', id])
    })

    test('a refused login is the fault of the integration', async () => {
      const outcome = await trySend({}, { over: { password: 'wrong' } })
      expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
    })

    test.each<[string, SmtpScript, Outcome['kind']]>([
      ['a recipient that is none is refused', { rcpt: 550 }, 'rejected'],
      ['a full mailbox may take it later', { rcpt: 452 }, 'retry'],
      ['too many mails may go later', { mail: 421 }, 'retry'],
      ['a server that has trouble of its own may take it later', { dot: 451 }, 'retry'],
      ['a content that is not wanted is refused', { dot: 554 }, 'rejected'],
      ['a connection cut before the content has sent nothing', { rcpt: 'reset' }, 'retry'],
      ['a connection cut after the final dot is unknown', { dot: 'reset' }, 'unknown'],
      ['a server that says nothing at first has sent nothing', { connect: 'hang' }, 'retry'],
      ['a server that says nothing after the final dot is unknown', { dot: 'hang' }, 'unknown'],
    ])('%s', async (_name, script, kind) => {
      const outcome = await trySend(script)
      expect(outcome).toMatchObject({ kind })
      expect(outcome).not.toMatchObject({ because: 'integration' })
      expect(receiver.mails).toEqual([])
    })

    test('a later try of the same message, over another connection, is the same bytes', async () => {
      receiver.script = {}
      receiver.mails.length = 0
      vi.useFakeTimers({ toFake: ['Date'] })
      try {
        for (const at of [now, laterTry]) {
          vi.setSystemTime(at)
          const client = createSmtp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [receiver.port] }))
          const message = sampleFor(provider, fullEmail)
          await provider.send?.({ ...doors(client, receiver.port), now: at, credentials: given({}), message })
          await client.close()
        }
      } finally {
        vi.useRealTimers()
      }
      const [first, later] = receiver.mails
      expect(first?.raw).toContain('multipart/mixed')
      expect(later).toEqual(first)
    })

    test('where nobody listens nothing was sent', async () => {
      expect(await trySend({}, { port: closedPort })).toMatchObject({ kind: 'retry' })
    })

    test('checks its credentials without sending', async () => {
      receiver.script = {}
      receiver.mails.length = 0
      const check = (over: object) => provider.check?.({ ...doors(patient, receiver.port), credentials: given(over) })
      expect(await check({})).toEqual({ kind: 'ok' })
      expect(await check({ password: 'wrong' })).toMatchObject({ kind: 'refused' })
      expect(receiver.mails).toEqual([])
    })
  })
}
