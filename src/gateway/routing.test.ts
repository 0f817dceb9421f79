import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { addEnvironment, addPlainKey, move, useCells } from '../../test/peers/gateway.ts'
import { makeInboxToken } from '../core/inbox/inbox-token.ts'
import { createSealer } from '../lib/seal.ts'
import { newSessionToken } from '../lib/session-token.ts'
import { uuid7 } from '../lib/uuid7.ts'

const cells = useCells()
const sealer = createSealer([{ id: 'k1', bytes: Buffer.alloc(32, 1) }])

function inboxToken(environmentId: string): string {
  const claims = { subscriberId: uuid7(new Date()), contextKeys: [], vouchedBy: null, lookOnly: false }
  return makeInboxToken(sealer, { environmentId, ...claims, expiresAt: new Date(Date.now() + 60_000) })
}

const send = async (url: string, path: string, init: RequestInit = {}) => {
  const reply = await fetch(url + path, init)
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> }
}

test('a key goes to the cell it names, and the cell never asks the gateway why', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const [one, two] = [addEnvironment(ca), addEnvironment(cb)]
  expect((await send(gateway.url, '/v1/topics', { headers: one.authorization })).body).toEqual({ cell: 'ca' })
  expect((await send(gateway.url, '/v1/topics', { headers: two.authorization })).body).toEqual({ cell: 'cb' })
  expect([...ca.questions, ...cb.questions]).toEqual([])
})

test('what is between cell and gateway does not leave, and does not come in', async () => {
  const { ca, gateway } = await cells.pair()
  const { authorization } = addEnvironment(ca)
  const { headers } = await send(gateway.url, '/v1/topics', { headers: authorization })
  expect(headers.get('tidings-environment')).toBeNull()
  expect(
    (await send(gateway.url, '/v1/topics', { headers: { ...authorization, 'tidings-gateway': '1' } })).status,
  ).toBe(508)
  expect((await send(gateway.url, '/v1/cells/where?environment=x')).status).toBe(404)
  expect((await send(gateway.url, '//v1/cells/where?environment=x')).status).toBe(404)
  expect((await send(gateway.url, '/v1/%63ells/where?environment=x')).status).toBe(404)
  expect(ca.asked).toHaveLength(1)
})

test.each(['a-key-of-mine', 'td_ca_short'])('the key "%s"', async (text) => {
  const { cb, gateway } = await cells.pair()
  const { environment } = addEnvironment(cb)
  const authorization = addPlainKey(environment, text)
  const isMisspelt = text.startsWith('td_')
  const { status, body } = await send(gateway.url, '/v1/topics', { headers: authorization })
  // One that names a cell goes there, however misspelt. Any other is asked for.
  expect({ status, body }).toEqual(
    isMisspelt ? { status: 401, body: { cell: 'ca' } } : { status: 200, body: { cell: 'cb' } },
  )
  await send(gateway.url, '/v1/topics', { headers: authorization })
  expect(cb.questions.length).toBe(isMisspelt ? 0 : 1)
  // The key itself is in no address.
  expect(cb.questions.join()).not.toContain(text)
})

test('an unknown key is refused by a cell, and asked for once in some seconds', async () => {
  const { ca, cb, gateway } = await cells.pair()
  for (let round = 0; round < 5; round++) {
    expect((await send(gateway.url, '/', { headers: { authorization: 'ApiKey made-up' } })).status).toBe(401)
  }
  expect([ca.questions.length, cb.questions.length]).toEqual([1, 1])
})

test('while a cell is away, an unknown key is not refused: it may be that cell’s', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const { environment } = addEnvironment(ca)
  const known = addPlainKey(environment, 'key-of-ca')
  await cb.close()
  const { status, body, headers } = await send(gateway.url, '/', { headers: { authorization: 'ApiKey made-up' } })
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'place_unknown', '1'])
  expect((await send(gateway.url, '/', { headers: known })).status).toBe(200)
})

test('a cell that cannot be asked is not believed to have nothing', async () => {
  const { ca, gateway } = await cells.pair({ CELL_TOKEN: 'another-token' })
  const { environment } = addEnvironment(ca)
  const { status, body } = await send(gateway.url, '/', { headers: addPlainKey(environment, 'a-key-of-mine') })
  expect([status, body.code]).toEqual([503, 'place_unknown'])
})

test('tokens of the inbox, in a header or an address, go to their environment', async () => {
  const { cb, gateway } = await cells.pair()
  const { environment } = addEnvironment(cb)
  const token = inboxToken(environment.id)
  environment.names.push(token)
  const byHeader = await send(gateway.url, '/v1/inbox/notifications', { headers: { authorization: `Bearer ${token}` } })
  expect(byHeader.body).toEqual({ cell: 'cb' })
  expect((await send(gateway.url, `/v1/inbox/stream?token=${token}`)).body).toEqual({ cell: 'cb' })
  expect(cb.questions).toHaveLength(1)
})

