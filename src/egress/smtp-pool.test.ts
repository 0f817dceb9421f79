import { expect, test } from 'vitest'
import { mail, useSmtp } from '../../test/peers/smtp-client.ts'

const { receiver, client } = useSmtp()

test('60 mails go over few connections, each taking its share', async () => {
  const peer = await receiver()
  const { send } = client(peer, { connectionsPerServer: 3, mailsPerConnection: 10 })
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => send({ subject: `n${n}` })))
  expect(answers.filter((answer) => answer.kind === 'reply' && answer.code === 250)).toHaveLength(60)
  expect(new Set(peer.mails.map((got) => got.headers.find(([name]) => name === 'Subject')?.[1])).size).toBe(60)
  // Three in use, and those they replace that are still closing.
  expect(peer.connections.most).toBeLessThanOrEqual(6)
  expect(peer.connections.total).toBeLessThanOrEqual(9)
})

test('a refused recipient leaves the connection fit for the next mail', async () => {
  const peer = await receiver()
  peer.unknown.set('bob@example.org', 550)
  const { send } = client(peer)
  for (let n = 0; n < 5; n++) {
    expect(await send({ to: ['bob@example.org'] })).toMatchObject({ code: 550 })
    expect(await send()).toMatchObject({ code: 250 })
  }
  expect(peer.connections.total).toBe(1)
})

test('a kept connection that died is replaced, and the mail goes out once', async () => {
  const peer = await receiver()
  const { send } = client(peer)
  await send()
  peer.cut()
  expect(await send()).toMatchObject({ code: 250 })
  peer.script = { mail: 'reset' }
  const later = send()
  await expect.poll(() => peer.connections.total).toBe(3)
  expect(await later).toMatchObject({ kind: 'fault', sent: false })
  peer.script = {}
  expect(await send()).toMatchObject({ code: 250 })
  expect(peer.mails).toHaveLength(3)
})

test('another login never gets a kept connection, and an idle one is closed', async () => {
  const auth = { user: 'ada', password: 'secret' }
  const peer = await receiver({ auth })
  const { smtp, send } = client(peer, { idleMs: 50 }, { auth })
  await send()
  const other = {
    host: '127.0.0.1',
    port: peer.port,
    secure: false,
    requireTls: false,
    ignoreTls: false,
    tlsOptions: {},
  }
  const answer = await smtp.send({ ...other, auth: { user: 'ada', password: 'other' } }, mail)
  expect(answer).toMatchObject({ code: 535 })
  await expect.poll(() => peer.connections.open).toBe(0)
})

test('a mail that waited too long for a connection was not sent', async () => {
  const peer = await receiver()
  peer.script = { dot: 'hang' }
  const { send } = client(peer, { connectionsPerServer: 1, totalMs: 1_000 })
  expect(await Promise.all([send(), send()])).toMatchObject([{ sent: true }, { sent: false }])
})

test('a mail that still waits for a connection when it may not begin any more was not sent', async () => {
  const peer = await receiver()
  peer.script = { dot: 'hang' }
  let isStopping = false
  const { send } = client(peer, { connectionsPerServer: 1, totalMs: 2_000 }, { mayBegin: () => !isStopping })
  const answers = [send(), send(), send()]
  await expect.poll(() => peer.reached).toContain('dot')
  isStopping = true
  expect(await Promise.all(answers)).toMatchObject([{ sent: true }, { sent: false }, { sent: false }])
  expect(peer.connections.total).toBe(1)
})
