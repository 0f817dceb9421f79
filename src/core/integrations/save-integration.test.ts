import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, useSharedHarness } from '../../../test/harness.ts'
import { makeSendgrid } from '../../../test/integration-samples.ts'
import { ApiError } from '../../errors.ts'
import type { Env } from '../../store/database.ts'
import { changeIntegration, createIntegration, deleteIntegration } from './save-integration.ts'

const h = useSharedHarness()
const keyId = '01890000-0000-7000-8000-000000000000'

/** As a route calls it, in its own transaction. */
function within<T>(client: Client, work: (scope: Parameters<typeof createIntegration>[0]) => Promise<T>): Promise<T> {
  const env: Env = { environmentId: client.environmentId, organizationId: client.organizationId, keyId }
  return h.ctx.database.write(env, (db) => work({ ctx: h.ctx, db, env, now: new Date() }))
}

describe('writers of integrations', () => {
  test('of one environment follow one another; those of another do not wait', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const order: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let entered = () => {}
    const inside = new Promise<void>((resolve) => {
      entered = resolve
    })
    const first = within(env, async (scope) => {
      await createIntegration(scope, { providerId: 'slack', channel: 'chat' })
      entered()
      await held
      order.push('first')
    })
    await inside
    const second = makeSendgrid(env).then(() => order.push('second'))
    await makeSendgrid(other)
    order.push('other')
    release()
    await Promise.all([first, second])
    expect(order).toEqual(['other', 'first', 'second'])
  })

  test('readers never wait for them', async () => {
    const env = await h.environment()
    await within(env, async (scope) => {
      await createIntegration(scope, { providerId: 'slack', channel: 'chat' })
      expect((await env.get('/v1/integrations')).body).toEqual([])
    })
    expect((await env.get('/v1/integrations')).body).toHaveLength(1)
  })

  test('a transaction that fails leaves no integration and no lost primary', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env)
    await within(env, async (scope) => {
      await deleteIntegration(scope, made._id)
      throw new Error('later work failed')
    }).catch(() => {})
    expect((await env.get('/v1/integrations')).body).toMatchObject([{ _id: made._id, primary: true }])
  })
})

describe('the database itself', () => {
  test('refuses a second primary, a primary that is not active, and one on another channel', async () => {
    const env = await h.environment()
    const [, second, chat] = [
      await makeSendgrid(env),
      await makeSendgrid(env),
      (await env.post('/v1/integrations', { providerId: 'slack', channel: 'chat', active: true })).body,
    ]
    const force = (id: string, set: string) =>
      sql`update integration set ${sql.raw(set)} where environment_id = ${env.environmentId} and id = ${id}`.execute(
        h.admin,
      )
    await expect(force(second._id, 'is_primary = true')).rejects.toThrow('integration_primary')
    await expect(force(chat._id, 'is_primary = true')).rejects.toThrow('check')
    await expect(force(second._id, 'is_primary = true, active = false')).rejects.toThrow('check')
    await expect(force(second._id, `identifier = 'sendgrid'`)).rejects.toThrow('integration_identifier')
  })
})

test('an id of another environment is not found, whatever is asked of it', async () => {
  const [env, stranger] = [await h.environment(), await h.environment()]
  const made = await makeSendgrid(env)
  for (const act of [
    () => within(stranger, (scope) => changeIntegration(scope, made._id, { name: 'x' })),
    () => within(stranger, (scope) => deleteIntegration(scope, made._id)),
  ]) {
    const refusal = await act().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ApiError)
    expect(refusal).toMatchObject({ code: 'integration_not_found' })
  }
})

test('an id in capitals is the same id', async () => {
  const env = await h.environment()
  const made = await makeSendgrid(env)
  const reply = await env.put(`/v1/integrations/${made._id.toUpperCase()}`, { credentials: { from: 'a@example.com' } })
  expect(reply).toMatchObject({ status: 200, body: { _id: made._id, credentials: { from: 'a@example.com' } } })
})