test.each([
  ['plain', (text: string) => text, {}],
  ['compressed', (text: string) => gzipSync(text), { 'content-encoding': 'gzip' }],
])('a session is opened in the cell of its applicationIdentifier: %s', async (_, encode, headers) => {
  const { cb, gateway } = await cells.pair()
  const { environment } = addEnvironment(cb)
  environment.names.push('app-1')
  const body = encode(JSON.stringify({ subscriberId: 'ada', applicationIdentifier: 'app-1' }))
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
  await fetch(`${gateway.url}/v1/inbox/session`, init).then((reply) => reply.text())
  expect(cb.asked.map(({ url, body }) => [url, body.length])).toEqual([['/v1/inbox/session', Buffer.byteLength(body)]])
})

test('the dashboard: sign-in by key or link, then by cookie; OAuth comes back to its environment', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const { environment, key } = addEnvironment(cb)
  const { text } = newSessionToken(environment.id, new Date())
  const post = (body: object) => send(gateway.url, '/session', { method: 'POST', body: JSON.stringify(body) })
  expect((await post({ key })).body).toEqual({ cell: 'cb' })
  await post({ link: text })
  await send(gateway.url, '/v1/workflows', { headers: { cookie: `a=b; tidings_session=${text}` } })
  await send(gateway.url, `/v1/integrations/chat/oauth/callback?code=1&state=${text}`)
  expect(cb.asked.map(({ url }) => url.split('?')[0])).toEqual([
    '/session',
    '/session',
    '/v1/workflows',
    '/v1/integrations/chat/oauth/callback',
  ])
  expect(ca.asked).toEqual([])
})

test('links that name their cell need no question; old ones are asked for once', async () => {
  const { cb, gateway } = await cells.pair()
  const { environment } = addEnvironment(cb)
  const id = uuid7(new Date())
  environment.names.push(id, 'sealed.k1.abc')
  const get = async (path: string) => (await send(gateway.url, path)).body
  expect(await get(`/v1/webhooks/cb-${id}`)).toEqual({ cell: 'cb' })
  expect(await get(`/v2/inbound-webhooks/delivery-providers/any/cb-${id}`)).toEqual({ cell: 'cb' })
  expect(await get('/v1/unsubscribe/cb.sealed.k1.abc')).toEqual({ cell: 'cb' })
  expect(cb.questions).toEqual([])
  const old = uuid7(new Date())
  environment.names.push(old, 'sealed.k1.old')
  for (let round = 0; round < 2; round++) {
    expect(await get(`/v1/webhooks/${old}`)).toEqual({ cell: 'cb' })
    expect(await get('/v1/unsubscribe/sealed.k1.old')).toEqual({ cell: 'cb' })
  }
  expect(cb.questions).toHaveLength(2)
})

test('a link of an environment that moved is followed, though no answer names the environment', async () => {
  const { ca, cb, gateway } = await cells.pair()
  ca.state.tellsEnvironment = cb.state.tellsEnvironment = false
  const { environment } = addEnvironment(ca)
  const id = uuid7(new Date())
  environment.names.push(id)
  move(environment, ca, cb)
  for (let round = 0; round < 2; round++) {
    expect((await send(gateway.url, `/v1/webhooks/ca-${id}`, { method: 'POST', body: 'x' })).body).toEqual({
      cell: 'cb',
    })
  }
})

test('nobody’s requests go to the first cell that can work', async () => {
  const { ca, cb, gateway } = await cells.pair()
  for (const one of [ca, cb]) one.state.answer = (_, response) => response.end(JSON.stringify({ page: one.name }))
  expect((await send(gateway.url, '/docs')).body).toEqual({ page: 'ca' })
  ca.state.ready = false
  await expect.poll(async () => (await send(gateway.url, '/docs')).body).toEqual({ page: 'cb' })
})

test('whose an identifier is, is not learnt from a request that was somebody else’s', async () => {
  const { ca, cb, gateway } = await cells.pair()
  const [victim, other] = [addEnvironment(ca), addEnvironment(ca)]
  victim.environment.names.push('app-1')
  const open = () =>
    send(gateway.url, '/v1/inbox/session', { method: 'POST', body: '{"applicationIdentifier":"app-1"}' })
  expect((await open()).body).toEqual({ cell: 'ca' })
  // A cell goes by the cookie, and does not look at this header.
  ca.state.answer = (_, response) => response.setHeader('tidings-environment', other.environment.id).end('{}')
  await send(gateway.url, '/v1/environment', { headers: { 'novu-application-identifier': 'app-1' } })
  ca.state.answer = null
  move(other.environment, ca, cb)
  expect((await send(gateway.url, '/v1/topics', { headers: other.authorization })).body).toEqual({ cell: 'cb' })
  expect((await open()).body).toEqual({ cell: 'ca' })
})

test('a session whose body does not fit is not sent to a cell that does not have it', async () => {
  const { ca, cb, gateway } = await cells.pair({}, { bufferBytes: 64 * 1024 })
  const { environment } = addEnvironment(cb)
  environment.names.push('app-1')
  const slow = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  slow.on('error', () => {})
  slow.write('POST /v1/inbox/session HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n')
  slow.write('x'.repeat(32_000))
  await sleep(200)
  const body = JSON.stringify({ applicationIdentifier: 'app-1', subscriber: { subscriberId: 'a'.repeat(2_000) } })
  const { status, body: told } = await send(gateway.url, '/v1/inbox/session', { method: 'POST', body })
  slow.destroy()
  expect([status, told.code]).toEqual([503, 'place_unknown'])
  expect(ca.asked).toEqual([])
})
