import { Novu } from '@novu/api-newest'
import { describe, expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()

async function preview(env: Client, step: object, more: object = {}): Promise<Json> {
  const reply = await env.post('/v2/workflows/preview', { step, ...more })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const greeting = 'Hello {{subscriber.firstName}}, order {{payload.order}}'

describe('a step that is stored nowhere', () => {
  test('e-mail: all that the person would see, for a stored person and a payload', async () => {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com' })
    const controlValues = {
      subject: 'Order {{payload.order}}',
      body: `<p>${greeting}</p>`,
      preheader: 'For {{subscriber.firstName}}',
      from: { email: 'shop@example.com', name: 'Shop {{payload.order}}' },
      replyTo: 'nobody',
    }
    const shown = await preview(
      env,
      { type: 'email', controlValues },
      { subscriberId: 'ada', previewPayload: { payload: { order: 7 } } },
    )
    expect(shown).toMatchObject({ applies: true, schema: null })
    expect(shown.result).toEqual({
      type: 'email',
      preview: {
        subject: 'Order 7',
        body: '<p>Hello Ada, order 7</p>',
        text: 'Hello Ada, order 7',
        to: 'ada@example.com',
        // Invalid addresses are left out, as in a real send.
        from: { email: 'shop@example.com', name: 'Shop 7' },
        preheader: 'For Ada',
      },
      errors: [],
    })
  })

  test('in-app: texts, links, buttons and data', async () => {
    const env = await h.environment()
    const controlValues = {
      body: greeting,
      avatar: 'https://example.com/{{payload.order}}.png',
      redirect: { url: '/orders/{{payload.order}}', target: '_self' },
      primaryAction: { label: 'See {{payload.order}}', redirect: { url: '/o/{{payload.order}}' } },
      data: { order: '{{payload.order}}', list: ['{{payload.order}}', 1] },
    }
    const previewPayload = { payload: { order: 7 }, subscriber: { firstName: 'Eve' } }
    const { result } = await preview(env, { type: 'in_app', controlValues }, { previewPayload })
    expect(result.preview).toEqual({
      body: 'Hello Eve, order 7',
      avatar: 'https://example.com/7.png',
      redirect: { url: '/orders/7', target: '_self' },
      primaryAction: { label: 'See 7', redirect: { url: '/o/7' } },
      data: { order: '7', list: ['7', 1] },
    })
  })

  test('fields given stand over those of the stored person; without a person there is an example', async () => {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace' })
    const step = { type: 'sms', controlValues: { body: '{{subscriber.firstName}} {{subscriber.lastName}}' } }
    const previewPayload = { subscriber: { firstName: 'Augusta', phone: '+4912345' } }
    const both = await preview(env, step, { subscriberId: 'ada', previewPayload })
    expect(both.result.preview).toEqual({ body: 'Augusta Lovelace', to: '+4912345' })
    const nobody = await preview(env, step)
    expect(nobody.result.preview.body).toBe('Ada Lovelace')
    expect(nobody.previewPayloadExample.subscriber).toMatchObject({ firstName: 'Ada' })
    const unknown = await env.post('/v2/workflows/preview', { step, subscriberId: 'nobody' })
    expect(unknown.body).toMatchObject({ statusCode: 404, code: 'subscriber_not_found' })
  })

  test('one field that fails is named and does not hide the others', async () => {
    const env = await h.environment()
    const controlValues = { subject: 'Fine', body: '{% for i in (1..100000000) %}x{% endfor %}', preheader: '{{ oops' }
    const { result } = await preview(env, { type: 'email', controlValues })
    expect(result.preview).toMatchObject({ subject: 'Fine', body: '' })
    expect(result.errors.map((fault: Json) => fault.field).sort()).toEqual(['body', 'preheader'])
    for (const { message } of result.errors) expect(message.length).toBeGreaterThan(5)
    expect(result.error).toMatchObject({ title: expect.any(String), message: expect.any(String) })
  })

  test('what is missing is said, not refused: an editor is never finished', async () => {
    const env = await h.environment()
    const { result } = await preview(env, { type: 'email' })
    expect(result.errors.map((fault: Json) => fault.field).sort()).toEqual(['body', 'subject'])
  })

  test('templates that would eat the machine are stopped', async () => {
    const env = await h.environment()
    const bomb = '{% for a in (1..9999) %}{% for b in (1..9999) %}{% assign x = a | times: b %}{% endfor %}{% endfor %}'
    const { result } = await preview(env, { type: 'sms', controlValues: { body: bomb } })
    expect(result).toMatchObject({ preview: { body: '' }, errors: [{ field: 'body' }] })
  })

  test('filters and variants decide as they do in earnest', async () => {
    const env = await h.environment()
    const ifGold = [
      {
        isNegated: false,
        type: 'TEXT',
        value: 'AND',
        children: [{ field: 'plan', value: 'gold', operator: 'EQUAL', on: 'payload' }],
      },
    ]
    const plan = (name: string) => ({ previewPayload: { payload: { plan: name } } })
    const filtered = { type: 'sms', controlValues: { body: 'Hi' }, filters: ifGold }
    expect(await preview(env, filtered, plan('gold'))).toMatchObject({ applies: true })
    expect(await preview(env, filtered, plan('tin'))).toMatchObject({ applies: false, why: expect.any(String) })
    const variants = [{ name: 'Gold', filters: ifGold, controlValues: { body: 'Dear' } }]
    const varied = { type: 'sms', controlValues: { body: 'Hi' }, variants }
    const gold = await preview(env, varied, plan('gold'))
    expect(gold).toMatchObject({ variant: 'Gold', result: { preview: { body: 'Dear' } } })
    expect(await preview(env, varied, plan('tin'))).toMatchObject({ result: { preview: { body: 'Hi' } } })
  })

  test('steps that wait say until when, by the clock of the person; a zone that is none is UTC', async () => {
    const env = await h.environment()
    const delay = await preview(env, { type: 'delay', controlValues: { amount: 2, unit: 'hours' } })
    const hours = (Date.parse(delay.result.preview.until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(1.99)
    expect(hours).toBeLessThan(2.01)
    const atNine = { type: 'digest', controlValues: { type: 'timed', cron: '0 9 * * *' } }
    const zone = (timezone: string) => ({ previewPayload: { subscriber: { timezone } } })
    const tokyo = await preview(env, atNine, zone('Asia/Tokyo'))
    expect(tokyo.result.preview.until).toMatch(/T00:00:00/)
    expect((await preview(env, atNine, zone('Moon/Base'))).result.preview.until).toMatch(/T09:00:00/)
    const path = { type: 'delay', controlValues: { type: 'scheduled', delayPath: 'payload.at' } }
    expect((await preview(env, path)).result.errors).toMatchObject([{ field: 'delayPath' }])
  })

  test('what a digest before it gathered is there for the template', async () => {
    const env = await h.environment()
    const body = '{{step.eventCount}}: {% for event in step.events %}{{event.n}} {% endfor %}'
    const previewPayload = { steps: { events: [{ n: 1 }, { n: 2 }] } }
    const { result } = await preview(env, { type: 'chat', controlValues: { body } }, { previewPayload })
    expect(result.preview.body).toBe('2: 1 2 ')
  })
})

describe('a step of a workflow', () => {
  async function makeWorkflow(env: Client): Promise<Json> {
    const steps = [{ name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: greeting } }]
    const payloadSchema = { type: 'object', properties: { order: { type: 'number' } } }
    return (await env.post('/v2/workflows', { workflowId: 'hello', name: 'Hello', steps, payloadSchema })).body
  }

  test('is found by identifiers and by ids, stored or with values that are not saved', async () => {
    const env = await h.environment()
    const { _id, steps, payloadSchema } = await makeWorkflow(env)
    const body = { previewPayload: { payload: { order: 7 } } }
    for (const path of [`hello/step/mail`, `${_id}/step/${steps[0]._id}`]) {
      const shown = (await env.post(`/v2/workflows/${path}/preview`, body)).body
      expect(shown).toMatchObject({ result: { preview: { body: 'Hello Ada, order 7' } }, schema: payloadSchema })
    }
    const unsaved = { controlValues: { subject: 'Hi', body: 'Other {{payload.order}}' }, ...body }
    const shown = (await env.post('/v2/workflows/hello/step/mail/preview', unsaved)).body
    expect(shown.result.preview.body).toBe('Other 7')
    expect((await env.get('/v2/workflows/hello')).body.steps[0].controlValues.body).toBe(greeting)
  })

  test('unknown workflows and steps are not found', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const code = async (path: string) => (await env.post(`/v2/workflows/${path}/preview`, {})).body.code
    expect(await code('none/step/mail')).toBe('workflow_not_found')
    expect(await code('hello/step/none')).toBe('step_not_found')
  })

  test('the published client reads it', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const client = new Novu({ serverURL: h.url, secretKey: env.key, retryConfig: { strategy: 'none' } })
    const { result } = await client.workflows.steps.generatePreview({
      workflowId: 'hello',
      stepId: 'mail',
      generatePreviewRequestDto: {
        previewPayload: { payload: { order: 7 }, subscriber: { firstName: 'Eve' } },
      },
    })
    expect(result.result).toMatchObject({ type: 'email', preview: { subject: 'Hi', body: 'Hello Eve, order 7' } })
  })
})

describe('a step of a saved workflow that is being changed', () => {
  test('says when the chosen person does not want it', async () => {
    const env = await h.environment()
    const step = { stepId: 'mail', name: 'Mail', type: 'email', controlValues: { subject: 'S', body: 'B' } }
    await env.post('/v2/workflows', { workflowId: 'news', name: 'News', steps: [step] })
    for (const subscriberId of ['ada', 'eve']) await env.post('/v2/subscribers', { subscriberId })
    await env.patch('/v2/subscribers/ada/preferences', { workflowId: 'news', channels: { email: false } })
    const draft = { type: 'email', controlValues: { subject: 'S', body: 'C' } }
    expect(await preview(env, draft, { subscriberId: 'ada', workflowId: 'news' })).toMatchObject({
      applies: false,
      why: expect.stringMatching(/turned off by the subscriber for this workflow/),
    })
    expect(await preview(env, draft, { subscriberId: 'eve', workflowId: 'news' })).toMatchObject({ applies: true })
    expect(await preview(env, draft, { subscriberId: 'ada' })).toMatchObject({ applies: true })
    expect((await env.post('/v2/workflows/preview', { step: draft, workflowId: 'none' })).status).toBe(404)
  })
})
