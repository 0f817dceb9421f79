import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SmtpReceiver, startSmtpReceiver } from '../../test/peers/smtp-receiver.ts'
import type { Mail, Smtp } from '../lib/outbound.ts'
import { addressGuard } from './address-guard.ts'
import { createSmtp } from './smtp.ts'

let peer: SmtpReceiver
let smtp: Smtp & { close(): Promise<void> }
beforeAll(async () => {
  peer = await startSmtpReceiver()
  smtp = createSmtp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [peer.port] }), { totalMs: 10_000 })
})
afterAll(async () => {
  await smtp.close()
  await peer.close()
})

const mail: Mail = {
  from: { email: 'team@example.com', name: 'Team' },
  to: ['ada@example.org'],
  cc: ['bob@example.org'],
  bcc: [],
  replyTo: 'help@example.com',
  subject: 'Hello',
  html: '<p>x</p>',
  text: 'x',
  headers: { 'X-Own': 'own' },
  attachments: [{ name: 'a.txt', mime: 'text/plain', content: Buffer.from('hi') }],
  messageId: '<1@example.com>',
}

// Everything that some mail software takes for the end of a line, followed by what an attacker adds.
const breaks = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\n\n',
  '\0',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\r\n ',
  '%0d%0a',
  '=0D=0A',
  '=?utf-8?Q?=0D=0A?=',
]
const payloads = ['Bcc: evil@example.net', 'Subject: evil', '.\r\nMAIL FROM:<evil@example.net>', '\u00fc> SIZE=1']

/** Read by people: cleaned. Read by machines: refused. */
const words = ['sender name', 'subject', 'attachment name', 'attachment type']

const places: [name: string, put: (text: string) => Partial<Mail>][] = [
  ['from', (text) => ({ from: { email: `team${text}@example.com` } })],
  ['from, at its end', (text) => ({ from: { email: `team@example.com${text}` } })],
  ['sender name', (text) => ({ from: { email: 'team@example.com', name: `Team${text}` } })],
  ['to', (text) => ({ to: [`ada@example.org${text}`] })],
  ['to, before the at', (text) => ({ to: [`ada${text}@example.org`] })],
  ['cc', (text) => ({ cc: [`bob@example.org${text}`] })],
  ['bcc', (text) => ({ bcc: [`eve@example.org${text}`] })],
  ['reply-to', (text) => ({ replyTo: `help@example.com${text}` })],
  ['subject', (text) => ({ subject: `Hello${text}` })],
  ['message id', (text) => ({ messageId: `<1${text}@example.com>` })],
  ['header name', (text) => ({ headers: { [`X-Own${text}`]: 'own' } })],
  ['header value', (text) => ({ headers: { 'X-Own': `own${text}` } })],
  [
    'attachment name',
    (text) => ({ attachments: [{ name: `a${text}.txt`, mime: 'text/plain', content: Buffer.from('hi') }] }),
  ],
  [
    'attachment type',
    (text) => ({ attachments: [{ name: 'a.txt', mime: `text/plain${text}`, content: Buffer.from('hi') }] }),
  ],
]

test.each(places)('%s: no value begins a header or a command of its own', async (name, put) => {
  const values = breaks.flatMap((each) => payloads.map((payload) => each + payload))
  expect(values.length * places.length).toBeGreaterThan(300)
  const server = {
    host: '127.0.0.1',
    port: peer.port,
    secure: false,
    requireTls: false,
    ignoreTls: false,
    tlsOptions: {},
  }
  const counts = { accepted: 0, refused: 0 }
  for (const value of values) {
    peer.mails.length = 0
    const answer = await smtp.send(server, { ...mail, ...put(value) })
    const isBroken = /[\p{Cc}\u2028\u2029]/u.test(value)
    if (isBroken) expect([value, answer.kind]).toEqual([value, words.includes(name) ? 'reply' : 'fault'])
    if (answer.kind === 'fault') {
      expect([value, answer]).toMatchObject([value, { refused: true, sent: false }])
      expect(peer.mails).toEqual([])
      counts.refused++
      continue
    }
    expect([value, answer.code]).toEqual([value, 250])
    counts.accepted++
    const [got, more] = peer.mails
    expect(more).toBeUndefined()
    const names = got?.headers.map(([header]) => header.toLowerCase()).sort()
    expect([value, names]).toEqual([value, expected])
    expect([got?.from, got?.to]).not.toContain('evil@example.net')
    expect(got?.to.filter((address) => !/^(ada|bob|eve)/.test(address))).toEqual([])
    // In the parts too: their headers are only those of a part.
    const parts = got?.raw.split('\r\n\r\n').slice(1).join('\r\n\r\n') ?? ''
    expect(parts).not.toMatch(/^(bcc|subject):/im)
    expect(got?.raw).not.toMatch(/[^\r]\n|\r[^\n]|[\0\v\f]/)
  }
  expect(counts.accepted + counts.refused).toBe(values.length)
})

const expected = [
  'cc',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
  'x-own',
]

test('a header that the mail has already, or that stands twice, is refused', async () => {
  const server = {
    host: '127.0.0.1',
    port: peer.port,
    secure: false,
    requireTls: false,
    ignoreTls: false,
    tlsOptions: {},
  }
  const names =
    'From To Cc Bcc Subject Date Message-ID Reply-To Sender MIME-Version Content-Type DKIM-Signature Return-Path'
  for (const name of names.split(' ')) {
    expect(await smtp.send(server, { ...mail, headers: { [name]: 'x' } })).toMatchObject({ sent: false, refused: true })
  }
  expect(await smtp.send(server, { ...mail, headers: { 'X-A': '1', 'x-a': '2' } })).toMatchObject({ refused: true })
  expect(await smtp.send(server, { ...mail, to: [], cc: [] })).toMatchObject({ refused: true })
})

test('addresses that are none are refused, unusual ones are not', async () => {
  const server = {
    host: '127.0.0.1',
    port: peer.port,
    secure: false,
    requireTls: false,
    ignoreTls: false,
    tlsOptions: {},
  }
  const none = [
    '',
    'ada',
    '@example.org',
    'ada@',
    'a b@example.org',
    'a@b@c',
    '<ada@example.org>',
    'Ada <ada@example.org>',
    'a@b,c@d',
    'a;b@c.d',
    `${'a'.repeat(65)}@b.c`,
  ]
  for (const to of none)
    expect([to, await smtp.send(server, { ...mail, to: [to] })]).toMatchObject([to, { refused: true }])
  const some = ["o'neil+tag/x=y@sub.example.org", 'a.b-c_d@xn--mnchen-3ya.example', '123@example.org', 'ada@localhost']
  for (const to of some) expect([to, await smtp.send(server, { ...mail, to: [to] })]).toMatchObject([to, { code: 250 }])
})

test('an empty half makes no part', async () => {
  const plain = { ...mail, attachments: [] }
  const only = async (changes: Partial<Mail>) => {
    const bytes = await smtp.compose({ ...plain, ...changes })
    return 'kind' in bytes ? bytes.reason : Buffer.from(bytes).toString()
  }
  expect(await only({ html: '' })).toMatch(/^Content-Type: text\/plain/m)
  expect(await only({ text: '' })).toMatch(/^Content-Type: text\/html/m)
  expect(await only({ html: '', text: '' })).toMatch(/^Content-Type: text\/plain/m)
  expect(await only({})).toMatch(/^Content-Type: multipart\/alternative/m)
})
