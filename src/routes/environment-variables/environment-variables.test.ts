import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'
import { addPerson } from '../../../test/people/people.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { makePlaces } from '../../../test/publishing/places.ts'

const h = useSharedHarness()
const path = '/v1/environment-variables'
const mask = '••••••••'
const inPlace = (_environmentId: string, value: string) => ({ _environmentId, value })

/** A key that reaches both environments, and one of Production alone. */
async function team() {
  const { env, dev, prod } = await makePlaces(h)
  const made = await prod.post('/v1/api-keys', { name: 'only here' })
  const headers = { authorization: `ApiKey ${made.body.key}` }
  const onlyProd = (method: string, to: string, body?: unknown) => env.send(method, to, { body, headers })
  return { env, dev: dev.id, prod: prod.id, onlyProd, inProd: prod }
}

const keysOf = (reply: Json) => reply.body.map(({ key }: Json) => key)

async function sealedOf(env: Client): Promise<(string | null)[]> {
  const { rows } = await sql<{ value: string | null }>`
    select value from environment_variable where environment_id = ${env.environmentId} order by id`.execute(h.admin)
  return rows.map(({ value }) => value)
}

describe('values of several environments', () => {
  test('are made at once, changed one by one, and each environment has its own', async () => {
    const { env, dev, prod } = await team()
    const made = await env.post(path, { key: 'BASE_URL', values: [inPlace(dev, 'd'), inPlace(prod, 'p')] })
    expect(made.status, made.text).toBe(200)
    expect(made.body).toEqual({
      _id: expect.any(String),
      _organizationId: env.organizationId,
      key: 'BASE_URL',
      type: 'string',
      isSecret: false,
      values: [inPlace(dev, 'd'), inPlace(prod, 'p')].toSorted((a, b) =>
        a._environmentId < b._environmentId ? -1 : 1,
      ),
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
    })
    const changed = await env.patch(`${path}/BASE_URL`, { values: [inPlace(prod, 'p2')] })
    expect(new Set(changed.body.values)).toEqual(new Set([inPlace(dev, 'd'), inPlace(prod, 'p2')]))
    expect((await env.get(`${path}/BASE_URL`)).body).toEqual(changed.body)
    expect((await env.post(path, { key: 'BASE_URL' })).body.code).toBe('variable_exists')
  })

  test('without one it is known, and empty; a later one makes the value', async () => {
    const { env, dev, prod } = await team()
    expect((await env.post(path, { key: 'LATER' })).body.values).toEqual([])
    expect((await env.patch(`${path}/LATER`, { values: [inPlace(prod, 'p')] })).body.values).toEqual([
      inPlace(prod, 'p'),
    ])
    expect((await env.patch(`${path}/LATER`, { values: [inPlace(dev, '')] })).body.values).toHaveLength(2)
  })

  test('a key of one environment sees and changes its own value alone', async () => {
    const { env, dev, prod, onlyProd } = await team()
    await env.post(path, { key: 'SHARED', values: [inPlace(dev, 'd'), inPlace(prod, 'p')] })
    await env.post(path, { key: 'DEV_ONLY', values: [inPlace(dev, 'd')] })
    expect((await onlyProd('GET', path)).body).toMatchObject([{ key: 'SHARED', values: [inPlace(prod, 'p')] }])
    expect((await onlyProd('GET', `${path}/DEV_ONLY`)).body.code).toBe('variable_not_found')
    const hijack = await onlyProd('PATCH', `${path}/SHARED`, { values: [inPlace(dev, 'mine')] })
    expect([hijack.status, hijack.body.code]).toEqual([403, 'environment_out_of_reach'])
    expect((await onlyProd('POST', path, { key: 'NEW', values: [inPlace(dev, 'mine')] })).status).toBe(403)
    expect((await onlyProd('PATCH', `${path}/SHARED`, { values: [inPlace(prod, 'p2')] })).status).toBe(200)
    expect((await onlyProd('DELETE', `${path}/SHARED`)).status).toBe(204)
    expect((await env.get(`${path}/SHARED`)).body.values).toEqual([inPlace(dev, 'd')])
  })

  test('an environment of another organization, a deleted one and one that is not there', async () => {
    const { env, prod } = await team()
    const other = await h.environment()
    await env.delete(`/v1/environments/${prod}`)
    for (const place of [other.environmentId, prod, 'nope']) {
      const refused = await env.post(path, { key: 'A', values: [inPlace(place, 'x')] })
      expect([refused.status, refused.body.code], place).toEqual([404, 'environment_not_found'])
    }
    expect(await sealedOf(other)).toEqual([])
  })

  test('is renamed and deleted everywhere', async () => {
    const { env, dev, prod } = await team()
    await env.post(path, { key: 'OLD', values: [inPlace(dev, 'd'), inPlace(prod, 'p')] })
    await env.post(path, { key: 'TAKEN' })
    expect((await env.patch(`${path}/OLD`, { key: 'TAKEN' })).body.code).toBe('variable_exists')
    expect((await env.patch(`${path}/OLD`, { key: 'NEW' })).body).toMatchObject({ key: 'NEW', values: [{}, {}] })
    expect(keysOf(await env.get(path))).toEqual(['NEW', 'TAKEN'])
    expect(keysOf(await env.get(`${path}?search=ne`))).toEqual(['NEW'])
    expect((await env.delete(`${path}/NEW`)).status).toBe(204)
    expect((await env.delete(`${path}/NEW`)).status).toBe(404)
  })

  test('who may change only some of them changes those, and renames nothing', async () => {
    const { env, dev, prod } = await team()
    await env.post(path, { key: 'A', values: [inPlace(dev, 'd'), inPlace(prod, 'p')] })
    const roles = { role: 'viewer', environments: { [dev]: 'admin' } } as const
    const { headers } = await addPerson(h, env.organizationId, roles)
    const ask = (method: string, to: string, body?: unknown) =>
      h.send(method, to, { body, key: null, headers: { ...headers, 'tidings-environment': dev } })
    expect((await ask('PATCH', `${path}/A`, { values: [inPlace(dev, 'd2')] })).status).toBe(200)
    expect((await ask('PATCH', `${path}/A`, { values: [inPlace(prod, 'p2')] })).body.code).toBe('not_permitted')
    expect((await ask('PATCH', `${path}/A`, { key: 'B' })).body.code).toBe('not_permitted')
    expect((await ask('DELETE', `${path}/A`)).body.code).toBe('not_permitted')
    const values = new Set([inPlace(dev, 'd2'), inPlace(prod, 'p')])
    expect(new Set((await env.get(`${path}/A`)).body.values)).toEqual(values)
  })

  test('thirty changes at once: one variable, the last of each environment, no 5xx', async () => {
    const { env, dev, prod } = await team()
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) => env.post(path, { key: 'A', values: [inPlace(n % 2 ? dev : prod, `${n}`)] })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(29).fill(409)])
    const patches = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        env.patch(`${path}/A`, { values: [inPlace(dev, `d${n}`), inPlace(prod, `p${n}`)] }),
      ),
    )
    expect(new Set(patches.map(({ status }) => status))).toEqual(new Set([200]))
    const { body } = await env.get(`${path}/A`)
    expect(body.values).toHaveLength(2)
  })

  test('an environment has two hundred', async () => {
    const { env, dev, prod } = await team()
    await sql`insert into environment_variable (environment_id, id, key, is_secret, updated_at)
      select ${dev}, gen_random_uuid(), 'K' || n, false, now() from generate_series(1, 200) n`.execute(h.admin)
    const refused = await env.post(path, { key: 'MORE', values: [inPlace(prod, 'p'), inPlace(dev, 'd')] })
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_variables'])
    expect((await env.get(`${path}/MORE`)).status).toBe(404)
    expect((await env.post(path, { key: 'MORE', values: [inPlace(prod, 'p')] })).status).toBe(200)
  })
})

