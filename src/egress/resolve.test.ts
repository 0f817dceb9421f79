import { createSocket, type Socket } from 'node:dgram'
import { afterEach, expect, test } from 'vitest'
import { bestOfFive } from '../../test/fastest.ts'
import { createLookup } from './resolve.ts'

const servers: Socket[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

type Answer = readonly number[][] | 'silence' | 'failure' | 'unknown'

/** A name server that says the same about every name: this for IPv4, that for IPv6. */
async function nameServer(four: Answer, six: Answer): Promise<string> {
  const server = createSocket('udp4')
  servers.push(server)
  server.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5
    const answer = query[end - 3] === 28 ? six : four
    if (answer === 'silence') return
    const records = typeof answer === 'string' ? [] : answer
    const code = answer === 'failure' ? 2 : answer === 'unknown' ? 3 : 0
    const head = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0])
    query.copy(head, 0, 0, 2)
    const type = query[end - 3] ?? 0
    const bodies = records.map((bytes) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, bytes.length, ...bytes]))
    server.send(Buffer.concat([head, query.subarray(12, end), ...bodies]), from.port, from.address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  return `127.0.0.1:${server.address().port}`
}

const v6 = [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11]

async function ask(four: Answer, six: Answer, name = 'hooks.example.com') {
  const started = Date.now()
  const lookup = createLookup(600, [await nameServer(four, six)])
  const answer = await lookup(name).catch((error) => error.code)
  return { answer, tookMs: Date.now() - started }
}

test('all addresses of both kinds', async () => {
  const { answer } = await ask(
    [
      [8, 8, 8, 8],
      [8, 8, 4, 4],
    ],
    [v6],
  )
  expect(answer).toEqual(['2606:4700::1111', '8.8.8.8', '8.8.4.4'])
})

test('one kind alone will do, and is not held up by silence about the other', bestOfFive, async () => {
  expect((await ask([[8, 8, 8, 8]], [])).answer).toEqual(['8.8.8.8'])
  expect((await ask([], [v6])).answer).toEqual(['2606:4700::1111'])
  const { answer, tookMs } = await ask([[8, 8, 8, 8]], 'silence')
  expect(answer).toEqual(['8.8.8.8'])
  expect(tookMs).toBeLessThan(250)
})

test('name servers that are silent or broken are not asked again through the system', async () => {
  expect((await ask('silence', 'silence')).answer).toBe('ETIMEOUT')
  expect((await ask('failure', 'failure')).answer).toBe('ETIMEOUT')
})

test('what the name servers do not know, the machine may', async () => {
  const { answer } = await ask('unknown', 'unknown', 'localhost')
  expect(answer).toContain('127.0.0.1')
})
