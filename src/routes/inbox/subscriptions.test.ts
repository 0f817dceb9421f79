import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { hashOf, type Inbox, openInbox } from '../../../test/client/inbox-session.ts'
import { makeSubscriber, makeWorkflow, workflowBody } from '../../../test/fixture-makers.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'

const h = useHarness({}, { worker: true })

const of = (key: string) => `/topics/${key}/subscriptions`
const subscribe = async (inbox: Inbox, key: string, body: object = {}): Promise<Json> => {
  const reply = await inbox.send('POST', of(key), body)
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.data
}
const listOf = async (inbox: Inbox, key: string): Promise<Json[]> => (await inbox.send('GET', of(key))).body.data
const done = { '==': [{ var: 'payload.status' }, 'done'] }

/** What became of an event for a person, step by step: sent, or why not. */
async function outcome(env: Client, event: object, subscriberId: string): Promise<string[]> {
  const { transactionId } = (await env.post('/v1/events/trigger', event)).body
  const ask = async (): Promise<Json[]> => {
    const { body } = await env.get(`/v1/notifications?transactionId=${transactionId}&subscriberIds=${subscriberId}`)
    return body.data
  }
  await expect.poll(async () => (await ask()).length, { timeout: 10_000 }).toBe(1)
  const [notification] = await ask()
  const { body } = await env.get(`/v1/notifications/${notification?._id}`)
  return body.jobs.map((job: Json) => (job.status === 'completed' ? 'sent' : job.executionDetails.at(-1)?.detail))
}

