import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startApp } from '../../../test/client/inbox-channels.ts'
import { hashOf, type Inbox, openInbox } from '../../../test/client/inbox-session.ts'
import { browserSubscription, makeBot, makeWebPush } from '../../../test/fixtures/channel-endpoints.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'

const app = await startApp()
const { slack } = app
slack.addWorkspace({ id: 'T0EVIL', name: 'Evil', people: [{ id: 'U0EVE', name: 'Eve' }] })
const h = useHarness(app.settings)

const acme = { tenant: 'acme' }
const withContext = (env: Client, context: object) => ({
  context,
  contextHash: hashOf(env.key, canonicalJson(context)),
})
const codeOf = async (reply: Promise<Json>): Promise<string> => (await reply).body.code ?? String((await reply).status)

/** A connection that a server made. */
async function connect(env: Client, integration: string, identifier: string, more: object = {}): Promise<void> {
  const workspace = { id: 'T0ACME', name: 'Acme', botUserId: 'U0BOT' }
  const body = { identifier, integrationIdentifier: integration, workspace, auth: { accessToken: 'xoxb-1' }, ...more }
  const made = await env.post('/v1/channel-connections', body)
  if (made.status !== 201) throw new Error(made.text)
}

/** Without a hash. */
async function openUnvouched(env: Client, subscriberId: string, more: object = {}): Promise<Inbox> {
  return openInbox(env, subscriberId, { subscriberHash: undefined, ...more })
}

async function agree(env: Client, started: Json, who?: string): Promise<boolean> {
  if (started.status !== 201) throw new Error(started.text)
  return app.agree(env, started.body.data.url, who)
}

const connections = '/channel-connections'
const endpoints = '/channel-endpoints'
const namesOf = async (inbox: Inbox, path: string): Promise<string[]> =>
  (await inbox.send('GET', path)).body.data.map((it: Json) => it.identifier)
const startWays: [string, object][] = [
  [`${connections}/oauth`, {}],
  [`${endpoints}/oauth`, {}],
  ['/chat/oauth', { mode: 'connect' }],
  ['/chat/oauth', { mode: 'link_user' }],
]

