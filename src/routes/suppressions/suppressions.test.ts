import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { emailStep, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

describe('the suppression list', () => {
  test('add, list, filter and remove, whatever the case; what is there stays as it is', async () => {
    const env = await h.environment()
    const added = await env.post('/v1/suppressions', { channel: 'email', address: ' Ada@Example.com ' })
    expect(added.status).toBe(201)
    expect(added.body).toEqual({
      channel: 'email',
      address: 'ada@example.com',
      reason: 'unsubscribed',
      createdAt: expect.any(String),
    })
    const again = await env.post('/v1/suppressions', {
      channel: 'email',
      address: 'ada@example.com',
      reason: 'bounced',
    })
    expect(again.body).toEqual(added.body)
    await env.post('/v1/suppressions', { channel: 'sms', address: '+491701', reason: 'complained' })
    await env.post('/v1/suppressions', { channel: 'email', address: 'bob@example.com', reason: 'bounced' })
    const list = async (query: string) =>
      (await env.get(`/v1/suppressions?${query}`)).body.data.map((it: { address: string }) => it.address)
    expect(await list('')).toEqual(['ada@example.com', 'bob@example.com', '+491701'])
    expect(await list('channel=sms')).toEqual(['+491701'])
    expect(await list('address=ADA@example.com')).toEqual(['ada@example.com'])
    expect((await env.get('/v1/suppressions?limit=2')).body).toMatchObject({ hasMore: true, pageSize: 2, page: 0 })
    expect(await list('limit=2&page=1')).toEqual(['+491701'])
    expect(await list('page=9007199254740991')).toEqual([])

    expect((await env.delete('/v1/suppressions/sms/ada@example.com')).body.code).toBe('suppression_not_found')
    expect((await env.delete('/v1/suppressions/email/ADA%40Example.com')).status).toBe(204)
    expect((await env.delete('/v1/suppressions/email/ada@example.com')).status).toBe(404)
    expect((await env.delete('/v1/suppressions/sms/%2B491701')).status).toBe(204)
    expect(await list('')).toEqual(['bob@example.com'])
    expect((await (await h.environment()).get('/v1/suppressions')).body.data).toEqual([])
  })

  test('nothing is sent to an address on it, until it is taken off; what is critical passes who unsubscribed', async () => {
    const env = await h.environment()
    await makeIntegration(env, { providerId: 'platform-email', channel: 'email' })
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeWorkflow(env, 'alarm', { steps: [emailStep], critical: true })
    await env.post('/v1/suppressions', { channel: 'email', address: 'ada@example.com' })
    const send = async (name: string) => {
      const { transactionId } = await trigger(env, { name, to: { subscriberId: 'ada', email: 'Ada@example.com' } })
      await h.settled()
      return storyOf(env, transactionId)
    }
    const skipped = await send('hello')
    expect(skipped.messages).toMatchObject([{ status: 'warning', errorId: 'suppressed' }])
    expect(skipped.jobs).toMatchObject([{ status: 'skipped' }])
    expect((await send('alarm')).messages).toMatchObject([{ status: 'sent' }])
    await env.delete('/v1/suppressions/email/ada@example.com')
    expect((await send('hello')).messages).toMatchObject([{ status: 'sent' }])
    await env.post('/v1/suppressions', { channel: 'email', address: 'ada@example.com', reason: 'bounced' })
    expect((await send('alarm')).messages).toMatchObject([{ errorId: 'suppressed' }])
  })
})
