import { beforeAll, describe, expect, test } from 'vitest'
import { bestOfFive, fastest } from './fastest.ts'
import { type Client, type Json, type Reply, useHarness } from './harness.ts'
import { makeWorkflow, trigger } from './pipeline.ts'
import { bombPayload, bombs } from './template-bombs.ts'

/** Hostile templates from the API to the messages: only the bomb's recipient gets an error, all others are notified. */
const h = useHarness({}, { worker: true })

/** These cannot even be saved. */
const refusedWhenSaved = [
  'deep nesting of blocks',
  'unclosed blocks',
  'unclosed brackets',
  'thirty thousand lines in one tag',
  'thirteen thousand tags',
  'a source over 160 KB',
  'the file system',
  'a partial',
  'a layout',
  'an expression from a payload',
  'a filter that is not there',
  'half a character',
]
const saved = Object.entries(bombs).filter(([name]) => !refusedWhenSaved.includes(name))
const greeting = 'Hi {{ subscriber.subscriberId }}'

function save(env: Client, workflowId: string, body: string): Promise<Reply> {
  const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body } }]
  return env.post('/v2/workflows', { workflowId, name: workflowId, steps })
}

async function messagesOf(env: Client, transactionId: string): Promise<Json[]> {
  return (await env.get(`/v1/messages?limit=1000&transactionId=${transactionId}`)).body.data
}

let other: Client
beforeAll(async () => {
  other = await h.environment()
  await makeWorkflow(other)
  const warm = await trigger(other, { to: 'ada' })
  await h.drain()
  expect(await messagesOf(other, warm.transactionId)).toHaveLength(1)
})

test.each(refusedWhenSaved)('refused when saved: %s', async (name) => {
  const env = await h.environment()
  const reply = await save(env, 'bomb', bombs[name] ?? '')
  expect(reply.status).toBe(422)
  expect(Object.keys(reply.body.errors)).toEqual(['steps.0.controlValues.body'])
})

describe('set off by the data of one of a hundred recipients', () => {
  test.each(saved)('%s', async (_name, source) => {
    const env = await h.environment()
    const made = await save(env, 'bomb', `{% if subscriber.data.boom %}${source}{% else %}${greeting}{% endif %}`)
    expect(made.status).toBe(201)
    const to = Array.from({ length: 100 }, (_, n) => ({ subscriberId: `s${n}`, data: n === 50 ? { boom: 'x' } : {} }))
    let [transactionId, elsewhere] = ['', '']
    const setOff = async () => {
      transactionId = (await trigger(env, { name: 'bomb', to, payload: bombPayload })).transactionId
      const begun = performance.now()
      elsewhere = (await trigger(other, { to: 'ada' })).transactionId
      await h.drain()
      return performance.now() - begun
    }
    // 300 ms on a machine of its own; here three other files run on the same two cores.
    expect(await fastest(2_000, setOff)).toBeLessThan(5_000)

    const messages = await messagesOf(env, transactionId)
    const content = new Map(messages.map((it) => [it.subscriber.subscriberId, it.status === 'sent' ? it.content : it]))
    expect(content.size).toBe(100)
    for (const { subscriberId } of to) {
      const innocent = `Hi ${subscriberId}`
      const bombed = { status: 'error', content: '', errorId: expect.any(String), errorText: expect.any(String) }
      if (subscriberId === 's50') expect(content.get(subscriberId)).toMatchObject(bombed)
      else expect(content.get(subscriberId)).toBe(innocent)
    }
    expect(await messagesOf(other, elsewhere)).toMatchObject([{ status: 'sent' }])

    const { body } = await env.get(`/v1/notifications?transactionId=${transactionId}&subscriberIds=s50`)
    const [job] = body.data[0].jobs
    expect(job.status).toBe('failed')
    const { errorText } = content.get('s50')
    expect(job.executionDetails.at(-1)).toMatchObject({ status: 'Failed', raw: errorText })
    expect((await env.get('/v1/subscribers/s50/notifications/feed')).body.totalCount).toBe(0)
  })
})

test('every bomb as a workflow of its own, all in one bulk of a hundred events', {
  timeout: 180_000,
  ...bestOfFive,
}, async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  for (const [index, [, source]] of saved.entries()) expect((await save(env, `bomb-${index}`, source)).status).toBe(201)
  const names = Array.from({ length: 100 }, (_, n) =>
    n % 2 === 1 && n < saved.length * 2 ? `bomb-${(n - 1) / 2}` : 'hello',
  )
  const events = names.map((name, n) => ({ name, to: `s${n}`, payload: bombPayload }))
  const results = await env.post('/v1/events/trigger/bulk', { events })
  expect(results.body.map((it: Json) => it.status)).toEqual(Array(100).fill('processed'))
  const begun = performance.now()
  const elsewhere = await trigger(other, { to: 'ada' })
  for (let sent = 0; sent === 0; ) sent = (await messagesOf(other, elsewhere.transactionId)).length
  expect(performance.now() - begun).toBeLessThan(5_000)
  await h.drain()
  const { body } = await env.get('/v1/messages?limit=1000')
  const status = new Map(body.data.map((it: Json) => [it.subscriber.subscriberId, it.status]))
  expect(names.map((_, n) => status.get(`s${n}`))).toEqual(names.map((name) => (name === 'hello' ? 'sent' : 'error')))
})