describe('secrets', () => {
  test('every value is sealed in the database, and bound to its row; a secret is never told back', async () => {
    const { env, dev } = await team()
    const secret = { key: 'TOKEN', isSecret: true, values: [inPlace(dev, 'very-hidden-1')] }
    const replies = [
      await env.post(path, secret, { 'idempotency-key': 'k' }),
      await env.post(path, secret, { 'idempotency-key': 'k' }),
      await env.patch(`${path}/TOKEN`, { values: [inPlace(dev, 'very-hidden-2')] }),
      await env.get(`${path}/TOKEN`),
      await env.get(path),
      await env.get('/v1/changes'),
    ]
    for (const reply of replies) {
      expect(reply.status).toBe(200)
      expect(reply.text).not.toContain('very-hidden')
    }
    expect(replies[3]?.body.values).toEqual([inPlace(dev, mask)])
    await env.post(path, { key: 'OPEN', values: [inPlace(dev, 'in-the-open')] })
    for (const sealed of await sealedOf(env)) expect(sealed).toMatch(/^sealed\./)
  })

  test('a secret stays one; what was open can become one', async () => {
    const { env, dev } = await team()
    await env.post(path, { key: 'A', values: [inPlace(dev, 'open')] })
    expect((await env.patch(`${path}/A`, { isSecret: true })).body.values).toEqual([inPlace(dev, mask)])
    const opened = await env.patch(`${path}/A`, { isSecret: false, values: [inPlace(dev, 'other')] })
    expect([opened.status, Object.keys(opened.body.errors)]).toEqual([422, ['isSecret']])
    const masked = await env.patch(`${path}/A`, { values: [inPlace(dev, mask)] })
    expect([masked.status, Object.keys(masked.body.errors)]).toEqual([422, ['values.0.value']])
  })

  test('what becomes a secret becomes one everywhere, also where it was open while it was a secret elsewhere', async () => {
    const { env, dev, prod } = await team()
    await env.post(path, { key: 'A', values: [inPlace(dev, 'd'), inPlace(prod, 'very-open')] })
    // As if the two had been made by callers that could not see each other.
    await sql`update environment_variable set is_secret = true where environment_id = ${dev}`.execute(h.admin)
    expect((await env.patch(`${path}/A`, { isSecret: true })).status).toBe(200)
    const { rows } = await sql<{ is_secret: boolean }>`
      select is_secret from environment_variable where environment_id in (${dev}, ${prod})`.execute(h.admin)
    expect(rows).toEqual([{ is_secret: true }, { is_secret: true }])
  })

  test('the record of changes has who, where and what; of a secret only that it is another one', async () => {
    const { env, dev, prod } = await team()
    await env.post(path, { key: 'A', values: [inPlace(dev, 'd'), inPlace(prod, 'p')] })
    await env.patch(`${path}/A`, { values: [inPlace(dev, 'd2')] })
    await env.patch(`${path}/A`, { isSecret: true, values: [inPlace(dev, 'hidden')] })
    await env.delete(`${path}/A`)
    const { body } = await env.get('/v1/changes?of=organization&limit=100')
    const ours = body.data.filter((it: Json) => it.subject.type === 'environment-variable')
    expect(ours.map((it: Json) => it.action)).toEqual([
      ...Array(2).fill('environment-variables.delete'),
      ...Array(3).fill('environment-variables.update'),
      ...Array(2).fill('environment-variables.create'),
    ])
    expect(ours[4].changes).toEqual([{ path: 'value', before: 'd', after: 'd2' }])
    expect(JSON.stringify(ours)).not.toContain('hidden')
  })
})

