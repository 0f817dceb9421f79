import { describe, expect, test } from 'vitest'
import { unique } from '../../../test/fixture-makers.ts'
import { useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()

const inApp = (body = 'Hello') => ({ name: 'In-app', type: 'in_app', controlValues: { body } })
const withSteps = (...steps: unknown[]) => ({ workflowId: unique('workflow'), name: 'A', steps })

describe('POST /v2/workflows', () => {
  test('shows everything it stored, defaults included', async () => {
    const env = await h.environment()
    const reply = await env.post('/v2/workflows', { workflowId: ' order-shipped ', name: 'Order', steps: [inApp()] })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workflowId: 'order-shipped',
      slug: 'order-shipped',
      name: 'Order',
      description: '',
      tags: [],
      active: true,
      status: 'ACTIVE',
      version: 1,
      severity: 'none',
      critical: false,
      validatePayload: true,
      payloadSchema: null,
      origin: 'platform-cloud',
      isTranslationEnabled: false,
      preferences: {
        user: null,
        default: {
          all: { enabled: true, readOnly: false },
          channels: {
            in_app: { enabled: true },
            email: { enabled: true },
            sms: { enabled: true },
            chat: { enabled: true },
            push: { enabled: true },
          },
        },
      },
      createdAt: expect.any(String),
      updatedAt: reply.body.createdAt,
      steps: [
        {
          _id: expect.any(String),
          stepId: 'in-app',
          slug: 'in-app',
          name: 'In-app',
          type: 'in_app',
          active: true,
          shouldStopOnFail: false,
          filters: [],
          variants: [],
          controlValues: { body: 'Hello' },
          controls: { values: { body: 'Hello' } },
          variables: {},
          origin: 'platform-cloud',
          workflowId: 'order-shipped',
          workflowDatabaseId: reply.body._id,
        },
      ],
    })
    expect((await env.get('/v2/workflows/order-shipped')).body).toEqual(reply.body)
  })

  test('keeps what was said about a workflow and its steps', async () => {
    const env = await h.environment()
    const payloadSchema = { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] }
    const { body } = await env.post('/v2/workflows', {
      ...withSteps({
        stepId: 'mail',
        name: 'Mail',
        type: 'email',
        active: false,
        shouldStopOnFail: true,
        filters: [{ children: [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }] }],
        controlValues: { subject: 'S', body: 'B', from: 'Acme <news@acme.example>', replyTo: 'r@acme.example' },
      }),
      description: 'About orders',
      active: false,
      tags: ['orders', 'orders', 'shop'],
      severity: 'high',
      validatePayload: false,
      payloadSchema,
      preferences: { user: { all: { enabled: false, readOnly: true }, channels: { sms: { enabled: false } } } },
    })
    expect(body).toMatchObject({
      description: 'About orders',
      active: false,
      status: 'INACTIVE',
      tags: ['orders', 'shop'],
      severity: 'high',
      critical: true,
      validatePayload: false,
      payloadSchema,
      preferences: {
        user: {
          all: { enabled: false, readOnly: true },
          channels: { sms: { enabled: false }, push: { enabled: false } },
        },
      },
    })
    expect(body.steps[0]).toMatchObject({
      stepId: 'mail',
      active: false,
      shouldStopOnFail: true,
      filters: [{ isNegated: false, type: 'GROUP', value: 'AND', children: [{ field: 'plan' }] }],
      controlValues: {
        subject: 'S',
        body: 'B',
        editorType: 'html',
        from: { name: 'Acme', email: 'news@acme.example' },
        replyTo: 'r@acme.example',
      },
    })
  })

  test('409 when the workflowId is taken; another environment may use it', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const body = withSteps(inApp())
    expect((await env.post('/v2/workflows', body)).status).toBe(201)
    expect((await env.post('/v2/workflows', body)).body.code).toBe('workflow_exists')
    expect((await other.post('/v2/workflows', body)).status).toBe(201)
  })

  test('twenty at once under one workflowId: one is made', async () => {
    const env = await h.environment()
    const body = withSteps(inApp())
    const replies = await Promise.all(Array.from({ length: 20 }, () => env.post('/v2/workflows', body)))
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  test('steps without a stepId are named after their name, and never take a given one', async () => {
    const env = await h.environment()
    const { body } = await env.post(
      '/v2/workflows',
      withSteps(
        { ...inApp(), name: 'Tell them!' },
        { ...inApp(), name: 'Tell them' },
        { ...inApp(), name: 'Über uns' },
        { ...inApp(), name: '→' },
        { ...inApp(), stepId: 'tell-them' },
      ),
    )
    expect(body.steps.map((step: { stepId: string }) => step.stepId)).toEqual([
      'tell-them-2',
      'tell-them-3',
      'uber-uns',
      'step',
      'tell-them',
    ])
  })

  test('drops fields that a step type does not know, and nulls', async () => {
    const env = await h.environment()
    const { body } = await env.post(
      '/v2/workflows',
      withSteps({
        name: 'A',
        type: 'in_app',
        controlValues: { body: 'B', avatar: null, colour: 'red', redirect: { url: '/x', speed: 9 }, data: { a: null } },
      }),
    )
    expect(body.steps[0].controlValues).toEqual({ body: 'B', redirect: { url: '/x' }, data: { a: null } })
  })

  test('a waiting step is completed with its kind', async () => {
    const env = await h.environment()
    const body = withSteps(
      inApp(),
      { name: 'Wait', type: 'delay', controlValues: { amount: 5, unit: 'minutes' } },
      { name: 'Off', type: 'digest', active: false, controlValues: { amount: 1, unit: 'hours' } },
    )
    const saved = await env.post('/v2/workflows', body)
    expect(saved).toMatchObject({ status: 201, body: { status: 'ACTIVE' } })
    expect(saved.body.steps[1].controlValues).toEqual({ type: 'regular', amount: 5, unit: 'minutes' })
  })
})