describe('own subscriptions', () => {
  test('made, listed, retrieved, changed and ended', async () => {
    const env = await h.environment()
    const workflow = await makeWorkflow(env)
    const ada = await openInbox(env, 'ada')
    const made = await subscribe(ada, 'news', { identifier: '', topic: { name: 'News' } })
    expect(made).toMatchObject({ identifier: 'tk_news:si_ada', topicKey: 'news', preferences: [] })
    expect((await env.get('/v2/topics/news')).body).toMatchObject({ key: 'news', name: 'News' })
    expect((await env.get('/v2/topics/news/subscriptions')).body.data).toMatchObject([{ _id: made.id }])
    const second = await subscribe(ada, 'news', {
      identifier: 'alerts',
      name: 'Alerts',
      preferences: [workflow, { workflowId: workflow, enabled: false }],
    })
    expect(second).toMatchObject({ name: 'Alerts', preferences: [{ enabled: false, subscriptionId: second.id }] })
    expect((await listOf(ada, 'news')).map((it) => it.identifier)).toEqual(['tk_news:si_ada', 'alerts'])

    const one = `${of('news')}/alerts`
    const changed = await ada.send('PATCH', one, {
      name: null,
      preferences: [{ filter: { workflowIds: [workflow] }, condition: done }],
    })
    expect(changed.body.data.preferences).toMatchObject([{ enabled: false, condition: done }])
    expect(changed.body.data).not.toHaveProperty('name')
    const path = `/subscriptions/${second.id}/preferences/${workflow}`
    const preferred = await ada.send('PATCH', path, { enabled: true, in_app: true })
    expect(preferred.body.data).toMatchObject({ enabled: true, condition: done, workflow: { identifier: workflow } })
    const bulk = await ada.send('PATCH', '/preferences/bulk', {
      preferences: [
        { workflowId: workflow, subscriptionIdentifier: 'alerts', enabled: false, condition: null },
        { workflowId: workflow, in_app: false },
      ],
    })
    expect(bulk.body.data).toMatchObject([
      { channels: { in_app: false } },
      { enabled: false, subscriptionId: second.id },
    ])
    expect(bulk.body.data[1]).not.toHaveProperty('condition')

    expect((await ada.send('GET', `${of('news')}/none`)).status).toBe(204)
    const shown = await ada.send('GET', `${of('news')}/tk_news:si_ada?workflowIds=${workflow}&workflowIds=none`)
    expect(shown.body.data.preferences).toMatchObject([{ enabled: true, workflow: { identifier: workflow } }])
    expect((await ada.send('DELETE', one)).body).toEqual({ data: { success: true } })
    expect((await ada.send('DELETE', one)).body.code).toBe('topic_subscription_not_found')
    expect(await listOf(ada, 'news')).toHaveLength(1)
    expect((await ada.send('DELETE', `${of('news')}/${made.id}`)).status).toBe(200)
    expect(await listOf(ada, 'news')).toEqual([])
    expect((await env.get('/v2/topics/news/subscriptions')).body.code, 'made by joining').toBe('topic_not_found')
  })

  test('a subscription that exists stays as it is; the same asked ten times at once is one', async () => {
    const env = await h.environment()
    const ada = await openInbox(env, 'ada')
    await subscribe(ada, 'news', { name: 'Mine' })
    expect(await subscribe(ada, 'news', { name: 'Other' })).toMatchObject({ name: 'Mine' })
    await Promise.all(Array.from({ length: 10 }, () => subscribe(ada, 'other', { identifier: 'a', name: 'A' })))
    expect(await listOf(ada, 'other')).toHaveLength(1)
    const names = Array.from({ length: 12 }, (_, n) => `n${n}`)
    const replies = await Promise.all(names.map((identifier) => ada.send('POST', of('full'), { identifier })))
    expect(replies.map((it) => it.status).sort()).toEqual([...Array(10).fill(201), 422, 422])
    expect(await listOf(ada, 'full')).toHaveLength(10)
  })

  test('names asked at once, where the topic is there already: exactly these, and a server that adds and removes meanwhile', async () => {
    const env = await h.environment()
    await env.post('/v2/topics', { key: 'news' })
    for (let round = 0; round < 10; round++) {
      const who = await openInbox(env, `person-${round}`)
      const asked = ['one', 'two', 'three', 'one'].map((identifier, n) =>
        subscribe(who, 'news', { identifier, name: `${n}` }),
      )
      const made = await Promise.all(asked)
      const listed = await listOf(who, 'news')
      expect(listed.map((it) => it.identifier).sort()).toEqual(['one', 'three', 'two'])
      expect(new Set(made.map((it) => it.id))).toEqual(new Set(listed.map((it) => it.id)))
      expect(made[0]?.name).toBe(made[3]?.name)
    }
    const path = '/v2/topics/news/subscriptions'
    const ada = await openInbox(env, 'ada')
    const statuses = new Set<number>()
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const body = { subscriptions: ['ada'] }
        const calls = [
          () => env.post(path, body),
          () => env.send('DELETE', path, { body }),
          () => ada.send('POST', of('news'), { identifier: 'mine' }),
          () => ada.send('DELETE', `${of('news')}/mine`),
        ]
        statuses.add((await calls[n % 4]?.())?.status ?? 0)
      }),
    )
    expect([...statuses].filter((status) => status >= 500)).toEqual([])
  })

  test('the same name in two contexts is two; names like our own are refused', async () => {
    const env = await h.environment()
    const contextHash = hashOf(env.key, '{"tenant":"acme"}')
    const acme = await openInbox(env, 'ada', { context: { tenant: 'acme' }, contextHash })
    const plain = await openInbox(env, 'ada')
    const workflow = await makeWorkflow(env)
    await subscribe(acme, 'news', { identifier: 'alerts', name: 'A' })
    expect(await subscribe(plain, 'news', { identifier: 'alerts', name: 'P' })).toMatchObject({
      name: 'P',
      contextKeys: [],
    })
    expect(await listOf(acme, 'news')).toMatchObject([{ name: 'A' }])
    await subscribe(acme, 'one', { identifier: 'mine' })
    await subscribe(plain, 'two', { identifier: 'mine' })
    expect((await plain.send('PATCH', `/subscriptions/mine/preferences/${workflow}`, { enabled: false })).status).toBe(
      200,
    )
    expect((await env.patch('/v2/topics/news/subscriptions/alerts', { name: 'X' })).body.code).toBe(
      'subscription_ambiguous',
    )
    for (const identifier of ['tk_news:si_bob', 'tk_other:si_ada', 'tk_']) {
      expect((await plain.send('POST', of('news'), { identifier })).body.errors).toHaveProperty('identifier')
    }
  })

  test('a topic that people made by joining goes with the last of them; one that a server made or took over stays', async () => {
    const env = await h.environment()
    const keys = ['joined', 'made', 'taken', 'named', 'touched', 'added-to']
    await env.post('/v2/topics', { key: 'made', name: 'Made' })
    const cleo = await makeSubscriber(env)
    const [ada, bob] = [await openInbox(env, 'ada'), await openInbox(env, 'bob')]
    for (const key of keys) for (const who of [ada, bob]) await subscribe(who, key)
    await env.post('/v2/topics', { key: 'taken' })
    await env.patch('/v2/topics/named', { name: 'Named' })
    await env.patch('/v2/topics/touched', {})
    await env.post('/v2/topics/added-to/subscriptions', { subscriberIds: [cleo] })
    await env.delete('/v2/topics/added-to/subscriptions', { subscriberIds: [cleo] })
    const leave = (who: Inbox, name: string, key: string) => who.send('DELETE', `${of(key)}/tk_${key}:si_${name}`)
    const statuses = () => Promise.all(keys.map(async (key) => (await env.get(`/v2/topics/${key}`)).status))
    for (const key of keys) await leave(ada, 'ada', key)
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200])
    for (const key of keys) await leave(bob, 'bob', key)
    expect(await statuses()).toEqual([404, 200, 200, 200, 200, 200])
    await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const [who, name] = n % 2 === 0 ? ([ada, 'ada'] as const) : ([bob, 'bob'] as const)
        const reply = await who.send('POST', of('joined'), {})
        expect([reply.status, (await leave(who, name, 'joined')).status < 500]).toEqual([201, true])
      }),
    )
  })

  test('at most a thousand topics each, and none where the operator closed them', async () => {
    const env = await h.environment()
    const ada = await openInbox(env, 'ada')
    await sql`
      with made as (insert into topic (environment_id, id, key, updated_at)
        select ${env.environmentId}, gen_random_uuid(), 'many-' || n, now() from generate_series(1, 1000) n returning id)
      insert into topic_subscription (environment_id, topic_id, id, subscriber_id)
      select ${env.environmentId}, made.id, gen_random_uuid(), s.id from made
      join subscriber s on s.environment_id = ${env.environmentId} and s.subscriber_id = 'ada'`.execute(h.admin)
    expect((await ada.send('POST', of('one-more'), {})).body.code).toBe('too_many_topics')
    expect((await env.get('/v2/topics/one-more')).status).toBe(404)
    const closed = await h.node({ INBOX_TOPICS: 'closed' })
    const send = async (method: string, path: string, body: object): Promise<Json> => {
      const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' }
      return (await fetch(`${closed.url}/v1/inbox${path}`, { method, headers, body: JSON.stringify(body) })).json()
    }
    expect(await send('POST', of('closed'), {})).toMatchObject({ code: 'topics_closed' })
    expect(await send('PATCH', `${of('many-7')}/tk_many-7:si_ada`, { name: 'Mine' })).toMatchObject({
      data: { name: 'Mine' },
    })
    expect(await send('POST', of('many-7'), {})).toMatchObject({ data: { name: 'Mine' } })
  })

  test('a rule that nobody could judge, and a workflow that leaves no choice, are refused', async () => {
    const env = await h.environment()
    const [workflow, ada] = [await makeWorkflow(env), await openInbox(env, 'ada')]
    await env.patch(`/v2/workflows/${workflow}`, { tags: ['all'] })
    const body = { workflowId: 'critical', name: 'Critical', critical: true, tags: ['all'], steps: [] }
    await env.post('/v2/workflows', { ...body, steps: [{ name: 'I', type: 'in_app', controlValues: { body: 'x' } }] })
    const asking = (preferences: unknown[]) => ada.send('POST', of('news'), { preferences })
    expect((await asking([{ workflowId: workflow, condition: { log: 1 } }])).body.errors).toHaveProperty('condition')
    expect((await asking(['critical'])).body.code).toBe('preference_read_only')
    expect((await asking(['none'])).body.code).toBe('workflow_not_found')
    expect(await listOf(ada, 'news')).toEqual([])
    const made = await subscribe(ada, 'news', { preferences: [{ filter: { tags: ['all'] }, enabled: false }] })
    expect(made.preferences.map((it: Json) => it.workflow.identifier)).toEqual([workflow])
  })
})

