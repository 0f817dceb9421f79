import { describe, expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { smtpTable } from '../../../test/providers/smtp-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import nodemailer from './nodemailer.ts'

smtpTable(nodemailer, { user: 'ada', password: 'pass' })

const plain = { host: 'smtp.example.com', port: '587' }

describe('nodemailer', () => {
  test('sends the whole mail, its Message-ID made of our id', async () => {
    const { mails, send } = tryProvider(nodemailer, { credentials: plain, message: fullEmail })
    const messageId = `<${samples.email.id}@example.com>`
    expect(await send()).toEqual({ kind: 'sent', id: messageId })
    expect(mails).toEqual([
      {
        server: {
          host: 'smtp.example.com',
          port: 587,
          secure: false,
          requireTls: false,
          ignoreTls: false,
          tlsOptions: {},
        },
        mail: {
          messageId,
          date: samples.email.firstTriedAt,
          from: { email: 'team@example.com', name: 'The Team' },
          to: ['ada@example.org'],
          ...fullEmail,
          replyTo: 'help@example.com',
          subject: 'Hello Ada',
          html: '<p>Hello</p>',
          text: 'Hello',
        },
      },
    ])
  })

  test.each([
    ['a login', { user: 'ada', password: 'pass' }, { auth: { user: 'ada', password: 'pass' } }],
    ['TLS from the start', { secure: true }, { secure: true }],
    ['STARTTLS or nothing', { requireTls: true }, { requireTls: true }],
    ['no STARTTLS', { ignoreTls: true }, { ignoreTls: true }],
    ['options of TLS', { tlsOptions: { minVersion: 'TLSv1.3' } }, { tlsOptions: { minVersion: 'TLSv1.3' } }],
    [
      'a DKIM key',
      { domain: 'example.com', secretKey: 'PEM', accountSid: 'mail2026' },
      { dkim: { domain: 'example.com', privateKey: 'PEM', selector: 'mail2026' } },
    ],
  ])('takes %s from its credentials', async (_name, credentials, server) => {
    const { mails, send } = tryProvider(nodemailer, { credentials: { ...plain, ...credentials } })
    await send()
    expect(mails[0]?.server).toMatchObject(server)
  })

  test.each([
    ['a user without a password', { user: 'ada' }],
    ['a password without a user', { password: 'pass' }],
    ['an incomplete DKIM key', { domain: 'example.com', secretKey: 'PEM' }],
  ])('does without %s', async (_name, credentials) => {
    const { mails, send } = tryProvider(nodemailer, { credentials: { ...plain, ...credentials } })
    await send()
    expect(mails[0]?.server).not.toHaveProperty('auth')
    expect(mails[0]?.server).not.toHaveProperty('dkim')
  })

  const reply = (code: number, stage: 'connect' | 'auth' | 'envelope' | 'data') =>
    ({ kind: 'reply', code, text: 'why', stage }) as const

  test.each([
    ['a mailbox that is full may take it later', reply(452, 'envelope'), { kind: 'retry', reason: 'SMTP 452 why' }],
    ['a mailbox that is not there never will', reply(550, 'envelope'), { kind: 'rejected', reason: 'SMTP 550 why' }],
    [
      'a refused login is the fault of the integration',
      reply(535, 'auth'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a login that is wanted first is the fault of the integration',
      reply(530, 'envelope'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['so is one that comes up with the mail', reply(535, 'data'), { kind: 'rejected', because: 'integration' }],
    ['so is one that is too weak', reply(534, 'envelope'), { kind: 'rejected', because: 'integration' }],
    ['so is one that wants TLS', reply(538, 'envelope'), { kind: 'rejected', because: 'integration' }],
    ['so is a server that wants none of us', reply(554, 'connect'), { kind: 'rejected', because: 'integration' }],
    ['one that is busy may take it later', reply(421, 'connect'), { kind: 'retry' }],
    [
      'a line cut after the final dot is unknown',
      { kind: 'fault', sent: true, reason: 'cut' } as const,
      { kind: 'unknown' },
    ],
    [
      'a server that is not there may be later',
      { kind: 'fault', sent: false, reason: 'no' } as const,
      { kind: 'retry' },
    ],
  ])('%s', async (_name, smtp, outcome) => {
    expect(await tryProvider(nodemailer, { credentials: plain, smtp }).send()).toMatchObject(outcome)
  })

  test('checks its credentials without sending', async () => {
    const good = tryProvider(nodemailer, { credentials: { ...plain, user: 'ada', password: 'pass' } })
    expect(await good.check()).toEqual({ kind: 'ok' })
    expect(good.verified).toMatchObject([{ host: 'smtp.example.com', auth: { user: 'ada', password: 'pass' } }])
    expect(good.mails).toEqual([])
    expect(await tryProvider(nodemailer, { credentials: plain, smtp: reply(535, 'auth') }).check()).toMatchObject({
      kind: 'refused',
    })
  })
})
