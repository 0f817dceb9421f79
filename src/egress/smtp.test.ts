import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../../test/peers/http-receiver.ts'
import { mail, useSmtp } from '../../test/peers/smtp-client.ts'
import { startSmtpReceiver } from '../../test/peers/smtp-receiver.ts'

const certificate = makeCertificate()
const { open, receiver, client } = useSmtp()

describe('a mail', () => {
  test('arrives with its envelope, headers and parts; bcc is in the envelope only', async () => {
    const peer = await receiver()
    const answer = await client(peer).send({
      from: { email: 'team@example.com', name: 'Tëam, "The" <x>' },
      to: ['ada@münchen.example'],
      cc: ['bob@example.org'],
      bcc: ['eve@example.org', 'ada@münchen.example'],
      replyTo: 'help@example.com',
      subject: 'Grüße\r\nBcc: evil@example.org',
      text: 'one\r\n.\r\ntwo',
      headers: { 'List-Unsubscribe': '<https://example.com/u?x=1>', 'X-Note': 'ü' },
      attachments: [{ name: 'ü\r\n".txt', mime: 'text/plain; charset=utf-8', content: Buffer.from('hi') }],
    })
    expect(answer).toMatchObject({ kind: 'reply', code: 250, stage: 'data' })
    const [got] = peer.mails
    // The receiver shows the domain decoded; on the wire it is as in the header.
    const ascii = 'ada@xn--mnchen-3ya.example'
    expect([got?.from, got?.to]).toEqual([
      'team@example.com',
      ['ada@münchen.example', 'bob@example.org', 'eve@example.org'],
    ])
    const headers = new Map(got?.headers.map(([name, value]) => [name.toLowerCase(), value]))
    expect(headers.get('message-id')).toBe('<0198c000@example.com>')
    expect([headers.get('to'), headers.get('cc')]).toEqual([ascii, 'bob@example.org'])
    expect([headers.get('reply-to'), headers.has('bcc')]).toEqual(['help@example.com', false])
    expect(headers.get('list-unsubscribe')).toBe('<https://example.com/u?x=1>')
    expect(got?.raw).toContain('\r\n.\r\n')
    expect(got?.raw).not.toContain('eve@')
  })

  test('is signed when asked', async () => {
    const peer = await receiver()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const dkim = {
      domain: 'example.com',
      selector: 's1',
      privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    }
    expect(await client(peer, {}, { dkim }).send()).toMatchObject({ code: 250 })
    expect(peer.mails[0]?.headers[0]).toMatchObject(['DKIM-Signature', expect.stringContaining('d=example.com')])
    peer.mails.length = 0
    // A date from before: a later try of the same mail, signed again, is the same bytes.
    const attachments = [{ name: 'a.txt', mime: 'text/plain', content: Buffer.from('hi') }]
    for (const tries of [1, 2]) {
      await client(peer, {}, { dkim }).send({ attachments, date: new Date('2026-01-02T03:04:05Z') })
      expect(peer.mails).toHaveLength(tries)
    }
    expect(peer.mails[1]).toEqual(peer.mails[0])
    const broken = { ...dkim, privateKey: 'no key' }
    expect(await client(peer, {}, { dkim: broken }).send()).toMatchObject({ kind: 'fault', sent: false, refused: true })
    expect(peer.mails).toHaveLength(2)
  })

  test('can be had as bytes, and a file or URL is never read', async () => {
    const { smtp } = client({ port: 25 })
    const bytes = await smtp.compose({ ...mail, bcc: ['eve@example.org'], html: '<img src="file:///etc/passwd">' })
    const text = 'kind' in bytes ? bytes.reason : Buffer.from(bytes).toString()
    expect(text).toContain('Message-ID: <0198c000@example.com>')
    expect(text).not.toMatch(/eve@|root:/)
    const refused = await smtp.compose({ ...mail, headers: { 'x-a': '1\r\nx-b: 2' } })
    expect(refused).toMatchObject({ kind: 'fault', refused: true, reason: expect.stringContaining('line break') })
  })
})

