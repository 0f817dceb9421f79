import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openInbox } from '../../../test/client/inbox-session.ts'
import { rowsOf } from '../../../test/contract/tenant-rows.ts'
import { type Client, client, type Json, sender, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { makeSignInLink } from '../../core/operations/sign-in.ts'
import { apiKeyId } from '../../lib/api-key.ts'

const h = useHarness({ INBOX_HASH: 'required' }, { worker: true })
const own = { 'x-tidings-session': '1' }

const ask = (env: Pick<Client, 'post'>, who = 'ada') => env.post(`/v2/subscribers/${who}/inbox-session`)
const withToken = (token: string, path = '/v1/inbox/notifications') =>
  h.send('GET', path, { headers: { authorization: `Bearer ${token}` }, key: null })

async function withAda(): Promise<Client> {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada' })
  return env
}

/** The dashboard's cookie, and what it asks with it. */
async function signedIn(proof: object, send = h.send): Promise<(who: string) => Promise<Json>> {
  const reply = await send('POST', '/session', { body: proof, headers: own })
  const headers = { ...own, cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '' }
  return (who) => send('POST', `/v2/subscribers/${who}/inbox-session`, { headers, body: {}, key: null })
}

describe('POST /v2/subscribers/{subscriberId}/inbox-session', () => {
  test('opens the inbox of somebody known: the same reply as with a hash, and the same notifications', async () => {
    const env = await withAda()
    await makeWorkflow(env)
    await trigger(env, { to: 'ada', transactionId: 'first' })
    await h.drain()
    const before = await rowsOf(h, env)
    const { status, body } = await ask(env)
    expect(status).toBe(201)
    const { session } = await openInbox(env, 'ada')
    expect(body.data).toEqual({ ...session, token: expect.stringMatching(/^ti_/), totalUnreadCount: 1 })
    const list = (await withToken(body.data.token)).body.data
    expect(list.map((it: Json) => it.transactionId)).toEqual(['first'])
    expect(await rowsOf(h, env), 'nothing was written').toEqual(before)
  })

  test('nobody is made by asking: 404 for who is unknown, also if known elsewhere', async () => {
    const [env, other] = [await withAda(), await h.environment()]
    const before = await rowsOf(h, other)
    expect((await ask(other)).body.code).toBe('subscriber_not_found')
    expect((await ask(env, 'eve')).body.code).toBe('subscriber_not_found')
    expect(await rowsOf(h, other)).toEqual(before)
    expect((await env.get('/v2/subscribers/eve')).status).toBe(404)
  })

  test('the token opens the inbox of this person and nothing else', async () => {
    const env = await withAda()
    const other = await withAda()
    await makeWorkflow(other)
    await trigger(other, { to: 'ada' })
    await trigger(other, { to: 'eve' })
    await h.drain()
    const { token } = (await ask(env)).body.data
    expect((await withToken(token)).body.data).toEqual([])
    for (const path of ['/v2/subscribers/ada', '/v2/subscribers', '/v1/environment', '/v1/api-keys', '/session']) {
      expect((await withToken(token, path)).status, path).toBe(401)
    }
    const again = await h.send('POST', '/v2/subscribers/ada/inbox-session', {
      headers: { authorization: `Bearer ${token}` },
      body: {},
      key: null,
    })
    expect(again.status).toBe(401)
  })

  test('the token ends with the key that asked for it, or with the person', async () => {
    const env = await withAda()
    // Its vouchers are remembered now; a key made later vouches all the same.
    await withToken((await ask(env)).body.data.token)
    const second = client(h.send, (await env.post('/v1/api-keys', { name: 'next' })).body.key)
    const [byFirst, bySecond] = [(await ask(env)).body.data.token, (await ask(second)).body.data.token]
    expect([(await withToken(byFirst)).status, (await withToken(bySecond)).status]).toEqual([200, 200])
    await second.delete(`/v1/api-keys/${apiKeyId(env.key)}`)
    await expect.poll(async () => (await withToken(byFirst)).status, { timeout: 5_000 }).toBe(401)
    expect((await withToken(bySecond)).status).toBe(200)
    await second.delete('/v2/subscribers/ada')
    await second.post('/v2/subscribers', { subscriberId: 'ada' })
    expect((await withToken(bySecond)).status).toBe(401)
  })

  test('a key made before we kept its text is as good', async () => {
    const env = await withAda()
    await sql`update api_key set sealed_text = null where environment_id = ${env.environmentId}`.execute(h.admin)
    expect((await withToken((await ask(env)).body.data.token)).status).toBe(200)
  })
})

describe("the dashboard's session", () => {
  test('asks with its key: the token ends when that key is revoked', async () => {
    const env = await withAda()
    const second = (await env.post('/v1/api-keys', { name: 'next' })).body
    const opened = await (await signedIn({ key: second.key }))('ada')
    expect(opened.status).toBe(201)
    const { token } = opened.body.data
    expect((await withToken(token)).status).toBe(200)
    await env.delete(`/v1/api-keys/${second.id}`)
    await expect.poll(async () => (await withToken(token)).status, { timeout: 5_000 }).toBe(401)
  })

  test('opened by a link has no key: it opens inboxes only where nobody needs a proof', async () => {
    const env = await withAda()
    const link = await makeSignInLink(h.ctx, env.environmentId)
    const refused = await (await signedIn({ link }))('ada')
    expect(refused).toMatchObject({ status: 403, body: { code: 'key_needed' } })

    const lenient = await h.node({ INBOX_HASH: 'optional' })
    const send = sender(lenient.url)
    const ofLink = await signedIn({ link: await makeSignInLink(h.ctx, env.environmentId) }, send)
    const opened = await ofLink('ada')
    expect(opened.status).toBe(201)
    const headers = { authorization: `Bearer ${opened.body.data.token}` }
    expect((await send('GET', '/v1/inbox/notifications', { headers, key: null })).status).toBe(200)
    expect((await withToken(opened.body.data.token)).status).toBe(401)
  })

  test('a token that may only look lists, counts and listens, and changes nothing', async () => {
    const env = await withAda()
    await makeWorkflow(env)
    await trigger(env, { to: 'ada' })
    await h.drain()
    const { token } = (await env.post('/v2/subscribers/ada/inbox-session?lookOnly=true')).body.data
    const [message] = (await withToken(token)).body.data
    expect(message).toMatchObject({ isRead: false })
    const changes: [string, string, object?][] = [
      ['PATCH', `/notifications/${message.id}/read`],
      ['DELETE', `/notifications/${message.id}/delete`],
      ['POST', '/notifications/read', {}],
      ['PATCH', '/preferences', { in_app: false }],
      ['POST', '/topics/news/subscriptions', {}],
    ]
    const before = await rowsOf(h, env)
    for (const [method, path, body] of changes) {
      const headers = { authorization: `Bearer ${token}` }
      const reply = await h.send(method, `/v1/inbox${path}`, { body, headers, key: null })
      expect([reply.status, reply.body.code], path).toEqual([403, 'look_only'])
    }
    expect(await rowsOf(h, env)).toEqual(before)
  })
})