type Refused = [name: string, step: Record<string, unknown>, field: string, message?: RegExp]

const email = (controlValues: unknown) => ({ name: 'A', type: 'email', controlValues })
const typed = (type: string, controlValues?: unknown) => ({
  name: 'A',
  type,
  ...(controlValues ? { controlValues } : {}),
})

const refusedSteps: Refused[] = [
  ['in_app without text', typed('in_app', { avatar: 'x' }), 'body'],
  ['in_app without control values', typed('in_app'), 'body'],
  ['in_app with blank text', typed('in_app', { body: '  ' }), 'body'],
  ['in_app action without label', typed('in_app', { body: 'B', primaryAction: {} }), 'primaryAction.label'],
  [
    'in_app redirect to an unknown target',
    typed('in_app', { body: 'B', redirect: { url: '/', target: 'moon' } }),
    'redirect.target',
  ],
  ['in_app data that is a list', typed('in_app', { body: 'B', data: [] }), 'data'],
  ['email without subject', email({ body: 'B' }), 'subject'],
  ['email without body', email({ subject: 'S' }), 'body'],
  ['email with an unknown editor', email({ subject: 'S', body: 'B', editorType: 'word' }), 'editorType'],
  ['email with a number as subject', email({ subject: 7, body: 'B' }), 'subject', /string/],
  ['sms without body', typed('sms', {}), 'body'],
  ['chat without body', typed('chat', {}), 'body'],
  ['push without body', typed('push', { subject: 'S' }), 'body'],
  ['a template that is not closed', typed('sms', { body: 'Hi {{ subscriber.firstName' }), 'body', /template/],
  ['a template with an unknown filter', typed('sms', { body: '{{ "a" | shout }}' }), 'body', /template/],
  ['a template in a nested field', typed('in_app', { body: 'B', redirect: { url: '{% if %}' } }), 'redirect.url'],
  ['a template in data', typed('in_app', { body: 'B', data: { a: { b: '{{' } } }), 'data.a.b'],
  ['delay without duration', typed('delay', {}), 'amount'],
  ['delay of nothing', typed('delay', { amount: 0, unit: 'minutes' }), 'amount'],
  ['delay by an unknown unit', typed('delay', { amount: 1, unit: 'moons' }), 'unit'],
  ['delay of more than a year', typed('delay', { amount: 367, unit: 'days' }), 'amount', /366 days/],
  ['digest of more than a year', typed('digest', { amount: 13, unit: 'months' }), 'amount', /366 days/],
  ['delay to a path that is not given', typed('delay', { type: 'scheduled' }), 'delayPath'],
  ['timed digest without a time', typed('digest', { type: 'timed' }), 'cron'],
  ['timed digest at no time', typed('digest', { timed: { atTime: 'noonish' } }), 'timed.atTime'],
  ['timed digest on no day', typed('digest', { timed: { monthDays: ['32'] } }), 'timed.monthDays.0'],
  ['throttle without window', typed('throttle', { threshold: 3 }), 'amount'],
]