describe('beside what servers do', () => {
  test('a server finds, changes and ends what a person made', async () => {
    const env = await h.environment()
    const [workflow, ada, bob] = [await makeWorkflow(env), await openInbox(env, 'ada'), await openInbox(env, 'bob')]
    const made = await subscribe(ada, 'news', { identifier: 'alerts' })
    const path = '/v2/topics/news/subscriptions'
    expect((await env.get(`${path}/alerts`)).body).toMatchObject({ id: made.id, identifier: 'alerts', preferences: [] })
    const changed = await env.patch(`${path}/alerts`, {
      name: 'A',
      preferences: [{ workflowId: workflow, condition: done }],
    })
    expect(changed.body).toMatchObject({
      _id: made.id,
      name: 'A',
      topic: { key: 'news' },
      subscriber: { subscriberId: 'ada' },
      preferences: [{ enabled: true, condition: done }],
    })
    expect(await listOf(ada, 'news')).toMatchObject([{ name: 'A' }])
    const exported = (await env.get('/v2/subscribers/ada/export')).body
    expect(exported.subscriptions).toMatchObject([{ identifier: 'alerts', preferences: [{ condition: done }] }])
    await subscribe(bob, 'news', { identifier: 'alerts' })
    expect((await env.patch(`${path}/alerts`, { name: 'B' })).body.code).toBe('subscription_ambiguous')
    expect((await env.patch(`${path}/${made.id}`, { name: 'B' })).body).toMatchObject({ name: 'B' })
    const [listed] = (await env.get(`${path}?subscriberId=ada`)).body.data
    for (const ref of [listed._id, listed.identifier]) {
      expect((await env.get(`${path}/${ref}`)).body, 'the only one he has').toMatchObject({ identifier: 'alerts' })
    }
    await env.post(path, { subscriptions: ['ada'] })
    expect((await listOf(ada, 'news')).map((it) => it.identifier)).toEqual(['alerts', 'tk_news:si_ada'])
    await env.send('DELETE', path, { body: { subscriptions: ['ada'] } })
    expect(await listOf(ada, 'news')).toEqual([])
    expect(await listOf(bob, 'news')).toHaveLength(1)
    await env.delete('/v2/subscribers/bob')
    const { rows } = await sql`select 1 from subscription_detail where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    expect(rows).toEqual([])
  })
})

describe('when an event comes', () => {
  test('what is turned off, or whose condition is not met, is skipped and says so', async () => {
    const env = await h.environment()
    const [name, ada] = [await makeWorkflow(env), await openInbox(env, 'ada')]
    const to = { type: 'Topic', topicKey: 'news' }
    const send = (status: string) => outcome(env, { name, to, payload: { status } }, 'ada')
    await subscribe(ada, 'news')
    expect(await send('open')).toEqual(['sent'])
    const path = `/subscriptions/tk_news:si_ada/preferences/${name}`
    await ada.send('PATCH', path, { enabled: false })
    expect(await send('done')).toEqual(['Turned off by the subscriber in the subscription to the topic'])
    await ada.send('PATCH', path, { enabled: true, condition: done })
    expect(await send('open')).toEqual(['The condition of the subscription to the topic is not met'])
    expect(await send('done')).toEqual(['sent'])
    await subscribe(ada, 'news', { identifier: 'open', preferences: [] })
    expect(await send('open')).toEqual(['sent'])
    await ada.send('PATCH', `/subscriptions/open/preferences/${name}`, { enabled: false })
    expect(await send('open')).toEqual(['The condition of the subscription to the topic is not met'])
  })

  test('who is named, or let through by another topic of the event, gets it, in whatever order', async () => {
    const env = await h.environment()
    const [name, ada] = [await makeWorkflow(env), await openInbox(env, 'ada')]
    const off = { preferences: [{ workflowId: name, enabled: false }] }
    await subscribe(ada, 'off', off)
    await subscribe(ada, 'off-too', off)
    await subscribe(ada, 'on')
    const topic = (topicKey: string, exclude?: string[]) => ({ type: 'Topic', topicKey, ...(exclude && { exclude }) })
    const send = (...to: unknown[]) => outcome(env, { name, to }, 'ada')
    const refusal = ['Turned off by the subscriber in the subscription to the topic']
    expect(await send(topic('off'), topic('on'))).toEqual(['sent'])
    expect(await send(topic('on'), topic('off'))).toEqual(['sent'])
    expect(await send(topic('off'), 'ada')).toEqual(['sent'])
    expect(await send(topic('off'), topic('off-too'))).toEqual(refusal)
    expect(await send(topic('off'), topic('on', ['ada']))).toEqual(refusal)
    expect(await send(topic('off'), 'bob')).toEqual(refusal)
    expect(await send(topic('off'), topic('on'), topic('on', ['ada']))).toEqual(['sent'])
    const explained = (await env.post('/v1/events/explain', { name, to: [topic('off'), topic('off-too')] })).body
    expect(explained.recipients).toMatchObject([{ subscriberId: 'ada', steps: [{ outcome: 'skip', why: refusal[0] }] }])
  })

  test('a subscription made in a context is for events of that context', async () => {
    const env = await h.environment()
    const name = await makeWorkflow(env)
    const acme = await openInbox(env, 'ada', {
      context: { tenant: 'acme' },
      contextHash: hashOf(env.key, '{"tenant":"acme"}'),
    })
    expect(await subscribe(acme, 'news')).toMatchObject({
      identifier: 'tk_news:si_ada:ctx_tenant:acme',
      contextKeys: ['tenant:acme'],
    })
    expect((await acme.send('GET', `${of('news')}/tk_news:si_ada`)).status).toBe(200)
    const plain = await openInbox(env, 'ada')
    expect(await listOf(plain, 'news')).toEqual([])
    const to = { type: 'Topic', topicKey: 'news' }
    expect(await outcome(env, { name, to, context: { tenant: 'acme' } }, 'ada')).toEqual(['sent'])
    const other = ['The subscription to the topic is for other contexts']
    expect(await outcome(env, { name, to, context: { tenant: 'other' } }, 'ada')).toEqual(other)
    expect(await outcome(env, { name, to }, 'ada')).toEqual(other)
    await subscribe(plain, 'news')
    expect(await outcome(env, { name, to }, 'ada')).toEqual(['sent'])
  })

  test('a rule that takes too long refuses, and a critical workflow asks nobody', async () => {
    const env = await h.environment()
    const [name, ada] = [await makeWorkflow(env), await openInbox(env, 'ada')]
    const to = { type: 'Topic', topicKey: 'news' }
    const condition = { some: [{ var: 'payload.many' }, { '==': [{ var: '' }, 'last'] }] }
    await subscribe(ada, 'news', { preferences: [{ workflowId: name, condition }] })
    const many = [...Array(20_000).fill('x'), 'last']
    const tooLong = ['The condition of the subscription to the topic takes too long for this payload']
    expect(await outcome(env, { name, to, payload: { many } }, 'ada')).toEqual(tooLong)
    expect(await outcome(env, { name, to, payload: { many: many.slice(-3) } }, 'ada')).toEqual(['sent'])
    await env.put(`/v2/workflows/${name}`, { ...workflowBody, critical: true })
    expect(await outcome(env, { name, to }, 'ada')).toEqual(['sent'])
  })
})
