import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { refused, versions } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** The published client judges every reply by schemas of its own; it names one type for all resources. */
const h = useHarness({ VENDOR_NAMES: 'novu' })
const steps = [{ name: 'Mail', type: 'email', stepId: 'mail', controlValues: { subject: 'S', body: '<p>A</p>' } }]

describe.each(versions)('@novu/api $version', ({ open, errors, operations }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function makeTarget() {
    const env = await h.environment()
    await sql`update api_key set reach = 'organization' where environment_id = ${env.environmentId}`.execute(h.admin)
    const client = open({ serverURL: h.url, secretKey: env.key, onSuccess })
    const { result: target } = await client.environments.create({ name: 'Production', color: '#16a34a' })
    await env.post('/v2/layouts', { layoutId: 'brand', name: 'Brand', isDefault: true })
    await env.post('/v2/workflows', { workflowId: 'order', name: 'Order', steps })
    return { env, client, target: target.id }
  }

  test('diff: new, changed, moved and gone', async () => {
    const { env, client, target } = await makeTarget()
    const { environments } = client
    // Only the newest has it.
    if (!('diff' in environments)) return
    const { result: first } = await environments.diff({}, target)
    expect(first).toMatchObject({ targetEnvironmentId: target, summary: { totalEntities: 2, hasChanges: true } })
    expect(first.resources[0]?.dependencies).toMatchObject([{ resourceId: 'brand', isBlocking: true }])
    await environments.publish({}, target)
    const sms = { name: 'SMS', type: 'sms', stepId: 'sms', controlValues: { body: 'B' } }
    await env.put('/v2/workflows/order', { name: 'Order', steps: [sms, ...steps] })
    await environments.publish({}, target)
    await env.put('/v2/workflows/order', { name: 'New', steps: [...steps, sms] })
    await env.delete('/v2/layouts/brand')
    const { result } = await environments.diff({ sourceEnvironmentId: env.environmentId }, target)
    expect(result.resources[0]?.sourceResource?.name).toBe('New')
    expect(result.resources[0]?.changes.map(({ action }) => action)).toEqual(['modified', 'moved'])
    expect(result.resources[0]?.targetResource?.updatedAt).toBeInstanceOf(Date)
  })

  test('publish: tried, everything, chosen ones', async () => {
    const { env, client, target } = await makeTarget()
    const { environments } = client
    if (!('publish' in environments)) return
    const { result: tried } = await environments.publish({ dryRun: true }, target)
    expect(tried.summary).toEqual({ resources: 2, successful: 2, failed: 0, skipped: 0 })
    const resources = [{ resourceType: 'REGULAR' as const, resourceId: 'order' }]
    const { result: done } = await environments.publish({ resources }, target)
    expect(done.results.flatMap((it) => it.successful.map(({ action }) => action))).toEqual(['created', 'created'])
    const { result: again } = await environments.publish({}, target)
    expect(again.summary).toEqual({ resources: 2, successful: 0, failed: 0, skipped: 2 })
    await refused(
      environments.publish({ sourceEnvironmentId: target }, target),
      errors.ValidationErrorDto,
      'validation_failed',
    )
    await refused(environments.diff({}, 'none'), errors.ErrorDto, 'environment_not_found')
    await env.delete(`/v1/environments/${target}`)
    await refused(environments.publish({}, target), errors.ErrorDto, 'environment_not_found')
  })

  test('sync: answers the workflow of the target', async () => {
    const { client, target } = await makeTarget()
    const { result } = await client.workflows.sync({ targetEnvironmentId: target }, 'order')
    expect(result).toMatchObject({ workflowId: 'order', name: 'Order' })
    await refused(client.workflows.sync({ targetEnvironmentId: target }, 'none'), errors.ErrorDto, 'workflow_not_found')
  })

  test('every operation of these was called above', () => {
    expect(notCalled('client-publishing.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