describe('saving refuses, and names the field', () => {
  test.each(refusedSteps)('%s', async (_name, step, field, message = /./) => {
    const env = await h.environment()
    const { status, body } = await env.post('/v2/workflows', { ...withSteps(inApp(), step), active: false })
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' })
    expect(body.errors[`steps.1.controlValues.${field}`]?.messages.join()).toMatch(message)
  })

  test('two steps of one stepId', async () => {
    const env = await h.environment()
    const { body } = await env.post(
      '/v2/workflows',
      withSteps({ ...inApp(), stepId: 'a' }, { ...inApp(), stepId: 'a' }),
    )
    expect(body.errors['steps.1.stepId'].messages).toEqual(['must be unique within the workflow'])
  })

  test('every fault at once', async () => {
    const env = await h.environment()
    const { body } = await env.post('/v2/workflows', {
      ...withSteps(typed('sms'), email({})),
      payloadSchema: { type: 'rock' },
    })
    expect(Object.keys(body.errors).sort()).toEqual([
      'payloadSchema',
      'steps.0.controlValues.body',
      'steps.1.controlValues.body',
      'steps.1.controlValues.subject',
    ])
  })

  // 2^30 rules once its references are followed.
  const woven = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [
      `d${n}`,
      n === 29
        ? { type: 'string' }
        : { allOf: [{ $ref: `#/definitions/d${n + 1}` }, { $ref: `#/definitions/d${n + 1}` }] },
    ]),
  )

  test.each<[string, object, RegExp]>([
    ['an unknown type', { type: 'rock' }, /JSON Schema/],
    ['properties that are no object', { properties: 7 }, /JSON Schema/],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }, /JSON Schema/],
    ['a reference to another document', { $ref: 'https://example.com/schema.json' }, /must be local/],
    ['a reference to nothing', { $ref: '#/definitions/a' }, /names nothing/],
    ['a reference that leads back', { definitions: { a: { $ref: '#/definitions/a' } } }, /leads back/],
    ['references woven into a bomb', { definitions: woven, $ref: '#/definitions/d0' }, /rules/],
    ['$async', { $async: true, type: 'object' }, /\$async/],
    ['an inner base', { properties: { a: { $id: 'https://example.com/a' } } }, /\$id/],
    ['more than 64 KB', { description: 'x'.repeat(65 * 1024) }, /larger than 64 KB/],
  ])('a payload schema with %s', async (_name, payloadSchema, message) => {
    const env = await h.environment()
    const reply = await env.post('/v2/workflows', { ...withSteps(inApp()), payloadSchema })
    expect(reply.status).toBe(422)
    expect(reply.body.errors.payloadSchema.messages.join()).toMatch(message)
  })

  test('a payload schema of any dialect, with an $id that others use too, is taken', async () => {
    const payloadSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/order',
      $defs: { id: { type: 'string', format: 'uuid' } },
      properties: { id: { $ref: '#/$defs/id' }, other: { $ref: '#/$defs/id' }, $ref: { type: 'string' } },
    }
    for (const env of [await h.environment(), await h.environment()]) {
      expect((await env.post('/v2/workflows', { ...withSteps(inApp()), payloadSchema })).status).toBe(201)
    }
  })
})
