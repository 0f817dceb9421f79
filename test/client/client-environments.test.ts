import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { refused, versions } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** What a team does with environments, through the published client: it judges every reply by schemas of its own. */
const h = useHarness({ VENDOR_NAMES: 'novu' })

describe.each(versions)('@novu/api $version', ({ open, errors, operations }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    await sql`update api_key set reach = 'organization' where environment_id = ${env.environmentId}`.execute(h.admin)
    return { env, client: open({ serverURL: h.url, secretKey: env.key, onSuccess }) }
  }

  test('create, list, update, tags, delete', async () => {
    const { env, client } = await start()
    const { result: made } = await client.environments.create({ name: 'Staging', color: '#2563eb' })
    expect(made).toMatchObject({ name: 'Staging', organizationId: env.organizationId, type: 'prod', slug: 'staging' })
    expect(made.parentId).toBe(env.environmentId)
    const { result: listed } = await client.environments.list()
    expect(listed.map(({ id }) => id)).toEqual([env.environmentId, made.id])
    const { result: renamed } = await client.environments.update({ name: 'Stage' }, made.id)
    expect(renamed).toMatchObject({ id: made.id, name: 'Stage' })
    await env.post('/v2/workflows', { workflowId: 'w', name: 'W', tags: ['b', 'a'], steps: [] })
    const { result: tags } = await client.environments.getTags(env.environmentId)
    expect(tags.map(({ name }) => name)).toEqual(['a', 'b'])
    await client.environments.delete(made.id)
    await refused(client.environments.delete(made.id), errors.ErrorDto, 'environment_not_found')
  })

  test('every operation of these was called above', () => {
    expect(notCalled('client-environments.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
