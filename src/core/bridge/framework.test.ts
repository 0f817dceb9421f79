import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareBridgeApp } from '../../../test/bridge/start-app.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { trigger } from '../../../test/pipeline.ts'

const [app, receiver] = [await prepareBridgeApp(), await startHttpReceiver()]
const h = useHarness(allowing(app.port, receiver.port), { worker: true })
let env: Client
beforeAll(async () => {
  env = await h.environment()
  await app.start(env.key)
})
afterAll(() => Promise.all([app.kill(), receiver.close()]))

const ended = async (transactionId: string, subscriberId?: string) => {
  const finished = ['completed', 'failed', 'skipped', 'canceled', 'merged']
  const read = async () => {
    const reply = await env.get(`/v1/notifications?transactionId=${transactionId}`)
    expect(reply.status, reply.text).toBe(200)
    const rows = reply.body.data
    const [row] = rows.filter((it: { subscriber: { subscriberId: string } }) =>
      subscriberId === undefined ? true : it.subscriber.subscriberId === subscriberId,
    )
    return row ? (await env.get(`/v1/notifications/${row._id}`)).body.jobs : []
  }
  await expect
    .poll(async () => (await read()).map((job: { status: string }) => job.status), { timeout: 30_000 })
    .toSatisfy((it: string[]) => it.length > 0 && it.every((status) => finished.includes(status)))
  return read()
}

test('the published framework tells of its workflows by a signed call', async () => {
  const reply = await env.post('/v1/bridge/sync?source=cli', { bridgeUrl: app.url })
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body).toMatchObject({ created: ['everything', 'hello-code'], updated: [], deleted: [], warnings: [] })
  const { body } = await env.get('/v2/workflows/everything')
  expect(body).toMatchObject({ name: 'Everything', origin: 'external', severity: 'high', tags: ['code'], version: 1 })
  expect(body.steps.map((it: { stepId: string; type: string }) => `${it.stepId} ${it.type}`)).toEqual([
    'guard throttle',
    'info custom',
    'inbox in_app',
    'gather digest',
    'pause delay',
    'mail email',
    'text sms',
    'ping push',
    'talk chat',
    'left-out email',
    'extra in_app',
  ])
  const again = await env.post('/v1/bridge/sync', { bridgeUrl: app.url })
  expect(again.body).toMatchObject({ created: [], updated: [], unchanged: ['everything', 'hello-code'], deleted: [] })
})

test('a step of every type does what its code says, each once', async () => {
  await makeIntegration(env, emailWebhook(`${receiver.url}/mail`))
  await env.post('/v2/subscribers', { subscriberId: 'ann', firstName: 'Ann', email: 'ann@example.com' })
  const { transactionId } = await trigger(env, { name: 'everything', to: 'ann', payload: { number: 7, quiet: true } })
  expect(transactionId).toBeTruthy()
  const jobs = await ended(transactionId)
  expect(jobs.map((job: { type: string; status: string }) => `${job.type} ${job.status}`)).toEqual([
    'throttle completed',
    'custom completed',
    'in_app completed',
    'digest completed',
    'delay completed',
    'email completed',
    'sms failed',
    'push failed',
    'chat failed',
    'email skipped',
    'in_app skipped',
  ])
  const { messages } = await storyOf(env, transactionId)
  const inbox = messages.find((it) => it.channel === 'in_app')
  expect(inbox).toMatchObject({ subject: 'Number 7', content: '{{not a template}} Ann in test' })
  const [mail] = receiver.requests
  expect(JSON.stringify(mail?.json)).toContain('1 of 1, read: false')
  expect(JSON.stringify(mail?.json)).toContain('<p>7 after true</p>')
  expect(JSON.stringify(mail?.json)).toContain('code@example.com')
  expect(app.seen()).toEqual(['guard', 'info', 'inbox', 'gather', 'pause', 'mail'].map((step) => `ann ${step}`))
})

test('a preview asks it what it would do, with what is missing made up', async () => {
  const preview = (stepId: string, body: object) => env.post(`/v2/workflows/everything/step/${stepId}/preview`, body)
  const inbox = await preview('inbox', { subscriberId: 'ann', previewPayload: { payload: { number: 3 } } })
  expect(inbox.status, inbox.text).toBe(201)
  expect(inbox.body).toMatchObject({ applies: true, result: { type: 'in_app', errors: [] } })
  expect(inbox.body.result.preview.redirect.url).toBe('https://example.com/orders')
  const steps = { events: [{ number: 1 }, { number: 2 }] }
  const mail = await preview('mail', { previewPayload: { payload: { number: 3 }, steps } })
  expect(mail.body.result.preview).toMatchObject({ from: { email: 'code@example.com' }, preheader: 'Before it' })
  expect(mail.body.result.preview.body).toContain('1,2')
  const wait = await preview('gather', { previewPayload: { payload: { number: 3, seconds: 60 } } })
  expect(Date.parse(wait.body.result.preview.until) - Date.now()).toBeGreaterThan(50_000)
  const custom = await preview('info', { previewPayload: { payload: { number: 3 } } })
  expect(custom.body.result.preview).toMatchObject({ number: 3 })
  expect((await preview('nowhere', {})).status).toBe(404)
})

