import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, type Json, underRowLevelSecurity, useHarness } from '../../../test/harness.ts'
import { apiKeyId } from '../../lib/api-key.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { insertEnvironment } from '../../store/access/environments.ts'
import purge from '../../tasks/purge-change-record.ts'

const h = useHarness({}, { worker: true })
const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }]

async function record(env: Client, query = ''): Promise<Json[]> {
  const reply = await env.get(`/v1/changes?limit=100${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}

/** Its key reaches the organization. */
async function owner(): Promise<Client> {
  const env = await h.environment()
  await sql`update api_key set reach = 'organization' where environment_id = ${env.environmentId}`.execute(h.admin)
  return env
}

describe('the record says', () => {
  test('nothing of what was only tried', async () => {
    const env = await owner()
    const target = (await env.post('/v1/environments', { name: 'Target', color: '#000000' })).body
    await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps })
    const there = async () => record(env, `&of=organization&action=environments.publish`)
    const to = `/v2/environments/${target._id}/publish`
    const body = { sourceEnvironmentId: env.environmentId }
    expect((await env.post(to, { ...body, dryRun: true })).status).toBe(200)
    expect(await there()).toEqual([])
    expect((await env.post(to, body)).body.publicationId).toBeTruthy()
    expect(await there()).toMatchObject([{ subject: { type: 'publication' } }])
  })

  test('who made a workflow, from where, and what each change of it changed', async () => {
    const env = await h.environment()
    const made = (await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps })).body
    const changed = [{ ...made.steps[0], controlValues: { body: 'Good day' } }]
    await env.put('/v2/workflows/w', { name: 'W', steps: changed }, { 'user-agent': 'a browser' })
    await env.patch('/v2/workflows/w', { active: false })
    await env.delete('/v2/workflows/w')
    const rows = await record(env)
    expect(rows.map((it) => it.action)).toEqual([
      'workflows.delete',
      'workflows.patch',
      'workflows.replace',
      'workflows.create',
    ])
    for (const row of rows) {
      expect(row).toMatchObject({
        environmentId: env.environmentId,
        actor: { type: 'key', id: apiKeyId(env.key), name: 'test' },
        subject: { type: 'workflow', id: made._id, name: 'w' },
        address: '127.0.0.1',
        requestId: expect.any(String),
      })
    }
    expect(rows[1].changes).toEqual([{ path: 'active', before: true, after: false }])
    const path = `steps.${made.steps[0].stepId}.controlValues.body`
    expect(rows[2]).toMatchObject({ agent: 'a browser', changes: [{ path, before: 'Hello', after: 'Good day' }] })
    expect(rows[3].changes).toContainEqual({ path, after: 'Hello' })
  })

  test('nothing of what did not happen: a refusal, a save of the same, a key sent twice', async () => {
    const env = await h.environment()
    const body = { workflowId: 'w', name: 'W', steps }
    await env.post('/v2/workflows', body, { 'idempotency-key': 'a' })
    await env.post('/v2/workflows', body, { 'idempotency-key': 'a' })
    expect((await env.post('/v2/workflows', body)).status).toBe(409)
    expect((await env.patch('/v2/workflows/w', { name: '' })).status).toBe(422)
    expect(await record(env)).toHaveLength(1)
  })

  test('that credentials were changed, never what they are', async () => {
    const env = await h.environment()
    const credentials = { apiKey: 'SG.canary-of-the-key', from: 'a@example.com' }
    const { _id } = (await env.post('/v1/integrations', { providerId: 'sendgrid', channel: 'email', credentials })).body
    await env.put(`/v1/integrations/${_id}`, { credentials: { apiKey: 'SG.canary-of-the-next' }, name: 'Mine' })
    await env.post('/v1/webhook-endpoints', { url: 'https://example.com/canary-of-the-path' })
    await env.post('/v1/environment/signing-secret')
    await env.post('/v1/api-keys', { name: 'program', scope: 'trigger', note: 'for the shop' })
    const rows = await record(env)
    expect(JSON.stringify(rows)).not.toMatch(/canary/)
    expect(rows.map(({ action, subject }) => [action, subject.type])).toEqual([
      ['api-keys.create', 'api-key'],
      ['environment.signing-secret', 'environment'],
      ['webhook-endpoints.create', 'webhook-endpoint'],
      ['integrations.update', 'integration'],
      ['integrations.create', 'integration'],
    ])
    expect(rows[3].changes).toEqual([
      { path: 'name', before: 'SendGrid', after: 'Mine' },
      { path: 'credentials.apiKey', before: 'set', after: 'another' },
    ])
    expect(rows[0].changes).toContainEqual({ path: 'note', after: 'for the shop' })
  })

  test('nothing of what programs do all day; of a person who does it by hand', async () => {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps })
    await env.post('/v1/events/trigger', { name: 'w', to: 'ada' })
    expect((await record(env)).map((it) => it.action)).toEqual(['workflows.create'])
  })

  test('long texts cut, many differences counted', async () => {
    const env = await h.environment()
    const body = 'x'.repeat(5_000)
    const many = Array.from({ length: 20 }, (_, n) => ({ name: `S${n}`, type: 'in_app', controlValues: { body } }))
    await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps: many })
    const [{ changes }] = await record(env)
    expect(changes).toHaveLength(101)
    expect(changes.at(-1)).toEqual({ path: '…', after: expect.stringMatching(/^\d+ more$/) })
    expect(JSON.stringify(changes)).toContain('… (5000 characters)')
    expect(JSON.stringify(changes).length).toBeLessThan(60_000)
  })
})

describe('who sees it', () => {
  test('of one environment its own; of the organization all, whoever reaches that; never another one', async () => {
    const env = await owner()
    const other = await h.environment({ organizationId: env.organizationId })
    const foreign = await h.environment()
    for (const it of [env, other, foreign]) await it.post('/v1/api-keys', { name: 'k', scope: 'read' })
    const { _id } = (await env.post('/v1/environments', { name: 'Staging', color: '#000000' })).body
    const places = async (client: Client, query = '') => (await record(client, query)).map((it) => it.environmentId)
    expect(await places(env)).toEqual([env.environmentId])
    expect(await places(env, '&of=organization')).toEqual([_id, other.environmentId, env.environmentId])
    expect(await places(other)).toEqual([other.environmentId])
    const refused = await other.get('/v1/changes?of=organization')
    expect(refused).toMatchObject({ status: 403, body: { code: 'environment_out_of_reach' } })
    expect(await places(foreign)).toEqual([foreign.environmentId])
  })

  test('by actor, action, subject and time; page by page', async () => {
    const env = await h.environment()
    const { _id } = (await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps })).body
    for (let n = 0; n < 5; n++) await env.patch('/v2/workflows/w', { name: `W${n}` })
    await env.post('/v1/api-keys', { name: 'k', scope: 'read' })
    const count = async (query: string) => (await record(env, query)).length
    expect(await count(`&actorId=${apiKeyId(env.key)}`)).toBe(7)
    expect(await count('&actorId=somebody')).toBe(0)
    expect(await count('&action=workflows')).toBe(6)
    expect(await count('&action=workflows.patch')).toBe(5)
    expect(await count('&action=workflow')).toBe(0)
    expect(await count(`&subjectType=workflow&subjectId=${_id}`)).toBe(6)
    const [newest] = await record(env)
    expect(await count(`&since=${newest.createdAt}`)).toBeGreaterThanOrEqual(1)
    expect(await count('&until=2020-01-01')).toBe(0)
    expect((await env.get('/v1/changes?since=yesterday')).status).toBe(422)
    const first = (await env.get('/v1/changes?limit=3')).body
    const second = (await env.get(`/v1/changes?limit=100&after=${encodeURIComponent(first.next)}`)).body
    expect([...first.data, ...second.data]).toEqual(await record(env))
  })

  test('who made changes: each once, whoever did something last first; of the organization only who may see that', async () => {
    const env = await owner()
    const other = await h.environment({ organizationId: env.organizationId })
    const foreign = await h.environment()
    for (const it of [env, other, env, foreign]) await it.post('/v1/api-keys', { name: 'k', scope: 'read' })
    const actors = async (client: Client, query = '') => (await client.get(`/v1/changes/actors${query}`)).body.data
    const shown = ({ key }: Client) => ({
      type: 'key',
      id: apiKeyId(key),
      name: 'test',
      lastAt: expect.stringMatching(/Z$/),
    })
    expect(await actors(env)).toEqual([shown(env)])
    expect(await actors(env, '?of=organization')).toEqual([shown(env), shown(other)])
    expect((await other.get('/v1/changes/actors?of=organization')).status).toBe(403)
  })

  test('as JSON lines, all of it, oldest first', async () => {
    const env = await h.environment()
    await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps })
    await env.post('/v1/api-keys', { name: 'k', scope: 'read' })
    const reply = await env.get('/v1/changes/export')
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="changes.jsonl"')
    const lines = reply.text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line)).toReversed()).toEqual(await record(env))
  })
})

describe('it is kept', () => {
  test('nobody changes, deletes or empties it', async () => {
    const env = await h.environment()
    await env.post('/v1/api-keys', { name: 'k', scope: 'read' })
    const whole = sql`where organization_id = ${env.organizationId}`
    for (const attempt of [
      sql`update change_record set actor_name = 'somebody' ${whole}`,
      sql`delete from change_record ${whole}`,
      sql`truncate change_record`,
    ]) {
      await expect(attempt.execute(h.admin)).rejects.toThrow('the record of changes is never changed')
    }
    expect(await record(env)).toHaveLength(1)
  })

  test('for as long as is set, also that of an environment that is gone', async () => {
    const env = await owner()
    await env.post('/v1/api-keys', { name: 'k', scope: 'read' })
    const gone = await insertEnvironment(h.admin, env.organizationId, 'Gone', new Date())
    const plant = (days: number) =>
      sql`
      insert into change_record (organization_id, id, happened_in, actor_type, actor_id, actor_name, action,
        subject_type, subject_id, changes)
      values (${env.organizationId}, ${uuid7(new Date(Date.now() - days * 24 * 3_600_000))}, ${gone}, 'command', 'x', 'x',
        ${`days.${days}`}, 'x', '', '[]')`.execute(h.admin)
    for (const days of [729, 731, 1_000]) await plant(days)
    await sql`delete from environment where id = ${gone}`.execute(h.admin)
    while ((await purge.run(h.ctx)) > 0);
    const left = (await record(env, '&of=organization')).map((it) => it.action)
    expect(left).toEqual(['api-keys.create', 'days.729'])
    // Nobody may go on from here as if purging.
    await expect(
      sql`delete from change_record`.execute(underRowLevelSecurity ? h.admin : h.ctx.database.db),
    ).rejects.toThrow()
  })
})
