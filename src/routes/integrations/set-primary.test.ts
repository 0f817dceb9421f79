import { describe, expect, test } from 'vitest'
import { type Client, client, type Json, sender, useHarness } from '../../../test/harness.ts'
import { makeSendgrid } from '../../../test/integration-samples.ts'

const h = useHarness({ DATABASE_POOL_SIZE: '6' })
const path = '/v1/integrations'

const twilio = { providerId: 'twilio', channel: 'sms', active: true, credentials: { accountSid: 'a', token: 't' } }

async function primariesOf(env: Client, channel = 'email'): Promise<string[]> {
  const { body } = await env.get(path)
  return body.filter((it: Json) => it.primary && it.channel === channel).map((it: Json) => it._id)
}

describe('the primary of e-mail and of SMS', () => {
  test('is the first active one of its channel; later ones are not', async () => {
    const env = await h.environment()
    const inactive = await makeSendgrid(env, { active: false })
    const first = await makeSendgrid(env)
    const second = await makeSendgrid(env)
    const sms = await env.post(path, twilio)
    expect([inactive, first, second, sms.body].map((it) => it.primary)).toEqual([false, true, false, true])
    const activated = await env.put(`${path}/${inactive._id}`, { active: true, credentials: { apiKey: 'k' } })
    expect(activated.body.primary).toBe(false)
    expect(await primariesOf(env)).toEqual([first._id])
  })

  test('is the one activated when none was active', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env, { active: false })
    expect((await env.put(`${path}/${made._id}`, { active: true })).body.primary).toBe(true)
  })

  test('deactivated, it hands over to the oldest other active one, of its own channel', async () => {
    const env = await h.environment()
    const [first, , third] = [
      await makeSendgrid(env),
      await makeSendgrid(env, { active: false }),
      await makeSendgrid(env),
      await makeSendgrid(env),
    ]
    await env.post(path, twilio)
    const reply = await env.put(`${path}/${first._id}`, { active: false })
    expect(reply.body).toMatchObject({ active: false, primary: false })
    expect(await primariesOf(env)).toEqual([third._id])
    expect(await primariesOf(env, 'sms')).toHaveLength(1)
    // Active again, it is not primary again.
    expect((await env.put(`${path}/${first._id}`, { active: true })).body.primary).toBe(false)
  })

  test('deleted, it hands over to the oldest other active one', async () => {
    const env = await h.environment()
    const [first, second, third] = [await makeSendgrid(env), await makeSendgrid(env), await makeSendgrid(env)]
    const reply = await env.delete(`${path}/${first._id}`)
    expect(reply.body.map((it: Json) => [it._id, it.primary])).toEqual([
      [second._id, true],
      [third._id, false],
    ])
  })

  test('the last active one gone, there is none', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env)
    await env.put(`${path}/${made._id}`, { active: false })
    expect(await primariesOf(env)).toEqual([])
  })

  test.each([
    ['slack', 'chat', {}],
    ['expo', 'push', {}],
    ['platform', 'in_app', {}],
  ])('%s (%s) never is one', async (providerId, channel, credentials) => {
    const env = await h.environment()
    const made = await env.post(path, { providerId, channel, active: true, credentials })
    expect(made.body.primary).toBe(false)
    const reply = await env.post(`${path}/${made.body._id}/set-primary`)
    expect(reply).toMatchObject({ status: 400, body: { code: 'channel_without_primary' } })
  })
})

describe('POST /v1/integrations/{integrationId}/set-primary', () => {
  test('200 with the integration; the former one is primary no longer', async () => {
    const env = await h.environment()
    const [first, second] = [await makeSendgrid(env), await makeSendgrid(env)]
    const reply = await env.post(`${path}/${second._id}/set-primary`)
    expect(reply).toMatchObject({ status: 200, body: { _id: second._id, primary: true } })
    expect(await primariesOf(env)).toEqual([second._id])
    expect((await env.post(`${path}/${second._id}/set-primary`)).body.primary).toBe(true)
    // It stays so, although the other is older.
    await env.put(`${path}/${first._id}`, { name: 'x', active: true })
    expect(await primariesOf(env)).toEqual([second._id])
  })

  test('an inactive one is 400, and the primary stays', async () => {
    const env = await h.environment()
    const [first, second] = [await makeSendgrid(env), await makeSendgrid(env, { active: false })]
    const reply = await env.post(`${path}/${second._id}/set-primary`)
    expect(reply).toMatchObject({ status: 400, body: { code: 'integration_not_active' } })
    expect(await primariesOf(env)).toEqual([first._id])
  })
})

describe('many writers at once, on two nodes', () => {
  let second: ReturnType<typeof h.node> | undefined
  const onTwoNodes = async () => {
    const env = await h.environment()
    second ??= h.node()
    const other = client(sender((await second).url), env.key)
    const either = (n: number) => (n % 2 === 0 ? env : { ...env, ...other })
    return { env, either }
  }

  test('fifty creations of active e-mail integrations: fifty made, one primary, identifiers all different', async () => {
    const { env, either } = await onTwoNodes()
    const made = await Promise.all(Array.from({ length: 50 }, (_, n) => makeSendgrid(either(n))))
    expect(new Set(made.map((it) => it.identifier)).size).toBe(50)
    expect(await primariesOf(env)).toHaveLength(1)
    expect(made.filter((it) => it.primary)).toHaveLength(1)
  })

  test('fifty creations with one identifier: one made, forty-nine 409', async () => {
    const { env, either } = await onTwoNodes()
    const body = { providerId: 'slack', channel: 'chat', identifier: 'the-only-one' }
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => either(n).post(path, body)))
    expect(replies.map((it) => it.status).toSorted()).toEqual([201, ...Array(49).fill(409)])
    expect((await env.get(path)).body).toHaveLength(1)
  })

  test.each([1, 2, 3])(
    'storm %i of activating, deactivating, promoting and deleting: one primary if any is active',
    async (round) => {
      const { env, either } = await onTwoNodes()
      const made = await Promise.all(Array.from({ length: 12 }, (_, n) => makeSendgrid(either(n))))
      const acts: ((it: Json, n: number) => Promise<{ status: number }>)[] = [
        (it, n) => either(n).put(`${path}/${it._id}`, { active: false }),
        (it, n) => either(n).delete(`${path}/${it._id}`),
        (it, n) => either(n).post(`${path}/${it._id}/set-primary`),
        (it, n) => either(n).put(`${path}/${it._id}`, { active: true }),
        (it, n) => either(n + 1).put(`${path}/${it._id}`, { active: false }),
      ]
      const replies = await Promise.all(
        made.flatMap((it, n) => [0, 1, 2].map((k) => acts[(n * 7 + k * round + round) % acts.length]?.(it, n + k))),
      )
      for (const reply of replies) expect([200, 400, 404]).toContain(reply?.status)
      const active = (await env.get(`${path}/active`)).body.length
      expect(await primariesOf(env)).toHaveLength(active > 0 ? 1 : 0)
    },
  )

  test('every active one deactivated or deleted at once leaves none active and none primary', async () => {
    const { env, either } = await onTwoNodes()
    const made = await Promise.all(Array.from({ length: 12 }, (_, n) => makeSendgrid(either(n))))
    await Promise.all(
      made.map((it, n) => {
        const at = `${path}/${it._id}`
        return n % 3 === 0 ? either(n).delete(at) : either(n).put(at, { active: false })
      }),
    )
    expect((await env.get(`${path}/active`)).body).toEqual([])
    expect(await primariesOf(env)).toEqual([])
  })
})