test('usage: the workflows of the environment that ask for it, in any way', async () => {
  const env = await h.environment()
  for (const key of ['URL', 'URLS']) await env.post(path, { key })
  const body = (text: string) => ({ steps: [{ name: 'Bell', type: 'in_app', controlValues: { body: text } }] })
  await makeWorkflow(env, 'dot', body('{{env.URL}}'))
  await makeWorkflow(env, 'bracket', body('{% assign a = env["URL"] %}{{a}}'))
  await makeWorkflow(env, 'lines', body('{{\n\u000benv\n.\tURL}}'))
  await makeWorkflow(env, 'other', body('{{env.URLS}} {{payload.env.URL}} {{myenv.URL}} URL'))
  const { body: used } = await env.get(`${path}/URL/usage`)
  expect(used.workflows.map((it: Json) => it.workflowId)).toEqual(['bracket', 'dot', 'lines'])
  expect((await env.get(`${path}/URLS/usage`)).body.workflows).toEqual([{ name: 'other', workflowId: 'other' }])
  expect((await env.get(`${path}/NOPE/usage`)).body.code).toBe('variable_not_found')
})

test('the diff says which workflows ask for a variable that has no value in the target', async () => {
  const { env, dev, prod, diff } = await makePlaces(h)
  await env.post(path, { key: 'BASE_URL', values: [inPlace(dev.id, 'd')] })
  await env.post(path, { key: 'BOTH', values: [inPlace(dev.id, 'd'), inPlace(prod.id, 'p')] })
  const body = '{{env.BASE_URL}} {{ env["BOTH"] }} {{env.UNKNOWN}}'
  await makeWorkflow(env, 'asks', { steps: [{ name: 'Bell', type: 'in_app', controlValues: { body } }] })
  await makeWorkflow(env, 'plain')
  const warnings = async () => {
    const { body } = await diff()
    return Object.fromEntries(body.resources.map((it: Json) => [it.resourceId, it.warnings]))
  }
  expect(await warnings()).toEqual({ asks: ['the variable env.BASE_URL has no value in the target'], plain: [] })
  await env.patch(`${path}/BASE_URL`, { values: [inPlace(prod.id, 'p')] })
  expect(await warnings()).toEqual({ asks: [], plain: [] })
})