describe("what is somebody else's", () => {
  test('a connection of another person is not found, whatever is asked, and stays as it is', async () => {
    const env = await h.environment()
    const [chat, eve] = [await app.make(env), await openInbox(env, 'eve')]
    await openInbox(env, 'ada')
    await connect(env, chat, 'ada-slack', { subscriberId: 'ada' })
    const before = (await env.get('/v1/channel-connections/ada-slack')).body
    expect(await namesOf(eve, connections)).toEqual([])
    expect(await namesOf(eve, `${connections}?connectionMode=subscriber&integrationIdentifier=${chat}`)).toEqual([])
    expect(await codeOf(eve.send('GET', `${connections}/ada-slack`))).toBe('connection_not_found')
    expect(await codeOf(eve.send('DELETE', `${connections}/ada-slack`))).toBe('connection_not_found')
    const body = { integrationIdentifier: chat, connectionIdentifier: 'ada-slack' }
    for (const [path, more] of startWays) {
      expect(await codeOf(eve.send('POST', path, { ...body, ...more })), path).toBe('connection_not_found')
    }
    expect((await env.get('/v1/channel-connections/ada-slack')).body).toEqual(before)
  })

  test('a shared connection is seen in its contexts, without what is secret, and is taken over by nobody', async () => {
    const env = await h.environment()
    const chat = await app.make(env)
    await connect(env, chat, 'of-acme', { context: acme })
    await connect(env, chat, 'of-red', { context: { ...acme, team: 'red' } })
    await connect(env, chat, 'of-all')
    const outside = await openInbox(env, 'eve')
    const inside = await openInbox(env, 'ada', withContext(env, acme))
    expect(await namesOf(outside, connections)).toEqual(['of-all'])
    expect(await namesOf(inside, connections)).toEqual(['of-all', 'of-acme'])
    expect(await namesOf(inside, `${connections}?contextKeys=tenant:acme`)).toEqual(['of-acme'])
    expect(await namesOf(outside, `${connections}?contextKeys=tenant:acme`)).toEqual([])
    const seen = {
      identifier: 'of-acme',
      connectionMode: 'shared',
      channel: 'chat',
      providerId: 'slack',
      integrationIdentifier: chat,
      workspace: { id: 'T0ACME', name: 'Acme' },
    }
    expect((await inside.send('GET', `${connections}/of-acme`)).body).toEqual({ ...seen, data: seen })
    const asOwn = `${connections}/of-acme?connectionMode=subscriber`
    expect(await codeOf(inside.send('GET', asOwn))).toBe('connection_not_found')
    for (const name of ['of-acme', 'of-red']) {
      expect(await codeOf(outside.send('GET', `${connections}/${name}`))).toBe('connection_not_found')
    }
    const link = { integrationIdentifier: chat, connectionIdentifier: 'of-acme' }
    expect(await codeOf(outside.send('POST', `${endpoints}/oauth`, link))).toBe('connection_not_found')
    for (const name of ['of-acme', 'of-all']) {
      expect(await codeOf(inside.send('DELETE', `${connections}/${name}`))).toBe('connection_not_found')
      for (const more of [{}, { connectionMode: 'shared', ...withContext(env, acme) }]) {
        const body = { ...link, connectionIdentifier: name, ...more }
        expect(await codeOf(inside.send('POST', `${connections}/oauth`, body))).toBe('connection_not_found')
      }
    }
  })

  test('a name that somebody else took while the person was at the vendor stays with them', async () => {
    const env = await h.environment()
    const chat = await app.make(env)
    const eve = await openInbox(env, 'eve', withContext(env, acme))
    const body = { integrationIdentifier: chat, connectionIdentifier: 'of-acme' }
    const alone = await eve.send('POST', `${connections}/oauth`, body)
    const forAll = { ...body, connectionMode: 'shared', ...withContext(env, acme) }
    const shared = await eve.send('POST', `${connections}/oauth`, forAll)
    await connect(env, chat, 'of-acme', { context: acme })
    for (const started of [alone, shared]) expect(await agree(env, started, 'T0EVIL/U0EVE')).toBe(false)
    expect((await env.get('/v1/channel-connections/of-acme')).body.workspace.id).toBe('T0ACME')

    const linked = await eve.send('POST', `${endpoints}/oauth`, body)
    await env.delete('/v1/channel-connections/of-acme')
    await openInbox(env, 'ada')
    await connect(env, chat, 'of-acme', { subscriberId: 'ada' })
    slack.workspaces.get('T0ACME')?.people.push({ id: 'U0EVE', name: 'Eve' })
    expect(await agree(env, linked, 'T0ACME/U0EVE')).toBe(false)
    expect(await namesOf(eve, endpoints)).toEqual([])
  })

  test('an endpoint of another person is not listed and not deleted; nobody sees what it holds', async () => {
    const env = await h.environment()
    const [ada, eve, chat] = [await openInbox(env, 'ada'), await openInbox(env, 'eve'), await app.make(env)]
    const place = { type: 'webhook', endpoint: { url: `${slack.url}/services/T0/B0/secret` } }
    const own = { identifier: 'hook', subscriberId: 'ada', integrationIdentifier: chat, ...place }
    expect((await env.post('/v1/channel-endpoints', own)).status).toBe(201)
    expect(await namesOf(eve, endpoints)).toEqual([])
    expect(await codeOf(eve.send('DELETE', `${endpoints}/hook`))).toBe('endpoint_not_found')
    const listed = (await ada.send('GET', endpoints)).body
    expect(listed).toEqual({
      data: [
        {
          identifier: 'hook',
          type: 'webhook',
          providerId: 'slack',
          integrationIdentifier: chat,
          createdAt: expect.any(String),
        },
      ],
      next: null,
      previous: null,
    })
    expect((await ada.send('DELETE', `${endpoints}/hook`)).status).toBe(204)
    expect(await namesOf(ada, endpoints)).toEqual([])
  })

  test('cursors go through the own ones and no others', async () => {
    const env = await h.environment()
    const [ada, eve, chat] = [await openInbox(env, 'ada'), await openInbox(env, 'eve'), await app.make(env)]
    for (const n of [1, 2, 3]) await connect(env, chat, `ada-${n}`, { subscriberId: 'ada' })
    await connect(env, chat, 'eve-1', { subscriberId: 'eve' })
    const first = (await ada.send('GET', `${connections}?limit=2`)).body
    expect(first.data.map((it: Json) => it.identifier)).toEqual(['ada-3', 'ada-2'])
    const rest = `${connections}?limit=2&after=${first.next}`
    expect(await namesOf(ada, rest)).toEqual(['ada-1'])
    expect(await codeOf(eve.send('GET', rest))).toBe('invalid_cursor')
    const { rows } = await sql<{ id: string }>`
      select id from channel_connection where environment_id = ${env.environmentId} and identifier = 'ada-2'`.execute(
      h.admin,
    )
    expect(await codeOf(eve.send('GET', `${connections}?after=${rows[0]?.id}`))).toBe('invalid_cursor')
  })

  test('nobody speaks for another person', async () => {
    const env = await h.environment()
    const [eve, chat] = [await openInbox(env, 'eve'), await app.make(env)]
    await openInbox(env, 'ada')
    const named = { integrationIdentifier: chat, subscriberId: 'ada' }
    for (const path of [connections, endpoints]) {
      expect(await codeOf(eve.send('GET', `${path}?subscriberId=ada`))).toBe('subscriber_mismatch')
      expect((await eve.send('GET', `${path}?subscriberId=eve`)).status).toBe(200)
    }
    const push = { integrationIdentifier: await makeWebPush(env), type: 'web_push', endpoint: browserSubscription }
    const calls: [string, object][] = [
      ...startWays.map(([path, more]): [string, object] => [path, { ...named, ...more }]),
      [`${endpoints}/link`, named],
      [endpoints, { ...push, subscriberId: 'ada' }],
    ]
    for (const [path, body] of calls) {
      expect(await codeOf(eve.send('POST', path, body)), path).toBe('subscriber_mismatch')
    }
  })

  test('who may only look changes nothing', async () => {
    const env = await h.environment()
    const [chat, push] = [await app.make(env), await makeWebPush(env)]
    await openInbox(env, 'ada')
    await connect(env, chat, 'ada-slack', { subscriberId: 'ada' })
    const opened = await env.post('/v2/subscribers/ada/inbox-session?lookOnly=true', {})
    const { token } = opened.body.data ?? opened.body
    const look = (method: string, path: string, body?: unknown) =>
      env.send(method, `/v1/inbox${path}`, { body, headers: { authorization: `Bearer ${token}` } })
    expect((await look('GET', connections)).body.data).toHaveLength(1)
    const given = { integrationIdentifier: push, type: 'web_push', endpoint: browserSubscription }
    expect(await codeOf(look('DELETE', `${connections}/ada-slack`))).toBe('look_only')
    expect(await codeOf(look('POST', endpoints, given))).toBe('look_only')
    for (const [path, more] of [...startWays, [`${endpoints}/link`, {}] as const]) {
      expect(await codeOf(look('POST', path, { integrationIdentifier: chat, ...more })), path).toBe('look_only')
    }
  })
})