describe('TLS and login', () => {
  const auth = { user: 'ada', password: 'pass\u00fc word' }
  const trusted = { tlsOptions: { ca: certificate.cert } }

  test('implicit, by STARTTLS, required and ignored', async () => {
    const implicit = await receiver({ tls: certificate, secure: true, auth })
    const starttls = await receiver({ tls: certificate, auth })
    const clear = await receiver({ auth })
    expect(await client(implicit, {}, { secure: true, auth, ...trusted }).send()).toMatchObject({ code: 250 })
    expect(await client(starttls, {}, { auth, ...trusted }).send()).toMatchObject({ code: 250 })
    expect(await client(starttls, {}, { auth, requireTls: true, ...trusted }).send()).toMatchObject({ code: 250 })
    expect(await client(starttls, {}, { auth, ignoreTls: true }).send()).toMatchObject({ code: 250 })
    expect([...implicit.mails, ...starttls.mails].map(({ isSecure, user }) => [isSecure, user])).toEqual([
      [true, 'ada'],
      [true, 'ada'],
      [true, 'ada'],
      [false, 'ada'],
    ])
    const answer = await client(clear, {}, { auth, requireTls: true, ...trusted }).send()
    expect(answer).toMatchObject({ kind: 'reply', stage: 'connect' })
    expect(clear.mails).toEqual([])
  })

  test('an unknown certificate is not accepted unless the owner says so', async () => {
    for (const secure of [true, false]) {
      const peer = await receiver({ tls: certificate, secure, auth })
      const reason = expect.stringMatching(/signed itself; to trust it.*tlsOptions\.ca/)
      expect(await client(peer, {}, { secure, auth }).send()).toMatchObject({ kind: 'fault', sent: false, reason })
      const tlsOptions = { rejectUnauthorized: false }
      expect(await client(peer, {}, { secure, auth, tlsOptions }).send()).toMatchObject({ code: 250 })
    }
  })

  test('options that would point elsewhere have no effect, and unusable ones are refused', async () => {
    const peer = await receiver({ tls: certificate, secure: true })
    const canary = await receiver()
    const elsewhere = {
      host: 'localhost',
      port: canary.port,
      path: '/tmp/x',
      socket: {},
      lookup: () => {},
      checkServerIdentity: () => {},
    }
    const tlsOptions = { ...elsewhere, ca: certificate.cert }
    expect(await client(peer, {}, { secure: true, tlsOptions }).send()).toMatchObject({ code: 250 })
    expect(canary.connections.total).toBe(0)
    const broken = client(peer, {}, { secure: true, tlsOptions: { cert: 'no', key: 'no' } })
    expect(await broken.send()).toMatchObject({ kind: 'fault', sent: false, refused: true })
  })

  test('a wrong password is the server\u2019s answer at the login', async () => {
    const peer = await receiver({ auth })
    const wrong = client(peer, {}, { auth: { user: 'ada', password: 'wrong-secret' } })
    for (const answer of [await wrong.send(), await wrong.verify()]) {
      expect(answer).toMatchObject({ kind: 'reply', code: 535, stage: 'auth' })
      expect(JSON.stringify(answer)).not.toContain('wrong-secret')
    }
    expect(await client(peer, {}, { auth }).verify()).toMatchObject({ kind: 'reply', code: 250, stage: 'auth' })
    expect(peer.mails).toEqual([])
  })
})

