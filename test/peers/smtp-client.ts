import { afterEach } from 'vitest'
import { addressGuard } from '../../src/egress/address-guard.ts'
import { createSmtp, type SmtpOptions } from '../../src/egress/smtp.ts'
import type { Mail, SmtpServer } from '../../src/lib/outbound.ts'
import { type SmtpReceiver, startSmtpReceiver } from './smtp-receiver.ts'

export const mail: Mail = {
  messageId: '<0198c000@example.com>',
  from: { email: 'team@example.com', name: 'The Team' },
  to: ['ada@example.org'],
  cc: [],
  bcc: [],
  subject: 'Hello Ada',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: {},
  attachments: [],
}

/** Our SMTP and peers for it, closed after each test. Call once at the top of a test file. */
export function useSmtp() {
  const open: { close(): unknown }[] = []
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close()
  })
  return {
    open,

    async receiver(options: Parameters<typeof startSmtpReceiver>[0] = {}): Promise<SmtpReceiver> {
      const started = await startSmtpReceiver(options)
      open.push(started)
      return started
    },

    client({ port }: { port: number }, options: SmtpOptions = {}, given: Partial<SmtpServer> = {}) {
      const smtp = createSmtp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [port] }), options)
      open.push(smtp)
      const server = {
        host: '127.0.0.1',
        port,
        secure: false,
        requireTls: false,
        ignoreTls: false,
        tlsOptions: {},
        ...given,
      }
      return {
        smtp,
        send: (changes: Partial<Mail> = {}) => smtp.send(server, { ...mail, ...changes }),
        verify: () => smtp.verify(server),
      }
    },
  }
}
