import { expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()

test('twenty and no more, also when they are added at the same time; a deleted one makes room', async () => {
  const [env, neighbour] = [await h.environment(), await h.environment()]
  const add = () => env.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/' })
  const made = await Promise.all(Array.from({ length: 26 }, add))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
  const refused = made.filter(({ status }) => status !== 201)
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    Array(6).fill([409, 'too_many_webhook_endpoints']),
  )
  const { data } = (await env.get('/v1/webhook-endpoints?limit=100')).body
  expect(data).toHaveLength(20)
  // Those of one environment are counted, not all.
  expect((await neighbour.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/' })).status).toBe(201)
  await env.delete(`/v1/webhook-endpoints/${data[0]._id}`)
  expect((await Promise.all([add(), add()])).map(({ status }) => status).sort()).toEqual([201, 409])
})