describe('what was sent and what was not', () => {
  const stages = ['connect', 'auth', 'mail', 'rcpt'] as const
  const auth = { user: 'ada', password: 'secret' }
  const stageOf = { connect: 'connect', auth: 'auth', mail: 'envelope', rcpt: 'envelope' }

  test.each(stages)('at %s: a no is a reply, silence and a cut were not sent', async (stage) => {
    const peer = await receiver({ auth })
    const { send } = client(peer, {}, { auth })
    const impatient = client(peer, { totalMs: 1_000 }, { auth })
    for (const code of [421, 451, 550]) {
      peer.script = { [stage]: code }
      expect(await send()).toMatchObject({ kind: 'reply', code, stage: stageOf[stage] })
    }
    peer.script = { [stage]: 'hang' }
    expect(await impatient.send()).toMatchObject({ kind: 'fault', sent: false })
    peer.script = { [stage]: 'reset' }
    expect(await send()).toMatchObject({ kind: 'fault', sent: false })
    expect(peer.mails).toEqual([])
    peer.script = {}
    expect(await send()).toMatchObject({ code: 250 })
  })

  test('after the final dot: a no is a reply, silence and a cut may have been sent', async () => {
    const peer = await receiver()
    const { send } = client(peer)
    // Long enough for the whole mail on a busy machine, short enough to wait for.
    const impatient = client(peer, { totalMs: 1_000 })
    for (const code of [421, 451, 554]) {
      peer.script = { dot: code }
      expect(await send()).toMatchObject({ kind: 'reply', code, stage: 'data' })
    }
    for (const [action, sender] of [['hang', impatient.send] as const, ['reset', send] as const]) {
      peer.script = { dot: action }
      const answer = await sender()
      expect(answer).toMatchObject({ kind: 'fault', sent: true })
      expect(answer).not.toHaveProperty('refused')
    }
  })

  test('a cut in the middle of a large mail was not sent', async () => {
    const peer = await receiver()
    peer.script = { content: 'reset' }
    const attachments = [{ name: 'x', mime: 'a/b', content: Buffer.alloc(20 * 1024 * 1024) }]
    expect(await client(peer).send({ attachments })).toMatchObject({ kind: 'fault', sent: false })
  })

  test('a mail larger than the server takes is refused by it', async () => {
    const peer = await receiver({ maxBytes: 10_000 })
    const attachments = [{ name: 'x', mime: 'a/b', content: Buffer.alloc(20_000) }]
    expect(await client(peer).send({ attachments })).toMatchObject({ kind: 'reply', code: 552 })
  })

  test('what is not SMTP, and nobody there, were not sent', async () => {
    const web = createServer((socket) => void socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    open.push(web)
    const address = web.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect(await client({ port }).send()).toMatchObject({ kind: 'fault', sent: false })
    const gone = await startSmtpReceiver()
    await gone.close()
    expect(await client(gone).send()).toMatchObject({
      kind: 'fault',
      sent: false,
      reason: '127.0.0.1 refused the connection',
    })
  })

  test('an answer after the dot that is not SMTP may mean anything', async () => {
    const peer = await raw((line) => {
      if (line.startsWith('EHLO')) return '250 hello'
      if (line === 'DATA') return '354 go on'
      return line === '.' ? 'what?' : '250 ok'
    })
    expect(await client(peer).send()).toMatchObject({ kind: 'fault', sent: true })
  })

  test('copies refused do not undo the mail, and it is said who was', async () => {
    const peer = await receiver()
    peer.unknown.set('bob@example.org', 550)
    const { send } = client(peer)
    const refused = '1 of 2 recipients refused: bob@example.org (550 scripted 550)'
    expect(await send({ cc: ['bob@example.org'] })).toMatchObject({ kind: 'reply', code: 250, refused })
    expect(await send({ to: ['bob@example.org', 'ada@example.org'] })).toMatchObject({ code: 250, refused })
    expect(peer.mails.map(({ to }) => to)).toEqual([['ada@example.org'], ['ada@example.org']])
  })

  test.each([true, false])('if nobody of `to` is taken, nobody gets it; pipelining: %s', async (pipelining) => {
    const peer = await receiver({ pipelining })
    const { send } = client(peer)
    const copies = { cc: ['cid@example.org'], bcc: ['eve@example.org'] }
    for (const code of [451, 550]) {
      peer.unknown.set('bob@example.org', code)
      expect(await send({ to: ['bob@example.org'], ...copies })).toMatchObject({ code, stage: 'envelope' })
      expect(await send({ to: ['bob@example.org'] })).toMatchObject({ code, stage: 'envelope' })
    }
    // One of them may be taken later: so may the mail.
    peer.unknown.set('ada@example.org', 452)
    const both = await send({ to: ['bob@example.org', 'ada@example.org'], ...copies })
    expect(both).toMatchObject({ code: 452, stage: 'envelope' })
    expect(peer.mails).toEqual([])
    peer.unknown.clear()
    expect(await send({ to: ['bob@example.org'], ...copies })).toMatchObject({ code: 250 })
    expect(peer.mails).toHaveLength(1)
  })
})

/** A server of one line for each line; the content of a mail gets none. */
async function raw(answer: (line: string) => string): Promise<{ port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 hello\r\n')
    let isContent = false
    let rest = ''
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (isContent && line !== '.') continue
        isContent = line === 'DATA'
        socket.write(`${answer(line)}\r\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => server.close() })
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0 }
}
