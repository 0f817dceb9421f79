import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow, messagesBySubscriber, subscribe, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`)

async function toAll(env: Client, ids: readonly string[]): Promise<string> {
  await makeSubscribers(env, ids)
  await env.post('/v2/topics', { key: 'all' })
  await subscribe(env, 'all', ids)
  const { transactionId } = await trigger(env, { to: { type: 'Topic', topicKey: 'all' } })
  await h.drain()
  return transactionId
}

describe('DELETE /v1/messages/transaction/{transactionId}', () => {
  test('all of the event and of nobody else, page by page; what a job lists is there', async () => {
    const env = await h.environment()
    const two = ['a', 'b'].map((stepId) => ({ stepId, name: stepId, type: 'in_app', controlValues: { body: 'Hi' } }))
    await makeWorkflow(env, 'hello', { steps: two })
    const transactionId = await toAll(env, people(700))
    const other = await trigger(env, { to: 'p1' })
    await h.drain()
    expect(Object.keys(await messagesBySubscriber(env))).toHaveLength(700)
    expect(await env.delete(`/v1/messages/transaction/${transactionId}`)).toMatchObject({ status: 204, text: '' })
    const { body } = await env.get(`/v1/messages?transactionId=${transactionId}&limit=1`)
    expect(body.totalCount).toBeLessThanOrEqual(900)
    await h.drain()
    expect(await messagesBySubscriber(env)).toEqual({ p1: 2 })
    expect((await env.get(`/v1/messages?transactionId=${other.transactionId}`)).body.totalCount).toBe(2)
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from job j, unnest(j.message_ids) m (id)
      where j.environment_id = ${env.environmentId} and not exists (
        select 1 from message where environment_id = j.environment_id and id = m.id)`.execute(h.admin)
    expect(rows[0]?.n).toBe(0)
    expect((await env.delete(`/v1/messages/transaction/${transactionId}`)).status).toBe(204)
  })

  test('of one channel; an unknown transactionId, one of another environment, and an unknown channel', async () => {
    const [env, stranger] = [await h.environment(), await h.environment()]
    await makeWorkflow(env)
    const { transactionId } = await trigger(env, { to: 'ada' })
    await h.drain()
    const path = `/v1/messages/transaction/${transactionId}`
    expect((await env.delete(`${path}?channel=email`)).status).toBe(204)
    expect(await messagesBySubscriber(env)).toEqual({ ada: 1 })
    expect((await stranger.delete(path)).body.code).toBe('event_not_found')
    expect((await env.delete('/v1/messages/transaction/nope')).body.code).toBe('event_not_found')
    expect((await env.delete(`${path}?channel=pigeon`)).status).toBe(422)
    expect((await env.delete(`${path}?channel=in_app`)).status).toBe(204)
    expect(await messagesBySubscriber(env)).toEqual({})
  })

  test('twenty at once, while it is expanded: no 5xx, and nothing is left after the last', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await makeSubscribers(env, people(600))
    await env.post('/v2/topics', { key: 'all' })
    await subscribe(env, 'all', people(600))
    const { transactionId } = await trigger(env, { to: { type: 'Topic', topicKey: 'all' } })
    const path = `/v1/messages/transaction/${transactionId}`
    const replies = await Promise.all(Array.from({ length: 20 }, () => env.delete(path)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]))
    await h.drain()
    await env.delete(path)
    await h.drain()
    expect(await messagesBySubscriber(env)).toEqual({})
  })
})
