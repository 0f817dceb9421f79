import { describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'
import { makeSendgrid } from '../../../test/integration-samples.ts'

const h = useSharedHarness()
const path = '/v1/integrations'

describe('GET /v1/integrations and /v1/integrations/active', () => {
  test('an environment without integrations: two empty lists', async () => {
    const env = await h.environment()
    expect(await env.get(path)).toMatchObject({ status: 200, body: [] })
    expect(await env.get(`${path}/active`)).toMatchObject({ status: 200, body: [] })
  })

  test('all of the environment, oldest first; active shows only those; deleted ones are nowhere', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const made = [
      await makeSendgrid(env),
      (await env.post(path, { providerId: 'slack', channel: 'chat', active: true })).body,
      (await env.post(path, { providerId: 'twilio', channel: 'sms' })).body,
    ]
    const gone = await makeSendgrid(env)
    await env.delete(`${path}/${gone._id}`)
    await makeSendgrid(other)
    const ids = made.map((integration) => integration._id)
    const idsAt = async (at: string) => (await env.get(at)).body.map((it: { _id: string }) => it._id)
    expect(await idsAt(path)).toEqual(ids)
    expect(await idsAt(`${path}/active`)).toEqual(ids.slice(0, 2))
  })

  test('a list of many is whole', async () => {
    const env = await h.environment()
    await Promise.all(Array.from({ length: 40 }, () => env.post(path, { providerId: 'slack', channel: 'chat' })))
    expect((await env.get(path)).body).toHaveLength(40)
  })
})
