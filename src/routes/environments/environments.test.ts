import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, type Json, sender, useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { makeSignInLink } from '../../core/operations/sign-in.ts'
import { loadTasks } from '../../engine/load-tasks.ts'

const h = useHarness({}, { worker: true })
const path = '/v1/environments'
const color = '#2563eb'
const ofDashboard = { 'x-tidings-session': '1' }

/** Its key reaches all of its organization. */
async function owner(): Promise<Client> {
  const env = await h.environment()
  await sql`update api_key set reach = 'organization' where environment_id = ${env.environmentId}`.execute(h.admin)
  return env
}

async function make(env: Client, name = 'Staging'): Promise<Json> {
  const made = await env.post(path, { name, color })
  expect(made.status, made.text).toBe(201)
  return made.body
}

const inside = (it: { _id: string }) => ({ 'tidings-environment': it._id })

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isTrue()); await sleep(50)) {
    expect(performance.now() - begun).toBeLessThan(5_000)
  }
}

describe('a team makes environments', () => {
  test('with a name, a colour and an address that stays; published to from the first', async () => {
    const env = await owner()
    const made = await make(env, 'Łódź Staging')
    expect(made).toEqual({
      _id: expect.any(String),
      _organizationId: env.organizationId,
      name: 'Łódź Staging',
      identifier: expect.stringMatching(/^te_/),
      slug: 'odz-staging',
      type: 'prod',
      _parentId: env.environmentId,
      color,
      protected: false,
      isElsewhere: false,
      createdAt: expect.any(String),
    })
    const renamed = await env.put(`${path}/${made._id}`, { name: 'Abroad', color: '#000000' })
    expect(renamed.body).toEqual({ ...made, name: 'Abroad', color: '#000000' })
    expect((await env.get(path)).body.map((it: Json) => it.name)).toEqual(['test', 'Abroad'])
  })

  test('a name is taken whatever its case; the address of a second of its kind is another', async () => {
    const env = await owner()
    await make(env, 'Staging')
    expect((await env.post(path, { name: ' staging ', color })).body.code).toBe('environment_name_taken')
    expect((await make(env, 'Staging!')).slug).toBe('staging-2')
  })

  test('ten at once of one name: one is made', async () => {
    const env = await owner()
    const replies = await Promise.all(Array.from({ length: 10 }, () => env.post(path, { name: 'Once', color })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
  })

  test('the parent must be one of the organization', async () => {
    const [env, stranger] = [await owner(), await owner()]
    const of = (parentId: string) => env.post(path, { name: 'Child', color, parentId })
    for (const id of [stranger.environmentId, 'nobody', '']) {
      expect(await of(id), id).toMatchObject({ status: 422, body: { errors: { parentId: expect.anything() } } })
    }
    expect((await of((await make(env))._id)).status).toBe(201)
  })
})

describe('who reaches the organization goes from one environment to another', () => {
  test('by id, address or public identifier, and what it does there stays there', async () => {
    const env = await owner()
    const made = await make(env)
    for (const name of [made._id, made.slug, made.identifier]) {
      const key = `by-${name}`
      expect((await env.post('/v2/topics', { key }, { 'tidings-environment': name })).status).toBe(200)
      expect((await env.get(`/v2/topics/${key}`)).status).toBe(404)
      expect((await env.get(`/v2/topics/${key}`, undefined, inside(made))).status).toBe(200)
    }
  })

  test('nobody gets into another organization, nor out of a key of one environment', async () => {
    const [env, stranger] = [await owner(), await owner()]
    const [made, foreign] = [await make(env), await make(stranger)]
    for (const name of [stranger.environmentId, foreign._id, foreign.identifier, 'nobody', made._id.toUpperCase()]) {
      const reply = await env.get('/v2/topics', undefined, { 'tidings-environment': name })
      expect(reply, name).toMatchObject({ status: 404, body: { code: 'environment_not_found' } })
    }
    const plain = await h.environment({ organizationId: env.organizationId })
    for (const name of [env.environmentId, made._id, foreign._id, 'nobody']) {
      const reply = await plain.get('/v2/topics', undefined, { 'tidings-environment': name })
      expect(reply, name).toMatchObject({ status: 403, body: { code: 'environment_out_of_reach' } })
    }
    expect((await plain.get(path)).body.map((it: Json) => it._id)).toEqual([plain.environmentId])
    const itself = { 'tidings-environment': plain.environmentId }
    expect((await plain.get('/v2/topics', undefined, itself)).status).toBe(200)
    for (const [method, to, body] of [
      ['POST', path, { name: 'Mine', color }],
      ['PUT', `${path}/${env.environmentId}`, { name: 'Mine' }],
      ['PUT', `${path}/${plain.environmentId}`, { protected: false }],
      ['DELETE', `${path}/${made._id}`, undefined],
      ['POST', `${path}/${made._id}/restore`, {}],
      ['GET', `/v2/environments/${made._id}/tags`, undefined],
    ] as const) {
      expect((await plain.send(method, to, { body })).body.code, to).toBe('environment_out_of_reach')
    }
  })

  test('a session of a link goes anywhere; one of a key of one environment stays there', async () => {
    const env = await owner()
    const made = await make(env)
    const signIn = async (body: object) => {
      const reply = await h.send('POST', '/session', { body, headers: ofDashboard })
      return reply.headers.get('set-cookie')?.split(';')[0] ?? ''
    }
    const cookie = await signIn({ link: await makeSignInLink(h.ctx, env.environmentId) })
    const there = await h.send('GET', '/session', { key: null, headers: { cookie, ...inside(made) } })
    expect(there.body).toMatchObject({ environment: { id: made._id, slug: 'staging' }, reach: 'organization' })
    expect(there.body.environments.map((it: Json) => it.name)).toEqual(['test', 'Staging'])
    const headers = { cookie, ...inside(made), ...ofDashboard }
    await h.send('POST', '/v2/topics', { key: null, body: { key: 'a' }, headers })
    expect((await env.get('/v2/topics/a', undefined, inside(made))).status).toBe(200)
    const stream = await fetch(`${h.url}/v1/activity/stream?environment=${made.slug}`, { headers: { cookie } })
    expect(stream.status).toBe(200)
    await stream.body?.cancel()

    const plain = await h.environment({ organizationId: env.organizationId })
    const held = await signIn({ key: plain.key })
    const refused = await h.send('GET', '/session', { key: null, headers: { cookie: held, ...inside(made) } })
    expect(refused.body.code).toBe('environment_out_of_reach')
  })

  test('idempotency keys are those of the environment that is named', async () => {
    const env = await owner()
    const made = await make(env)
    const once = { 'idempotency-key': 'k' }
    await env.post('/v2/topics', { key: 'a' }, once)
    const there = await env.post('/v2/topics', { key: 'a' }, { ...once, ...inside(made) })
    expect(there.headers.get('idempotency-replay')).toBeNull()
    expect((await env.get('/v2/topics/a', undefined, inside(made))).status).toBe(200)
  })
})

describe('a protected environment', () => {
  test('refuses every route that changes content, and nothing else; a workflow can be stopped', async () => {
    const env = await owner()
    await makeWorkflow(env)
    await env.post('/v2/layouts', { layoutId: 'l', name: 'L' })
    expect((await env.put(`${path}/${env.environmentId}`, { protected: true })).body.protected).toBe(true)
    const ofContent = h.routes.filter(
      ({ kind, method, path: at }) =>
        kind === 'key' && method !== 'GET' && /^\/v2\/(workflows|layouts|translations)/.test(at),
    )
    // They look, or write nothing that is sent to anybody.
    const harmless = /(preview|preview-send|compile-blocks|step-preview|usage|sync)$/
    for (const route of ofContent) {
      expect('changesContent' in route && route.changesContent !== undefined, route.name).toBe(
        !harmless.test(route.name),
      )
    }
    for (const [method, to, body] of [
      ['POST', '/v2/workflows', { workflowId: 'w', name: 'W', steps: [] }],
      ['PUT', '/v2/workflows/hello', { name: 'W', steps: [] }],
      ['PATCH', '/v2/workflows/hello', { name: 'W' }],
      ['PATCH', '/v2/workflows/hello', { active: false, name: 'W' }],
      ['DELETE', '/v2/workflows/hello', undefined],
      ['POST', '/v2/layouts', { layoutId: 'm', name: 'M' }],
      ['DELETE', '/v2/layouts/l', undefined],
      ['PATCH', '/v1/environment', { defaultLocale: 'de_AT' }],
    ] as const) {
      const reply = await env.send(method, to, { body })
      expect(reply, `${method} ${to}`).toMatchObject({ status: 403, body: { code: 'environment_protected' } })
    }
    expect((await env.patch('/v2/workflows/hello', { active: false })).status).toBe(200)
    expect((await env.post('/v2/topics', { key: 'a' })).status).toBe(200)
    await env.put(`${path}/${env.environmentId}`, { protected: false })
    expect((await env.delete('/v2/workflows/hello')).status).toBe(204)
  })
})

describe('a deleted environment', () => {
  test('its keys stop on every node within 5 seconds; restored, they work and what waited goes on', async () => {
    const env = await owner()
    const elsewhere = sender((await h.node()).url)
    const other = await h.environment({ organizationId: env.organizationId })
    const wait = { name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 2, unit: 'seconds' } }
    const steps = [wait, { name: 'Inbox', type: 'in_app', controlValues: { subject: 'S', body: 'B' } }]
    await makeWorkflow(other, 'later', { steps })
    await makeSubscribers(other, ['ann'])
    await trigger(other, { name: 'later', to: 'ann' })
    await h.drain()
    const gone = await env.delete(`${path}/${other.environmentId}`)
    expect(gone, gone.text).toMatchObject({ status: 200, body: { deletedAt: expect.any(String) } })
    const days = (Date.parse(gone.body.purgedAfter) - Date.parse(gone.body.deletedAt)) / 86_400_000
    expect(days).toBeCloseTo(7)
    expect((await env.delete(`${path}/${other.environmentId}`)).status).toBe(404)
    const status = async (send: typeof h.send) => (await send('GET', '/v2/topics', { key: other.key })).status
    await until(async () => (await status(h.send)) === 401 && (await status(elsewhere)) === 401)
    const reply = await env.get('/v2/topics', undefined, { 'tidings-environment': other.environmentId })
    expect(reply.status).toBe(404)
    await sleep(2_500)
    const count = async () => {
      const { rows } = await sql`select 1 from message where environment_id = ${other.environmentId}`.execute(h.admin)
      return rows.length
    }
    expect(await count()).toBe(0)

    const back = await env.post(`${path}/${other.environmentId}/restore`)
    expect(back.body).not.toHaveProperty('deletedAt')
    expect((await env.post(`${path}/${other.environmentId}/restore`)).body.code).toBe('environment_not_deleted')
    await until(async () => (await status(elsewhere)) === 200)
    await until(async () => (await count()) === 1)
  })

  test('after its time it is gone with all it holds, and cannot be restored', async () => {
    const env = await owner()
    const made = await make(env)
    await env.post('/v2/topics', { key: 'a' }, inside(made))
    await env.delete(`${path}/${made._id}`)
    await sql`update environment set purged_after = now() where id = ${made._id}`.execute(h.admin)
    expect((await env.post(`${path}/${made._id}/restore`)).body.code).toBe('environment_not_deleted')
    const { loops } = await loadTasks()
    const purge = loops.find(({ name }) => name === 'purge-environments')
    while (((await purge?.run(h.ctx)) ?? 0) > 0);
    const { rows } = await sql`select 1 from topic where environment_id = ${made._id}
      union all select 1 from environment where id = ${made._id}`.execute(h.admin)
    expect(rows).toEqual([])
    expect((await env.get(path)).body.map((it: Json) => it._id)).toEqual([env.environmentId])
  })

  test('not the one that one is in', async () => {
    const env = await owner()
    await make(env)
    expect((await env.delete(`${path}/${env.environmentId}`)).body.code).toBe('environment_in_use')
    // Gone elsewhere, the key would end with it all the same, and nobody could restore it.
    const made = await make(env, 'Elsewhere')
    const away = await env.delete(`${path}/${env.environmentId}`, undefined, inside(made))
    expect(away.body.code).toBe('environment_in_use')
  })
})