test('explain asks it too, for the first people', async () => {
  const explain = async (name: string, to: string[]): Promise<Json[]> => {
    const { body } = await env.post('/v1/events/explain', { name, to, payload: { number: 1 } })
    return body.recipients
  }
  const [ann] = await explain('everything', ['ann'])
  expect(Object.fromEntries(ann.steps.map(({ stepId, outcome }: Json) => [stepId, outcome]))).toMatchObject({
    guard: 'throttle',
    info: 'run',
    inbox: 'send',
    gather: 'digest',
    pause: 'delay',
    mail: 'send',
    text: 'fail',
  })
  const isOpen = (it: Json) => it.steps.some((step: Json) => step.outcome === 'ask')
  expect((await explain('hello-code', ['ann', 'b', 'c', 'd'])).filter(isOpen)).toHaveLength(1)
})

test('the framework triggers its workflow through us, and reads the transactionId from the bare reply', async () => {
  const { workflow } = await import('@novu/framework')
  const own = workflow('hello-code', async () => {})
  const done = await own.trigger({ to: 'zoe', payload: {}, secretKey: env.key, apiUrl: h.url })
  expect(done.data).toMatchObject({ acknowledged: true, status: 'processed', transactionId: expect.any(String) })
  const [job] = await ended(String(done.data.transactionId))
  expect(job.status).toBe('completed')
  expect(await done.cancel()).toBeDefined()
})

test('in the dialect its trigger works, but it looks for the transactionId one level too high', async () => {
  const { url } = await h.node({ VENDOR_NAMES: 'novu' })
  const { workflow } = await import('@novu/framework')
  const own = workflow('hello-code', async () => {})
  const done = await own.trigger({ to: 'zac', payload: {}, secretKey: env.key, apiUrl: url })
  const { data }: Json = done.data
  expect(data).toMatchObject({ acknowledged: true, status: 'processed', transactionId: expect.any(String) })
  expect(done.data.transactionId).toBeUndefined()
  const [job] = await ended(data.transactionId)
  expect(job.status).toBe('completed')
})

test('while it is away previews say so, steps wait, and go on when it is back', async () => {
  await app.kill()
  const preview = await env.post('/v2/workflows/everything/step/inbox/preview', { previewPayload: {} })
  expect(preview.body.result.errors).toMatchObject([
    { field: 'bridge', message: expect.stringContaining('refused the connection') },
  ])
  const explained = await env.post('/v1/events/explain', { name: 'hello-code', to: 'ann' })
  expect(explained.body.recipients[0].steps[0]).toMatchObject({
    outcome: 'ask',
    why: expect.stringContaining('refused the connection'),
  })
  const { transactionId } = await trigger(env, { name: 'hello-code', to: 'yan' })
  await expect.poll(async () => (await env.get('/v1/bridge')).body.failingReason).toContain('refused')
  const metrics = await (await fetch(`${h.url}/metrics`)).text()
  expect(metrics).toMatch(/tidings_bridge_waiting_steps [1-9]/)
  expect(metrics).toMatch(/tidings_bridge_calls_total\{outcome="later"\} [1-9]/)
  await app.start(env.key)
  const [job] = await ended(transactionId)
  expect(job.status).toBe('completed')
  expect(app.seen().filter((line) => line === 'yan hello')).toHaveLength(1)
})

test('another key than its own is refused, and the words are shown', async () => {
  await app.kill()
  await app.start('another-key')
  const reply = await env.post('/v1/bridge/sync', { bridgeUrl: app.url })
  expect([reply.status, reply.body.code]).toEqual([400, 'bridge_failed'])
  expect(reply.body.message).toMatch(/401 Signature\w+/)
  const { transactionId } = await trigger(env, { name: 'hello-code', to: 'xia' })
  const [job] = await ended(transactionId)
  expect(job.status).toBe('failed')
  expect(JSON.stringify(job.executionDetails)).toMatch(/401 Signature\w+/)
})
