import { expect, test } from 'vitest'
import { client, useHarness } from '../../test/harness.ts'
import { bootstrap } from './bootstrap.ts'

const h = useHarness()

test('the first start makes a workflow to try; later ones leave it alone', async () => {
  const { newKey } = await bootstrap(h.admin, { cell: 'c1', bootstrapApiKey: undefined }, new Date())
  const env = client(h.send, newKey ?? '')
  const made = await env.send('GET', '/v2/workflows/hello')
  expect(made.body).toMatchObject({ workflowId: 'hello', status: 'ACTIVE', version: 1 })
  expect(made.body.steps).toHaveLength(1)
  await env.send('DELETE', '/v2/workflows/hello')
  await bootstrap(h.admin, { cell: 'c1', bootstrapApiKey: undefined }, new Date())
  expect((await env.send('GET', '/v2/workflows/hello')).status).toBe(404)
})
