import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const [first, second] = [await startHttpReceiver(), await startHttpReceiver()]
const h = useHarness(allowing(first.port, second.port), { worker: true })
const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.org' }

beforeEach(() => {
  for (const receiver of [first, second]) {
    receiver.requests.length = 0
    receiver.answer = { status: 401, json: { message: 'revoked' } }
  }
})

/** Both integrations refuse our key: the message is given up at once. */
async function makeDead(env: Client, times = 1): Promise<{ transactionIds: string[]; integrations: Json[] }> {
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  const integrations = [
    await makeIntegration(env, emailWebhook(first.url, { identifier: 'one' })),
    await makeIntegration(env, emailWebhook(second.url, { identifier: 'two' })),
  ]
  const transactionIds: string[] = []
  for (let n = 0; n < times; n++) transactionIds.push((await trigger(env, { to: ada })).transactionId)
  await h.settled()
  return { transactionIds, integrations }
}

describe('dead letters', () => {
  test('when all integrations fail it is listed; redriven it is delivered once, and the history tells all', async () => {
    const env = await h.environment()
    const { transactionIds, integrations } = await makeDead(env)
    const { body } = await env.get('/v1/dead-letters')
    expect(body).toMatchObject({ hasMore: false, page: 0, totalCount: 1 })
    const last = integrations[1]._id
    expect(body.data).toMatchObject([
      { status: 'error', errorId: 'integration_refused', attempts: 2, integrationId: last },
    ])
    expect((await storyOf(env, transactionIds[0] ?? '')).jobs).toMatchObject([{ status: 'failed' }])

    first.answer = { status: 200 }
    const redriven = await env.post('/v1/dead-letters/redrive', { messageIds: [body.data[0]._id] })
    expect(redriven.body).toEqual({ redriven: 1, hasMore: false })
    await h.settled()
    // The first one had refused us: it is asked again all the same.
    expect([first.requests.length, second.requests.length]).toEqual([2, 1])
    const { messages, jobs } = await storyOf(env, transactionIds[0] ?? '')
    expect(messages).toMatchObject([{ status: 'sent', _id: body.data[0]._id }])
    expect(jobs).toMatchObject([{ status: 'completed' }])
    expect(jobs[0].executionDetails.slice(3).map((line: Json) => line.detail)).toEqual([
      expect.stringContaining('Provider refused the integration'),
      expect.stringContaining('Provider refused the integration'),
      'Redriven',
      'Message sent',
    ])
    const { rows } = await sql<Json>`
      select number, outcome from attempt where environment_id = ${env.environmentId} order by number`.execute(h.admin)
    expect(rows.map((row: Json) => row.outcome)).toEqual(['rejected', 'rejected', 'sent'])
    expect((await env.get('/v1/dead-letters')).body.data).toEqual([])
    expect((await env.post('/v1/dead-letters/redrive', { all: true })).body.redriven).toBe(0)
  })

  test('redriven ten times at once it is sent once', async () => {
    const env = await h.environment()
    await makeDead(env)
    first.requests.length = 0
    first.answer = { status: 200 }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => env.post('/v1/dead-letters/redrive', { all: true })),
    )
    expect(replies.reduce((sum, { body }) => sum + body.redriven, 0)).toBe(1)
    await h.settled()
    expect(first.requests).toHaveLength(1)
  })

  test('refused again it is dead again, with all of its tries', async () => {
    const env = await h.environment()
    await makeDead(env)
    await env.post('/v1/dead-letters/redrive', { all: true })
    await h.settled()
    expect((await env.get('/v1/dead-letters')).body.data).toMatchObject([{ attempts: 4 }])
  })

  test('filters say which are listed and which are driven again; another environment has no part in it', async () => {
    const env = await h.environment()
    const { integrations } = await makeDead(env, 3)
    const count = async (query: string) => (await env.get(`/v1/dead-letters?${query}`)).body.data.length
    expect(await count('channel=email')).toBe(3)
    expect(await count('channel=sms')).toBe(0)
    expect(await count(`integrationId=${integrations[1]._id}`)).toBe(3)
    expect(await count(`integrationId=${integrations[0]._id}`)).toBe(0)
    expect(await count('integrationId=none')).toBe(0)
    const page = (await env.get('/v1/dead-letters?limit=2')).body
    expect(page).toMatchObject({ hasMore: true, totalCount: 3 })
    expect(page.data[0]._id > page.data[1]._id).toBe(true)
    expect((await env.get('/v1/dead-letters?limit=101')).status).toBe(422)

    const redrive = async (by: Client, body: object) => (await by.post('/v1/dead-letters/redrive', body)).body.redriven
    const stranger = await h.environment()
    const ids = page.data.map((message: Json) => message._id)
    expect(await redrive(stranger, { messageIds: ids })).toBe(0)
    expect(await redrive(stranger, { all: true })).toBe(0)
    expect(await redrive(env, { all: true, channel: 'sms' })).toBe(0)
    expect(await redrive(env, { all: true, integrationId: integrations[0]._id })).toBe(0)
    expect(await redrive(env, { messageIds: [...ids, 'nonsense'] })).toBe(2)
    expect(await redrive(env, { all: true, integrationId: integrations[1]._id })).toBe(1)
    await h.settled()
  })
})
