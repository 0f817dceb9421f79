import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'
import { uuid7 } from '../../lib/uuid7.ts'

const h = useSharedHarness()

const withBody = (body: string) => ({
  name: 'Hello',
  steps: [{ name: 'Inbox', stepId: 'inbox', type: 'in_app', controlValues: { body } }],
})

async function versions(env: Client, query = ''): Promise<Json> {
  const reply = await env.get(`/v2/workflows/hello/versions${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

async function makeVersions(env: Client, bodies: readonly string[]): Promise<void> {
  const [first = '', ...more] = bodies
  expect((await env.post('/v2/workflows', { workflowId: 'hello', ...withBody(first) })).status).toBe(201)
  for (const body of more) expect((await env.put('/v2/workflows/hello', withBody(body))).status).toBe(200)
}

test('every version is there, newest first, with who made it and when', async () => {
  const env = await h.environment()
  await makeVersions(env, ['one', 'two', 'two', 'three'])
  const { data, hasMore } = await versions(env)
  expect(hasMore).toBe(false)
  // A save that changes nothing makes no version.
  expect(data.map((it: Json) => [it.version, it.current])).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ])
  expect(data.map((it: Json) => it.workflow.steps[0].controlValues.body)).toEqual(['three', 'two', 'one'])
  for (const { createdAt, createdBy } of data) {
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000)
    expect(createdBy).toEqual({ id: expect.any(String), name: 'test', type: 'key' })
  }
  expect(data[0].workflow).toEqual((await env.get('/v2/workflows/hello')).body)
})

test('an old version sent back as it was read is its content again, as a new version', async () => {
  const env = await h.environment()
  await makeVersions(env, ['one', 'two'])
  const old = (await versions(env)).data[1].workflow
  expect((await env.put('/v2/workflows/hello', old)).status).toBe(200)
  const { data } = await versions(env)
  expect(data[0]).toMatchObject({ version: 3, current: true })
  expect(data[0].workflow.steps).toEqual(old.steps)
})

test('a page at a time', async () => {
  const env = await h.environment()
  await makeVersions(env, ['one', 'two', 'three'])
  const first = await versions(env, '?limit=2')
  expect(first).toMatchObject({ hasMore: true, data: [{ version: 3 }, { version: 2 }] })
  expect(await versions(env, '?limit=2&before=2')).toMatchObject({ hasMore: false, data: [{ version: 1 }] })
  expect((await env.get('/v2/workflows/hello/versions?limit=0')).status).toBe(422)
})

test('who saved it has a name, also when it was no key', async () => {
  const env = await h.environment()
  await makeVersions(env, ['one', 'two', 'three'])
  const session = uuid7(new Date())
  const sign = (version: number, id: string) =>
    sql`update workflow_version set created_by = ${id}
      where environment_id = ${env.environmentId} and version = ${version}`.execute(h.admin)
  await sign(2, session)
  await sign(3, env.environmentId)
  expect((await versions(env)).data.map((it: Json) => it.createdBy.name)).toEqual([
    'the command line',
    'the dashboard',
    'test',
  ])
})
