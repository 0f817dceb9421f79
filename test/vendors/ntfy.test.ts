import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressGuard } from '../../src/egress/address-guard.ts'
import { createHttp } from '../../src/egress/http.ts'
import type { Http } from '../../src/lib/outbound.ts'
import { toDeviceToken } from '../../src/providers/endpoint.ts'
import provider from '../../src/providers/push/ntfy.ts'
import { type Changes, givenTo, now, sampleFor, samples } from '../providers/provider-samples.ts'
import { type Ntfy, startNtfy } from './ntfy.ts'

let server: Ntfy
let http: Http

beforeAll(async () => {
  server = await startNtfy({
    tokens: { tk_of_ops: 'ops' },
    passwords: { ops: 'pass:word' },
    reserved: { 'ops-alerts': 'ops', 'of-somebody-else': 'eve' },
  })
  const door = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [server.port] }))
  http = door
  return async () => {
    await door.close()
    await server.close()
  }
})
beforeEach(() => {
  server.messages.clear()
  server.requestsLeft = Number.POSITIVE_INFINITY
})

const refuse = () => Promise.reject(new Error('not by SMTP'))
const toolsFor = (login: object) => ({
  http,
  smtp: { send: refuse, verify: refuse, compose: refuse },
  cached: () => refuse(),
  now,
  credentials: givenTo(provider, { baseUrl: server.url, ...login }),
})

async function send(topic: string, login: object = {}, message: Changes = {}) {
  const token = toDeviceToken({ type: 'ntfy_topic', endpoint: { topic } }) ?? ''
  const sample = sampleFor(provider, { token, tokens: [token], ...message })
  return provider.send?.({ ...toolsFor(login), message: sample, mailbox: refuse })
}

describe('ntfy and its server', () => {
  test('a message is in its topic, with what the trigger adds', async () => {
    const outcome = await send(
      'ada',
      {},
      { overrides: { priority: 4, tags: ['package'], click: 'https://a.example/' } },
    )
    const [stored] = server.messages.get('ada') ?? []
    expect(stored).toMatchObject({
      title: 'Hello',
      message: 'Hello Ada',
      priority: 4,
      tags: ['package'],
      click: 'https://a.example/',
      sequence_id: samples.push.id,
    })
    expect(outcome).toEqual({ kind: 'sent', id: stored?.id })
  })

  test('a second try is kept beside the first, and shown in its place', async () => {
    await send('ada')
    await send('ada')
    await send('ada', {}, { id: '0198c000-0000-7000-8000-000000000002', body: 'another' })
    expect(server.messages.get('ada')).toHaveLength(3)
    expect(server.shownIn('ada').map(({ message }) => message)).toEqual(['Hello Ada', 'another'])
  })

  test.each([
    ['its token', { apiToken: 'tk_of_ops' }],
    ['user and password', { user: 'ops', password: 'pass:word' }],
  ])('a reserved topic takes messages of its owner, by %s', async (_name, login) => {
    expect(await send('ops-alerts', login)).toMatchObject({ kind: 'sent' })
    const refused = await send('of-somebody-else', login)
    expect(refused).toEqual({ kind: 'rejected', reason: '403 forbidden' })
    expect(await send('ops-alerts')).toEqual({ kind: 'rejected', reason: '403 forbidden' })
  })

  test('wrong credentials are the integration, also where the topic is open, and the check says so', async () => {
    for (const login of [{ apiToken: 'tk_of_nobody' }, { user: 'ops', password: 'pass' }]) {
      expect(await send('ada', login)).toMatchObject({ kind: 'rejected', because: 'integration' })
      expect(await provider.check?.(toolsFor(login))).toEqual({ kind: 'refused', reason: '401 unauthorized' })
    }
    for (const login of [{}, { apiToken: 'tk_of_ops' }, { user: 'ops', password: 'pass:word' }]) {
      expect(await provider.check?.(toolsFor(login))).toEqual({ kind: 'ok' })
    }
    expect(server.messages.size).toBe(0)
  })

  test('when the limit of the visitor is reached, nothing was published and everything waits', async () => {
    server.requestsLeft = 1
    expect(await send('ada')).toMatchObject({ kind: 'sent' })
    expect(await send('bob')).toMatchObject({ kind: 'retry', paces: true })
    expect(server.messages.has('bob')).toBe(false)
  })

  test.each(['', 'with space', 'a/b', 'x'.repeat(65)])('%j is no topic', async (topic) => {
    expect(await send(topic)).toEqual({ kind: 'rejected', reason: '400 invalid request: topic invalid' })
  })

  test('on a server of your own a long text is a file, or refused, as the server says', async () => {
    expect(await send('ada', {}, { body: 'x'.repeat(4_097) })).toMatchObject({ kind: 'sent' })
    expect(server.messages.get('ada')).toMatchObject([{ attachment: { size: 4_097 } }])
    expect(await send('ada', {}, { body: 'x'.repeat(9_000) })).toEqual({
      kind: 'rejected',
      reason: '413 JSON body too large',
    })
  })
})
