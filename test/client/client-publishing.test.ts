import { Novu } from '@novu/api-newest'
import * as errors from '@novu/api-newest/models/errors/index.js'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { refused } from './client-versions.ts'

/** The published client judges every reply by schemas of its own; it names one type for all resources. */
const h = useHarness({ VENDOR_NAMES: 'novu' })
const steps = [{ name: 'Mail', type: 'email', stepId: 'mail', controlValues: { subject: 'S', body: '<p>A</p>' } }]

async function makeTarget() {
  const env = await h.environment()
  await sql`update api_key set reach = 'organization' where environment_id = ${env.environmentId}`.execute(h.admin)
  const client = new Novu({ serverURL: h.url, secretKey: env.key, retryConfig: { strategy: 'none' } })
  const { result: target } = await client.environments.create({ name: 'Production', color: '#16a34a' })
  await env.post('/v2/layouts', { layoutId: 'brand', name: 'Brand', isDefault: true })
  await env.post('/v2/workflows', { workflowId: 'order', name: 'Order', steps })
  return { env, client, target: target.id }
}

test('diff: new, changed, moved and gone', async () => {
  const { env, client, target } = await makeTarget()
  const { result: first } = await client.environments.diff({}, target)
  expect(first).toMatchObject({ targetEnvironmentId: target, summary: { totalEntities: 2, hasChanges: true } })
  expect(first.resources[0]?.dependencies).toMatchObject([{ resourceId: 'brand', isBlocking: true }])
  await client.environments.publish({}, target)
  const sms = { name: 'SMS', type: 'sms', stepId: 'sms', controlValues: { body: 'B' } }
  await env.put('/v2/workflows/order', { name: 'Order', steps: [sms, ...steps] })
  await client.environments.publish({}, target)
  await env.put('/v2/workflows/order', { name: 'New', steps: [...steps, sms] })
  await env.delete('/v2/layouts/brand')
  const { result } = await client.environments.diff({ sourceEnvironmentId: env.environmentId }, target)
  expect(result.resources[0]?.sourceResource?.name).toBe('New')
  expect(result.resources[0]?.changes.map(({ action }) => action)).toEqual(['modified', 'moved'])
  expect(result.resources[0]?.targetResource?.updatedAt).toBeInstanceOf(Date)
})

test('publish: tried, everything, chosen ones', async () => {
  const { env, client, target } = await makeTarget()
  const { result: tried } = await client.environments.publish({ dryRun: true }, target)
  expect(tried.summary).toEqual({ resources: 2, successful: 2, failed: 0, skipped: 0 })
  const resources = [{ resourceType: 'REGULAR' as const, resourceId: 'order' }]
  const { result: done } = await client.environments.publish({ resources }, target)
  expect(done.results.flatMap((it) => it.successful.map(({ action }) => action))).toEqual(['created', 'created'])
  const { result: again } = await client.environments.publish({}, target)
  expect(again.summary).toEqual({ resources: 2, successful: 0, failed: 0, skipped: 2 })
  await refused(
    client.environments.publish({ sourceEnvironmentId: target }, target),
    errors.ValidationErrorDto,
    'validation_failed',
  )
  await refused(client.environments.diff({}, 'none'), errors.ErrorDto, 'environment_not_found')
  await env.delete(`/v1/environments/${target}`)
  await refused(client.environments.publish({}, target), errors.ErrorDto, 'environment_not_found')
})

test('sync: answers the workflow of the target', async () => {
  const { client, target } = await makeTarget()
  const { result } = await client.workflows.sync({ targetEnvironmentId: target }, 'order')
  expect(result).toMatchObject({ workflowId: 'order', name: 'Order' })
  await refused(client.workflows.sync({ targetEnvironmentId: target }, 'none'), errors.ErrorDto, 'workflow_not_found')
})
