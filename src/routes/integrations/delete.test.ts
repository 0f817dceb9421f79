import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'
import { makeSendgrid } from '../../../test/integration-samples.ts'

const h = useSharedHarness()
const path = '/v1/integrations'

describe('DELETE /v1/integrations/{integrationId}', () => {
  test('200 with those that remain; it is never shown again', async () => {
    const env = await h.environment()
    const [first, second] = [await makeSendgrid(env), await makeSendgrid(env)]
    const reply = await env.delete(`${path}/${first._id}`)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual((await env.get(path)).body)
    expect(reply.body).toMatchObject([{ _id: second._id, primary: true }])
    expect(await env.delete(`${path}/${second._id}`)).toMatchObject({ status: 200, body: [] })
  })

  test('marks the row with time and key, and forgets its secrets', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env, { configurations: { inboundWebhookSigningKey: 'the-signing-key-1' } })
    const before = Date.now()
    await env.delete(`${path}/${made._id}`)
    const { rows } = await sql<Record<string, unknown>>`
      select i.deleted_at, i.deleted_by = k.id as by_key, i.credentials, i.configurations, i.is_primary
      from integration i join api_key k using (environment_id) where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )
    const [row] = rows
    expect(row).toMatchObject({ by_key: true, credentials: {}, configurations: {}, is_primary: false })
    const at = row?.deleted_at instanceof Date ? row.deleted_at.getTime() : 0
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(Date.now())
  })

  test('is irreversible: deleted again, changed or made primary it is 404', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env)
    await env.delete(`${path}/${made._id}`)
    expect((await env.delete(`${path}/${made._id}`)).status).toBe(404)
    expect((await env.put(`${path}/${made._id}`, { active: true })).status).toBe(404)
    expect((await env.post(`${path}/${made._id}/set-primary`)).status).toBe(404)
  })

  test('deleted by many at once: one of them did it', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env)
    const replies = await Promise.all(Array.from({ length: 10 }, () => env.delete(`${path}/${made._id}`)))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array(9).fill(404)])
  })

  test('takes a content-type without a body, and ignores a body', async () => {
    const env = await h.environment()
    const [first, second] = [await makeSendgrid(env), await makeSendgrid(env)]
    const typed = await env.send('DELETE', `${path}/${first._id}`, { headers: { 'content-type': 'application/json' } })
    expect(typed.status).toBe(200)
    expect((await env.delete(`${path}/${second._id}`, { any: 'thing' })).status).toBe(200)
  })

  test('a subscriber no longer shows the channel that went with it', async () => {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    const sent = { providerId: 'fcm', credentials: { deviceTokens: ['t'] } }
    const { channels } = (await env.put('/v1/subscribers/ada/credentials', sent)).body
    expect((await env.delete(`${path}/${channels[0]._integrationId}`)).status).toBe(200)
    expect((await env.get('/v2/subscribers/ada')).body.channels).toEqual([])
  })
})
