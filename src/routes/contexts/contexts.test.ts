import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashOf, identifierOf, openInbox } from '../../../test/client/inbox-session.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'

const h = useHarness({}, { worker: true })
const acme = '/v2/contexts/tenant/acme'
const body = 'Plan {{context.tenant.data.plan}} of {{context.tenant.id}}'

let env: Client
beforeEach(async () => {
  env = await h.environment()
})

async function shown(): Promise<string[]> {
  await h.drain()
  const { body } = await env.get('/v1/messages?limit=100')
  return body.data.map((message: { content: string }) => message.content).toReversed()
}

const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body } }]
const makeShown = () => makeWorkflow(env, 'hello', { steps })

describe('/v2/contexts', () => {
  test('type and id may hold what a path does not; another environment has its own', async () => {
    const other = await h.environment()
    for (const [type, id] of [
      ['region', 'a/b?c#d%'],
      ['Łódź 🏙', 'x:y'],
      ['t'.repeat(255), 'i'.repeat(255)],
    ] as const) {
      const made = await env.post('/v2/contexts', { type, id })
      expect([made.status, made.body.data], made.text).toEqual([201, {}])
      const path = `/v2/contexts/${encodeURIComponent(type)}/${encodeURIComponent(id)}`
      expect((await env.get(path)).body).toEqual(made.body)
      expect(await other.get(path)).toMatchObject({ status: 404, body: { code: 'context_not_found' } })
    }
    for (const bad of [
      { type: 't'.repeat(256), id: 'a' },
      { type: 'a', id: 'i'.repeat(256) },
    ]) {
      expect((await env.post('/v2/contexts', bad)).status).toBe(422)
    }
  })

  test('one of each type and id; data is replaced as a whole and has at most 64 KB', async () => {
    await env.post('/v2/contexts', { type: 'tenant', id: 'acme', data: { a: 1 } })
    expect(await env.post('/v2/contexts', { type: 'tenant', id: 'acme' })).toMatchObject({
      status: 409,
      body: { code: 'context_exists' },
    })
    expect((await env.patch(acme, { data: { b: 2 } })).body.data).toEqual({ b: 2 })
    const large = { data: { text: 'x'.repeat(64 * 1024) } }
    expect((await env.patch(acme, large)).status).toBe(422)
    expect((await env.post('/v2/contexts', { type: 'tenant', id: 'big', ...large })).status).toBe(422)
  })

  test('the list: newest first, by id, by a part of type or id in any case, with cursors', async () => {
    for (const id of ['a', 'b', 'c']) await env.post('/v2/contexts', { type: 'tenant', id })
    await env.post('/v2/contexts', { type: 'App', id: 'a' })
    const names = async (query = '') => {
      const { body } = await env.get(`/v2/contexts?${query}`)
      return body.data.map(({ type, id }: { type: string; id: string }) => `${type}:${id}`)
    }
    expect(await names()).toEqual(['App:a', 'tenant:c', 'tenant:b', 'tenant:a'])
    expect(await names('id=a')).toEqual(['App:a', 'tenant:a'])
    expect(await names('search=app')).toEqual(['App:a'])
    expect(await names('search=C')).toEqual(['tenant:c'])
    expect(await names('search=%25')).toEqual([])
    const { body: first } = await env.get('/v2/contexts?limit=3')
    expect(first.totalCount).toBe(4)
    expect(await names(`limit=3&after=${first.next}`)).toEqual(['tenant:a'])
  })

  test('the record of changes says who made, changed and deleted it', async () => {
    await env.post('/v2/contexts', { type: 'tenant', id: 'acme', data: { plan: 'gold' } })
    await env.patch(acme, { data: { plan: 'lead' } })
    await env.delete(acme)
    const { body } = await env.get('/v1/changes')
    const ours = body.data.filter((it: { subject: { type: string } }) => it.subject.type === 'context')
    expect(ours.map((it: { action: string; subject: { id: string } }) => [it.action, it.subject.id])).toEqual([
      ['contexts.delete', 'tenant:acme'],
      ['contexts.update', 'tenant:acme'],
      ['contexts.create', 'tenant:acme'],
    ])
    expect(ours[1].changes).toEqual([{ path: 'data.plan', before: 'gold', after: 'lead' }])
  })
})