describe('who vouches', () => {
  test('a workspace for others: only for a vouched person in vouched contexts', async () => {
    const env = await h.environment()
    const chat = await app.make(env)
    const body = { integrationIdentifier: chat, connectionMode: 'shared', connectionIdentifier: 'ours' }
    const proof = withContext(env, acme)
    const two = { ...acme, team: 'red' }
    const refused: [string, Inbox, object][] = [
      ['nobody vouches for the person', await openUnvouched(env, 'eve', proof), {}],
      ['nor here, whatever the hash of the contexts', await openUnvouched(env, 'eve', proof), proof],
      ['no context', await openInbox(env, 'eve'), {}],
      ['no context, with its hash', await openInbox(env, 'eve'), withContext(env, {})],
      ['contexts without a hash', await openInbox(env, 'eve', { context: acme }), {}],
      ['contexts named again without a hash', await openInbox(env, 'eve', { context: acme }), { context: acme }],
      ['fewer contexts are more people', await openInbox(env, 'eve', withContext(env, two)), { context: acme }],
    ]
    for (const [why, inbox, more] of refused) {
      for (const path of [`${connections}/oauth`, '/chat/oauth']) {
        expect(await codeOf(inbox.send('POST', path, { ...body, ...more })), why).toBe('vouching_needed')
      }
    }
    const ada = await openInbox(env, 'ada', proof)
    expect(await agree(env, await ada.send('POST', `${connections}/oauth`, { ...body, ...proof }))).toBe(true)
    const made = (await env.get('/v1/channel-connections/ours')).body
    expect(made).toMatchObject({ subscriberId: null, contextKeys: ['tenant:acme'], workspace: { id: 'T0ACME' } })
    expect((await env.get('/v1/channel-endpoints')).body.data, 'nobody is linked').toEqual([])
  })

  test("where every session needs its hashes, the session's contexts are vouched for", async () => {
    const env = await h.environment()
    const chat = await app.make(env)
    const { url } = await h.node({ INBOX_HASH: 'required' })
    const { token } = await openInbox(env, 'ada', withContext(env, { ...acme, team: 'red' }))
    const start = async (more: object) => {
      const body = JSON.stringify({ integrationIdentifier: chat, connectionMode: 'shared', ...more })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return (await fetch(`${url}/v1/inbox/channel-connections/oauth`, { method: 'POST', headers, body })).status
    }
    expect(await start({})).toBe(201)
    expect(await start({ context: { team: 'red', ...acme } })).toBe(201)
    expect(await start({ context: acme })).toBe(403)
  })

  test('contexts that are not of the session need a hash; of those that are, some may be named', async () => {
    const env = await h.environment()
    const [chat, bot] = [await app.make(env), await makeBot(env)]
    const ada = await openInbox(env, 'ada', withContext(env, { ...acme, team: 'red' }))
    const other = { tenant: 'other' }
    const calls = [
      ...startWays.map(([path, more]) => [path, chat, more] as const),
      [`${endpoints}/link`, bot, {}] as const,
    ]
    for (const [path, integrationIdentifier, more] of calls) {
      const ask = (given: object) => codeOf(ada.send('POST', path, { integrationIdentifier, ...more, ...given }))
      for (const given of [
        { context: other },
        { context: { ...acme, place: 'x' } },
        { context: other, contextHash: hashOf('another key', JSON.stringify(other)) },
        { context: acme, contextHash: hashOf(env.key, JSON.stringify(other)) },
      ]) {
        expect(await ask(given), path).toBe('context_hash_refused')
      }
      const isDone = integrationIdentifier === bot ? 'connect_refused' : '201'
      for (const given of [{}, { context: acme }, withContext(env, other)]) expect(await ask(given), path).toBe(isDone)
    }
    const started = await ada.send('POST', `${connections}/oauth`, { integrationIdentifier: chat })
    expect(await agree(env, started)).toBe(true)
    const [made] = (await env.get('/v1/channel-connections')).body.data
    expect(made).toMatchObject({ subscriberId: 'ada', contextKeys: ['team:red', 'tenant:acme'] })
  })

  test('an integration that demands a hash lets nobody in without', async () => {
    const env = await h.environment()
    const [strict, open] = [await app.make(env, { hmac: true }), await app.make(env)]
    const [vouched, unvouched] = [await openInbox(env, 'ada'), await openUnvouched(env, 'eve')]
    for (const [path, more] of startWays) {
      const body = { integrationIdentifier: strict, ...more }
      expect(await codeOf(unvouched.send('POST', path, body)), path).toBe('vouching_needed')
      expect((await vouched.send('POST', path, body)).status, path).toBe(201)
      expect((await unvouched.send('POST', path, { ...body, integrationIdentifier: open })).status, path).toBe(201)
    }
    const push = { integrationIdentifier: strict, type: 'web_push', endpoint: browserSubscription }
    expect(await codeOf(unvouched.send('POST', endpoints, push))).toBe('vouching_needed')
  })
})
