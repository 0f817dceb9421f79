import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow } from '../../../test/pipeline.ts'
import { operations } from '../../core/access/operations.ts'
import { permissions } from '../../core/access/permissions.ts'
import { issueApiKey } from '../../core/operations/bootstrap.ts'
import { scopes } from '../../store/access/grants.ts'
import { aliases, withOlder } from './aliases.ts'
import { type Alias, toRoute } from './define-alias.ts'

const h = useHarness({ VENDOR_NAMES: 'novu' })

/** A body that each of them takes. */
const bodies: Record<string, unknown> = {
  'POST /v1/subscribers': { subscriberId: 'eve' },
  'PUT /v1/subscribers/{subscriberId}': { firstName: 'A' },
  'PATCH /v1/subscribers/{subscriberId}/online-status': { online: true },
  'POST /v1/subscribers/{subscriberId}/messages/markAs': { messageId: 'm', mark: { read: true } },
  'PATCH /v1/subscribers/{subscriberId}/preferences': { enabled: true },
  'PATCH /v1/subscribers/{subscriberId}/preferences/{workflowId}': { enabled: false },
  'POST /v1/topics': { key: 'other', name: 'Other' },
  'PATCH /v1/topics/{topicKey}': { name: 'N' },
  'POST /v1/topics/{topicKey}/subscribers': { subscribers: ['ada'] },
  'POST /v1/topics/{topicKey}/subscribers/removal': { subscribers: ['ada'] },
  'POST /v1/environments': { name: 'Staging' },
}

async function arrange(): Promise<Client> {
  const env = await h.environment()
  await sql`update api_key set reach = 'organization' where environment_id = ${env.environmentId}`.execute(h.admin)
  await makeSubscribers(env, ['ada'])
  await makeWorkflow(env)
  await env.post('/v2/topics', { key: 'news', name: 'News' })
  return env
}

function call({ method, path }: Alias, env: Client, { body, headers, key }: Sent = {}) {
  const names: Record<string, string> = { subscriberId: 'ada', topicKey: 'news', level: 'global', workflowId: 'hello' }
  const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '')
  const sent = body === undefined ? bodies[`${method} ${path}`] : body
  return h.send(method, at, { key: key === undefined ? env.key : key, headers: headers ?? {}, body: sent })
}
type Sent = { body?: unknown; headers?: Record<string, string>; key?: string | null }

describe.each(aliases.map((alias) => ({ alias, name: `${alias.method} ${alias.path}` })))('$name', ({ alias }) => {
  test('answers its key, and nobody else', async () => {
    const env = await arrange()
    const done = await call(alias, env)
    expect(done.status, done.text).toBe(toRoute(alias, h.routes).status)
    expect((await call(alias, env, { key: null })).status).toBe(401)
    const stranger = await h.environment()
    if (!alias.path.includes('{')) return
    const there = await call(alias, stranger)
    // A topic is made with its first member, and there is nobody to be one.
    const isNobody = there.text === '{"data":{"succeeded":[],"failed":{"notFound":["ada"]}}}'
    expect(there.status === 404 || isNobody, there.text).toBe(true)
  })

  test('each scope may call it as it may call the route it leads to', async () => {
    const env = await arrange()
    const { environmentId } = env
    const by: readonly string[] = permissions[operations[alias.to] ?? 'read'].by
    for (const scope of scopes) {
      const made = { environmentId, name: scope, cell: 'c1', now: new Date(), scope, reach: 'organization' } as const
      const key = await issueApiKey(h.admin, made)
      // Judged after who may call it, and before anything is done.
      const { body } = await call(alias, env, { key, headers: { 'idempotency-key': ' ' } })
      expect([scope, body.code === 'not_permitted']).toEqual([scope, !by.includes(scope)])
    }
  })

  test('no input is a fault of ours', async () => {
    const env = await arrange()
    const wrong = [
      null,
      [],
      'x',
      7,
      true,
      {},
      { subscribers: 'ada' },
      { subscribers: [{}] },
      { mark: 1, messageId: {} },
    ]
    const more = [
      { channel: { type: 'fax', enabled: 1 } },
      { preferences: {} },
      { channels: [{}] },
      { name: 1, key: [] },
    ]
    if (alias.method === 'GET' || alias.method === 'DELETE') return
    for (const body of [...wrong, ...more]) {
      const { status } = await call(alias, env, { body })
      expect([JSON.stringify(body), status < 500]).toEqual([JSON.stringify(body), true])
    }
  })
})

