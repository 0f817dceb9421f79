import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { hashOf, identifierOf, openInbox } from '../../../test/client/inbox-session.ts'
import { type Client, client, type Json, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { apiKeyId } from '../../lib/api-key.ts'

const h = useHarness({ INBOX_HASH: 'required' }, { worker: true })

async function ask(env: Client, body: object) {
  const applicationIdentifier = await identifierOf(env)
  return h.send('POST', '/v1/inbox/session', { body: { applicationIdentifier, ...body }, key: null })
}

const profileOf = async (env: Client, id: string): Promise<Json> => (await env.get(`/v2/subscribers/${id}`)).body

describe('who asks', () => {
  test('a hash by any live key or by the signing secret opens the inbox; nothing else does', async () => {
    const env = await h.environment()
    const second = (await env.post('/v1/api-keys', { name: 'next' })).body
    const secret = (await env.post('/v1/environment/signing-secret')).body.data.signingSecret
    for (const text of [env.key, second.key, secret]) {
      const { status, body } = await ask(env, {
        subscriber: { subscriberId: 'ada' },
        subscriberHash: hashOf(text, 'ada'),
      })
      expect(status).toBe(201)
      expect(body.data).toMatchObject({ totalUnreadCount: 0, contextKeys: [], maxSnoozeDurationHours: 90 * 24 })
    }
    const other = await h.environment()
    const wrong = [
      undefined,
      '',
      'x',
      hashOf(env.key, 'eve'),
      hashOf(other.key, 'ada'),
      hashOf(`${env.key} `, 'ada'),
      hashOf(env.key, 'ada').slice(0, 63),
    ]
    for (const subscriberHash of wrong) {
      const { body } = await ask(env, { subscriber: { subscriberId: 'ada' }, subscriberHash })
      expect(body.code, String(subscriberHash)).toBe('hash_refused')
    }
    const unknown = { applicationIdentifier: 'te_none', subscriberId: 'ada', subscriberHash: hashOf(env.key, 'ada') }
    expect((await ask(env, unknown)).body.code).toBe('identifier_unknown')
  })

  test('every form that clients send: a subscriber, its id alone, and the id beside it', async () => {
    const env = await h.environment()
    const subscriberHash = hashOf(env.key, 'ada')
    for (const who of [{ subscriber: { subscriberId: 'ada' } }, { subscriber: 'ada' }, { subscriberId: 'ada' }]) {
      expect((await ask(env, { ...who, subscriberHash })).status).toBe(201)
    }
    expect((await ask(env, { subscriberHash })).body.errors).toHaveProperty('subscriber')
  })

  test('a key that is revoked, or a secret that is replaced, ends the tokens it vouched for', async () => {
    const env = await h.environment()
    const second = (await env.post('/v1/api-keys', { name: 'next' })).body
    const secret = (await env.post('/v1/environment/signing-secret')).body.data.signingSecret
    const [byFirst, bySecond, bySecret] = await Promise.all(
      [env.key, second.key, secret].map((text) => openInbox(env, 'ada', { subscriberHash: hashOf(text, 'ada') })),
    )
    const statusOf = async (inbox = byFirst) => (await inbox?.send('GET', '/notifications'))?.status
    expect([await statusOf(byFirst), await statusOf(bySecond), await statusOf(bySecret)]).toEqual([200, 200, 200])
    await client(h.send, second.key).delete(`/v1/api-keys/${apiKeyId(env.key)}`)
    const next = client(h.send, second.key)
    await next.post('/v1/environment/signing-secret')
    await expect.poll(() => statusOf(byFirst), { timeout: 5_000 }).toBe(401)
    await expect.poll(() => statusOf(bySecret), { timeout: 5_000 }).toBe(401)
    expect(await statusOf(bySecond)).toBe(200)
    const refused = await h.send('POST', '/v1/inbox/session', {
      body: {
        applicationIdentifier: (await next.send('GET', '/v1/environment')).body.data.identifier,
        subscriberId: 'ada',
        subscriberHash: hashOf(env.key, 'ada'),
      },
      key: null,
    })
    expect(refused.body.code).toBe('hash_refused')
  })

  test('a key made before we kept its text vouches from its next use on', async () => {
    const env = await h.environment()
    await sql`update api_key set sealed_text = null where environment_id = ${env.environmentId}`.execute(h.admin)
    const node = await h.node()
    const body = {
      applicationIdentifier: (
        await sql<{ identifier: string }>`
        select identifier from environment where id = ${env.environmentId}`.execute(h.admin)
      ).rows[0]?.identifier,
      subscriberId: 'ada',
      subscriberHash: hashOf(env.key, 'ada'),
    }
    const opened = () => h.send('POST', '/v1/inbox/session', { body, key: null })
    expect((await opened()).body.code).toBe('hash_refused')
    const headers = { authorization: `ApiKey ${env.key}` }
    expect((await fetch(`${node.url}/v2/topics`, { headers })).status).toBe(200)
    await expect.poll(async () => (await opened()).status).toBe(201)
  })

  test('contexts need a hash of their own, and a token sees those messages alone', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await trigger(env, { to: 'ada', transactionId: 'plain' })
    await trigger(env, { to: 'ada', transactionId: 'acme', context: { tenant: 'acme', app: { id: 'crm' } } })
    await h.drain()
    const context = { tenant: 'acme', app: { id: 'crm' } }
    const subscriberHash = hashOf(env.key, 'ada')
    const refused = await ask(env, { subscriberId: 'ada', subscriberHash, context })
    expect(refused.body.code).toBe('context_hash_refused')
    const contextHash = hashOf(env.key, '{"app":{"id":"crm"},"tenant":"acme"}')
    const inContext = await openInbox(env, 'ada', { context, contextHash })
    expect(inContext.session.contextKeys).toEqual(['app:crm', 'tenant:acme'])
    const seen = async (inbox: typeof inContext) =>
      (await inbox.send('GET', '/notifications')).body.data.map((it: Json) => it.transactionId)
    expect(await seen(inContext)).toEqual(['acme'])
    expect(await seen(await openInbox(env, 'ada'))).toEqual(['plain'])
    await inContext.send('POST', '/notifications/read', {})
    const counts = await (await openInbox(env, 'ada')).send('GET', '/notifications/count?filters=[{"read":false}]')
    expect(counts.body.data).toEqual([{ count: 1, filter: { read: false } }])
  })

  test('wrong sessions from one address are soon told to wait, and right ones of others are not', async () => {
    const node = await h.node({ TRUST_PROXY: '127.0.0.0/8' })
    const env = await h.environment()
    const applicationIdentifier = await identifierOf(env)
    const post = async (from: string, subscriberHash: string) => {
      const reply = await fetch(`${node.url}/v1/inbox/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: JSON.stringify({ applicationIdentifier, subscriberId: 'ada', subscriberHash }),
      })
      return reply.status
    }
    const statuses: number[] = []
    for (let n = 0; n < 100; n++) statuses.push(await post('10.0.0.1', hashOf('guess', 'ada')))
    expect(statuses).toEqual([...Array(20).fill(400), ...Array(80).fill(429)])
    expect(await post('10.0.0.1', hashOf(env.key, 'ada'))).toBe(429)
    expect(await post('10.0.0.2', hashOf(env.key, 'ada'))).toBe(201)
  })
})

describe('the profile', () => {
  test('is saved with a proof, and stays as it is without', async () => {
    const env = await h.environment()
    const subscriber = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com', timezone: 'Mars/Olympus' }
    await openInbox(env, 'ada', { subscriber })
    expect(await profileOf(env, 'ada')).toMatchObject({ firstName: 'Ada', email: 'ada@example.com', timezone: null })
    await openInbox(env, 'ada', {
      subscriber: { subscriberId: 'ada', firstName: 'Augusta', timezone: 'Europe/London' },
    })
    const known = await profileOf(env, 'ada')
    expect(known).toMatchObject({ firstName: 'Augusta', email: 'ada@example.com', timezone: 'Europe/London' })
    await openInbox(env, 'ada')
    expect(await profileOf(env, 'ada')).toEqual(known)

    const lenient = await h.node({ INBOX_HASH: 'optional' })
    const applicationIdentifier = await identifierOf(env)
    const anonymous = async (who: object, more: object = {}) =>
      fetch(`${lenient.url}/v1/inbox/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ applicationIdentifier, subscriber: who, ...more }),
      })
    const opened = await anonymous({ subscriberId: 'ada', firstName: 'Mallory', email: 'm@example.com' })
    expect(opened.status).toBe(201)
    expect(await profileOf(env, 'ada')).toEqual(known)
    expect((await anonymous({ subscriberId: 'new', firstName: 'Nel' })).status).toBe(201)
    expect(await profileOf(env, 'new')).toMatchObject({ firstName: 'Nel' })
    const defaultSchedule = { isEnabled: false }
    const scheduleOf = async (who: string) =>
      ((await (await anonymous({ subscriberId: who }, { defaultSchedule })).json()) as Json).data.schedule
    expect(await scheduleOf('ada')).toBeUndefined()
    expect(await scheduleOf('newer')).toEqual(defaultSchedule)
    // A token that nobody vouched for is worth nothing where a proof is needed.
    const { token } = ((await opened.json()) as Json).data
    const reply = await h.send('GET', '/v1/inbox/notifications', {
      headers: { authorization: `Bearer ${token}` },
      key: null,
    })
    expect(reply.status).toBe(401)
  })

  test('a default schedule is kept only for who has none', async () => {
    const env = await h.environment()
    const weeklySchedule = { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } }
    const first = await openInbox(env, 'ada', { defaultSchedule: { isEnabled: true, weeklySchedule } })
    expect(first.session.schedule).toEqual({ isEnabled: true, weeklySchedule })
    const later = await openInbox(env, 'ada', { defaultSchedule: { isEnabled: false } })
    expect(later.session.schedule).toEqual({ isEnabled: true, weeklySchedule })
  })

  test('a body larger than browsers send is not read', async () => {
    const context = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key${n}`, 'x']))
    const refused = await ask(await h.environment(), { subscriberId: 'ada', context })
    expect(refused.status).toBe(413)
  })

  test('one who was deleted and made anew is somebody else: the old token opens nothing', async () => {
    const env = await h.environment()
    const inbox = await openInbox(env, 'ada')
    await env.delete('/v2/subscribers/ada')
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    expect((await inbox.send('GET', '/notifications')).status).toBe(401)
  })
})

test('what is unread is counted by severity, without what is archived, snoozed or read', async () => {
  const env = await h.environment()
  for (const severity of ['high', 'medium', 'low', 'none']) await makeWorkflow(env, `w-${severity}`, { severity })
  for (const name of ['w-high', 'w-high', 'w-low', 'w-none', 'w-none', 'w-none'])
    await trigger(env, { name, to: 'ada' })
  await h.drain()
  const inbox = await openInbox(env, 'ada')
  expect(inbox.session.unreadCount).toEqual({ total: 6, severity: { high: 2, medium: 0, low: 1, none: 3 } })
  const [newest, second] = (await inbox.send('GET', '/notifications?severity=none')).body.data
  await inbox.send('PATCH', `/notifications/${newest.id}/archive`)
  await inbox.send('PATCH', `/notifications/${second.id}/snooze`, { snoozeUntil: '2126-01-01T00:00:00Z' })
  const { session } = await openInbox(env, 'ada')
  expect(session).toMatchObject({ totalUnreadCount: 4, unreadCount: { severity: { high: 2, low: 1, none: 1 } } })
  // A word is what the stock bell sends; a list comes from whoever names several.
  for (const shape of [(word: string) => word, (word: string) => [word]]) {
    const filters = ['high', 'medium', 'low', 'none'].map((severity) => ({
      read: false,
      archived: false,
      snoozed: false,
      severity: shape(severity),
    }))
    const { body } = await inbox.send('GET', `/notifications/count?filters=${JSON.stringify(filters)}`)
    expect(body.data).toEqual([2, 0, 1, 1].map((count, n) => ({ count, filter: filters[n] })))
  }
  const wrong = await inbox.send('GET', `/notifications/count?filters=${JSON.stringify([{ severity: 'huge' }])}`)
  expect(wrong.status).toBe(422)
})