describe('the context of an event', () => {
  test('named only by its id, it has the stored data; with data, that is stored and replaces what was there', async () => {
    await makeShown()
    await env.post('/v2/contexts', { type: 'tenant', id: 'acme', data: { plan: 'gold', seats: 5 } })
    const acmes = ['acme', { id: 'acme' }, { id: 'acme', data: { plan: 'lead' } }, 'acme']
    for (const tenant of acmes) {
      await trigger(env, { to: 'ada', context: { tenant } })
      await h.drain()
    }
    const lines = ['Plan gold of acme', 'Plan gold of acme', 'Plan lead of acme', 'Plan lead of acme']
    expect(await shown()).toEqual(lines)
    expect((await env.get(acme)).body.data).toEqual({ plan: 'lead' })
  })

  test('through the queue it is the same: the data as it is when the event is expanded', async () => {
    await makeShown()
    await env.post('/v2/topics', { key: 'all' })
    await env.post('/v2/contexts', { type: 'tenant', id: 'acme', data: { plan: 'gold' } })
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    await env.post('/v2/topics/all/subscriptions', { subscriptions: ['ada'] })
    await trigger(env, { to: { type: 'Topic', topicKey: 'all' }, context: { tenant: 'acme' } })
    expect(await shown()).toEqual(['Plan gold of acme'])
  })

  test('after a wait: what is stored then, and after a delete only its id', async () => {
    const wait = { name: 'Wait', type: 'delay', controlValues: { amount: 3, unit: 'seconds' } }
    await makeWorkflow(env, 'hello', { steps: [...steps, wait, ...steps] })
    await trigger(env, { to: 'ada', context: { tenant: { id: 'acme', data: { plan: 'gold' } }, app: 'crm' } })
    await trigger(env, { to: 'bob', context: { app: 'crm', tenant: 'acme' } })
    await h.drain()
    await env.patch(acme, { data: { plan: 'lead' } })
    await expect.poll(async () => (await shown()).length, { timeout: 15_000 }).toBe(4)
    const lines = await shown()
    // What an event itself said stays.
    expect(lines.toSorted()).toEqual(Array.from(lines, (_, n) => `Plan ${n < 3 ? 'gold' : 'lead'} of acme`))
    expect((await env.delete(acme)).status).toBe(204)
    const { body } = await env.get('/v1/notifications?contextKeys=app:crm&contextKeys=tenant:acme')
    expect(body.data.length).toBe(2)
    expect((await shown()).length).toBe(4)
  })

  test('is made once for a call of many events; the last data counts; a refused event makes none', async () => {
    await makeShown()
    const of = (data: unknown) => ({ name: 'hello', to: 'ada', context: { tenant: { id: 'acme', data } } })
    const events = [
      of({ plan: 'a' }),
      { name: 'hello', to: 'ada', context: { tenant: 'acme' } },
      of({ plan: 'b' }),
      { name: 'nope', to: 'ada', context: { tenant: 'refused' } },
      { name: 'hello', to: 'ada', context: { tenant: { id: 'large', data: { text: 'x'.repeat(65 * 1024) } } } },
      { name: 'hello', to: 'ada', context: { tenant: { id: 'odd', data: ['x'] } } },
    ]
    const { body: results } = await env.post('/v1/events/trigger/bulk', { events })
    const statuses = results.map((it: { status: string }) => it.status)
    expect(statuses).toEqual([...Array(3).fill('processed'), ...Array(3).fill('error')])
    expect(results[4].error[0]).toMatch(/64 KB/)
    const { body: list } = await env.get('/v2/contexts')
    expect(list.data.map((it: { id: string; data: unknown }) => [it.id, it.data])).toEqual([['acme', { plan: 'b' }]])
  })

  test('a repeated transactionId changes nothing; nor does what is tried by explain', async () => {
    await makeShown()
    const event = { to: 'ada', transactionId: 't', context: { tenant: { id: 'acme', data: { plan: 'gold' } } } }
    await trigger(env, event)
    await env.patch(acme, { data: { plan: 'lead' } })
    await trigger(env, event)
    expect((await env.get(acme)).body.data).toEqual({ plan: 'lead' })
    const tried = { name: 'hello', to: 'ada', context: { tenant: { id: 'tried', data: {} } } }
    expect((await env.post('/v1/events/explain', tried)).body.result.status).toBe('processed')
    expect((await env.get('/v2/contexts/tenant/tried')).status).toBe(404)
  })

  test('fifty calls at once with the same new contexts, in any order: each is made once, and all are accepted', async () => {
    await makeShown()
    const types = ['a', 'b', 'c', 'd', 'e']
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const names = n % 2 ? types : types.toReversed()
        const context = Object.fromEntries(names.map((type) => [type, { id: 'x', data: { n } }]))
        return env.post('/v1/events/trigger', { name: 'hello', to: `p${n % 7}`, context })
      }),
    )
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.status}`))).toEqual(new Set(['201 processed']))
    expect((await env.get('/v2/contexts')).body.totalCount).toBe(5)
    await h.drain()
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from notification where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(rows[0]?.n).toBe(50)
  })

  test('an event that names none asks nothing of the table', async () => {
    await makeShown()
    await sql`alter table context rename to context_away`.execute(h.admin)
    try {
      expect((await trigger(env, { to: 'ada' })).status).toBe('processed')
      await env.post('/v1/events/trigger/broadcast', { name: 'hello', payload: {} })
      expect(await shown()).toEqual(['Plan  of ', 'Plan  of '])
    } finally {
      await sql`alter table context_away rename to context`.execute(h.admin)
    }
  })
})

describe('the context of an inbox session', () => {
  const context = { tenant: { id: 'acme', data: { plan: 'gold' } } }

  test('is made without a proof, but what the browser says of it counts only with one', async () => {
    await openInbox(env, 'ada', { context })
    expect((await env.get(acme)).body.data).toEqual({})
    const contextHash = hashOf(env.key, canonicalJson(context))
    await openInbox(env, 'ada', { context, contextHash })
    expect((await env.get(acme)).body.data).toEqual({ plan: 'gold' })
    await openInbox(env, 'ada', { context: { tenant: 'acme' } })
    expect((await env.get(acme)).body.data).toEqual({ plan: 'gold' })
  })

  test('fifty sessions at once in a new one', async () => {
    const applicationIdentifier = await identifierOf(env)
    const open = (n: number) =>
      h.send('POST', '/v1/inbox/session', {
        key: null,
        body: { applicationIdentifier, subscriber: { subscriberId: `p${n % 5}` }, context: { b: 'x', a: 'x' } },
      })
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => open(n)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await env.get('/v2/contexts')).body.totalCount).toBe(2)
  })
})