test('pages: bounds are those of every list, and one past the end is empty', async () => {
  const env = await arrange()
  const get = (path: string) => h.send('GET', path, { key: env.key })
  for (const path of [
    '/v1/subscribers?limit=0',
    '/v1/subscribers?limit=101',
    '/v1/topics?pageSize=x',
    '/v1/topics?page=-1',
  ]) {
    expect((await get(path)).status).toBe(422)
  }
  const past = '9'.repeat(30)
  expect((await get(`/v1/subscribers?page=${past}`)).body).toMatchObject({ data: [], hasMore: false })
  expect((await get(`/v1/topics?page=${past}`)).body).toMatchObject({ data: [], totalCount: 1 })
  expect((await get('/v1/topics?key=ne')).body).toMatchObject({ data: [], totalCount: 0 })
})

test('an idempotency key holds at an older address too', async () => {
  const env = await arrange()
  const send = () =>
    h.send('POST', '/v1/topics', { key: env.key, body: { key: 'a', name: 'A' }, headers: { 'idempotency-key': 'k' } })
  const [first, second] = [await send(), await send()]
  expect(first.status).toBe(201)
  expect(second.text).toBe(first.text)
  expect(second.headers.get('idempotency-replay')).toBe('true')
})

test('what is recorded is recorded as of the route it leads to', async () => {
  const env = await arrange()
  const { body } = await h.send('POST', '/v1/environments', { key: env.key, body: { name: 'Staging' } })
  const { rows } = await sql<{ action: string; subject_id: string }>`
    select action, subject_id from change_record where organization_id = ${env.organizationId}`.execute(h.admin)
  expect(rows).toContainEqual({ action: 'environments.create', subject_id: body.data._id })
})

test('channels of a new subscriber are refused, not dropped in silence', async () => {
  const env = await arrange()
  const channels = [{ providerId: 'slack', credentials: { webhookUrl: 'https://example.com' } }]
  const made = await h.send('POST', '/v1/subscribers', { key: env.key, body: { subscriberId: 'bob', channels } })
  expect(made).toMatchObject({ status: 422, body: { errors: { channels: expect.anything() } } })
  const none = { subscriberId: 'bob', channels: [], data: null, email: null }
  expect((await h.send('POST', '/v1/subscribers', { key: env.key, body: none })).status).toBe(201)
})

test('more members than a call of today takes', async () => {
  const env = await arrange()
  const ids = Array.from({ length: 350 }, (_, n) => `p${n}`)
  await makeSubscribers(env, ids)
  const send = (path: string, subscribers: string[]) => h.send('POST', path, { key: env.key, body: { subscribers } })
  const added = await send('/v1/topics/many/subscribers', [...ids, 'nobody'])
  expect(added.body.data).toEqual({ succeeded: ids, failed: { notFound: ['nobody'] } })
  expect((await send('/v1/topics/many/subscribers/removal', ids)).status).toBe(204)
  expect((await h.send('GET', '/v1/topics/many', { key: env.key })).body.data.subscribers).toEqual([])
})

test('an address that leads nowhere stops the start', () => {
  const alias = { method: 'GET', path: '/v1/x', to: 'nowhere' } as const
  expect(() => toRoute(alias, h.routes)).toThrow('/v1/x leads to nowhere')
  expect(() => toRoute({ ...alias, to: 'integrations-create' }, h.routes)).toThrow('cannot lead to integrations-create')
  expect(() => toRoute({ ...alias, to: 'inbox-session' }, h.routes)).toThrow('no route that is called with a key')
})

test('no two are at one address', () => {
  const all = withOlder(h.routes).map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(all.filter((address, index) => all.indexOf(address) !== index)).toEqual([])
})

test('a body that says nothing the route of today knows is refused as there, and changes nothing', async () => {
  const env = await arrange()
  await env.patch('/v1/subscribers/ada/online-status', { isOnline: true })
  const online = await env.patch('/v1/subscribers/ada/online-status', { is_online: false })
  expect([online.status, Object.keys(online.body.errors)]).toEqual([422, ['isOnline']])
  expect((await env.get('/v2/subscribers/ada')).body.isOnline).toBe(true)
  const marked = await env.post('/v1/subscribers/ada/messages/markAs', { messageId: 'm', mark: { reed: true } })
  expect([marked.status, Object.keys(marked.body.errors)]).toEqual([422, ['mark']])
})
