import { describe, expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { smtpTable } from '../../../test/providers/smtp-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import emailjs from './emailjs.ts'

smtpTable(emailjs, { user: 'ada', password: 'pass' })

const credentials = { host: 'smtp.example.com', port: '465', user: 'ada', password: 'pass', secure: true }
const server = {
  host: 'smtp.example.com',
  port: 465,
  secure: true,
  requireTls: false,
  ignoreTls: false,
  tlsOptions: {},
  auth: { user: 'ada', password: 'pass' },
}

describe('emailjs', () => {
  test('sends the whole mail, its Message-ID made of our id', async () => {
    const { mails, send } = tryProvider(emailjs, { credentials, message: fullEmail })
    const messageId = `<${samples.email.id}@example.com>`
    expect(await send()).toEqual({ kind: 'sent', id: messageId })
    expect(mails).toEqual([
      { server, mail: expect.objectContaining({ messageId, ...fullEmail, subject: 'Hello Ada' }) },
    ])
  })

  test('gives its password to nobody without TLS', async () => {
    const { mails, send } = tryProvider(emailjs, { credentials: { ...credentials, port: '587', secure: false } })
    await send()
    expect(mails[0]?.server).toEqual({ ...server, port: 587, secure: false, requireTls: true })
  })

  test('a refused login is the fault of the integration', async () => {
    const smtp = { kind: 'reply', code: 535, text: 'no', stage: 'auth' } as const
    const { verified, send, check } = tryProvider(emailjs, { credentials, smtp })
    expect(await send()).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(await check()).toMatchObject({ kind: 'refused' })
    expect(verified).toEqual([server])
  })
})
