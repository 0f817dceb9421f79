import { describe, expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow, subscribe, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

describe('GET /v1/notifications/{notificationId}', () => {
  test('jobs in step order, each with its history oldest first and what it generated', async () => {
    const env = await h.environment()
    const onlyVips = [
      { type: 'GROUP', value: 'AND', children: [{ on: 'payload', field: 'vip', operator: 'EQUAL', value: 'true' }] },
    ]
    const inApp = (name: string, changes: object = {}) => ({
      name,
      type: 'in_app',
      controlValues: { body: `${name} {{ payload.n }}` },
      ...changes,
    })
    const steps = [
      inApp('first'),
      { name: 'second', type: 'email', controlValues: { subject: 'x', body: 'x' } },
      inApp('third', { filters: onlyVips }),
      inApp('fourth', { active: false }),
      inApp('fifth', { controlValues: { body: '{{ "now" | date: "%1000000000Y" }}' } }),
      inApp('sixth'),
    ]
    await makeWorkflow(env, 'hello', { steps, severity: 'medium', tags: ['a'] })
    const overrides = { sendgrid: { a: 1 } }
    await trigger(env, { to: 'ada', payload: { n: 1 }, overrides, transactionId: 't-1', context: { team: 't1' } })
    await h.drain()
    const [listed] = (await env.get('/v1/notifications')).body.data
    const { status, body } = await env.get(`/v1/notifications/${listed._id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      transactionId: 't-1',
      channels: ['in_app', 'email'],
      payload: { n: 1 },
      to: { subscriberId: 'ada' },
      tags: ['a'],
      severity: 'medium',
      critical: false,
      contextKeys: ['team:t1'],
      template: { name: 'hello', origin: 'platform-cloud', triggers: [{ type: 'event', identifier: 'hello' }] },
    })
    expect(body).not.toHaveProperty('topics')
    expect(body.jobs.map((job: Json) => [job.step.name, job.type, job.status])).toEqual([
      ['first', 'in_app', 'completed'],
      ['second', 'email', 'failed'],
      ['third', 'in_app', 'skipped'],
      ['fourth', 'in_app', 'skipped'],
      ['fifth', 'in_app', 'failed'],
      ['sixth', 'in_app', 'completed'],
    ])
    const contents = body.jobs.map((job: Json) => job.messages.map((it: Json) => [it.status, it.content]))
    expect(contents).toEqual([[['sent', 'first 1']], [], [], [], [['error', '']], [['sent', 'sixth 1']]])
    const lists = await env.get('/v1/messages')
    const ids = body.jobs.flatMap((job: Json) => job.messages.map((it: Json) => it._id))
    expect(ids.toSorted()).toEqual(lists.body.data.map((it: Json) => it._id).toSorted())
    for (const job of body.jobs) {
      expect(job).toMatchObject({ providerId: 'platform', overrides, payload: { n: 1 } })
      const times = job.executionDetails.map((it: Json) => it.createdAt)
      expect(times).toEqual(times.toSorted())
      const detailIds = job.executionDetails.map((it: Json) => it._id)
      expect(new Set(detailIds).size).toBe(detailIds.length)
    }
    expect(body.jobs[4].executionDetails.at(-1)).toMatchObject({ status: 'Failed', raw: expect.any(String) })
    // The list shows the same, without the generated messages.
    expect(listed.jobs).toEqual(body.jobs.map(({ messages: _messages, ...job }: Json) => job))
    // Read again, the reply and its ids are the same.
    expect((await env.get(`/v1/notifications/${listed._id}`)).body).toEqual(body)
  })

  test('a failed step that stops the rest cancels them', async () => {
    const env = await h.environment()
    const bomb = { body: '{{ "now" | date: "%1000000000Y" }}' }
    const steps = [
      { name: 'a', type: 'in_app', controlValues: bomb, shouldStopOnFail: true },
      { name: 'b', type: 'in_app', controlValues: { body: 'b' } },
    ]
    await makeWorkflow(env, 'hello', { steps })
    await trigger(env, { to: 'ada' })
    await h.drain()
    const [listed] = (await env.get('/v1/notifications')).body.data
    expect(listed.jobs.map((job: Json) => job.status)).toEqual(['failed', 'canceled'])
    expect((await env.get('/v1/messages')).body.data.map((it: Json) => it.status)).toEqual(['error'])
  })

  test('shows the version that ran, whatever became of workflow, topic and subscriber', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    await makeSubscribers(env, ['ada'])
    await subscribe(env, 'news', ['ada'])
    await trigger(env, { to: { type: 'Topic', topicKey: 'news' } })
    await h.drain()
    const [before] = (await env.get('/v1/notifications')).body.data
    expect(before.topics).toEqual([{ _topicId: expect.any(String), topicKey: 'news' }])
    await env.patch('/v2/workflows/hello', { name: 'Renamed' })
    await env.delete('/v2/workflows/hello')
    const path = `/v1/notifications/${before._id}`
    expect((await env.get(path)).body).toMatchObject({ template: before.template, subscriber: before.subscriber })
    await env.delete('/v2/topics/news')
    await env.delete('/v2/subscribers/ada')
    const after = await env.get(path)
    expect(after.status).toBe(200)
    expect(after.body._id).toBe(before._id)
    expect(after.text).not.toContain('"ada"')
  })

  test("404 for an unknown one, another environment's, and an id of any other shape", async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    await makeWorkflow(env)
    await trigger(env, { to: 'ada' })
    await h.drain()
    const [{ _id: id, jobs }] = (await env.get('/v1/notifications')).body.data
    for (const [from, asked] of [
      [other, id],
      [env, id.replace(/.{4}$/, '0000')],
      [env, jobs[0]._id],
      [env, crypto.randomUUID()],
      [env, 'x'],
      [env, `${id}x`],
    ]) {
      const reply = await from.get(`/v1/notifications/${asked}`)
      expect([reply.status, reply.body.code], asked).toEqual([404, 'notification_not_found'])
    }
  })
})
