import * as shapes from '@novu/api-newest/models/components/index.js'
import { describe, expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import { channel, integration, person, type startReplay, step, workflow } from '../../../test/import/recorded.ts'
import { useImports } from '../../../test/import/run-import.ts'

/** What the old service alone can say, replayed in the shapes that its published client reads. */
const h = useHarness()
const { replay, run, serve } = useImports(() => h.url)

const document = JSON.stringify({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hi' }] }],
})
const rule = { and: [{ '==': [{ var: 'payload.kind' }, 'new'] }, { in: [{ var: 'subscriber.locale' }, ['de', 'en']] }] }
const whole = workflow(
  'whole',
  [
    step('email', 'mail', {
      subject: 'S',
      body: document,
      editorType: 'block',
      disableOutputSanitization: false,
      skip: rule,
    }),
    step('in_app', 'bell', { body: 'B', redirect: { url: '/a', target: '_self' }, data: { a: 1 } }),
    step('digest', 'gather', {
      type: 'regular',
      amount: 1,
      unit: 'days',
      lookBackWindow: { amount: 5, unit: 'minutes' },
    }),
    step('digest', 'daily', { type: 'timed', cron: '0 9 * * *' }),
    step('delay', 'wait', { type: 'timed', cron: '0 9 * * *' }),
    step('throttle', 'slow', { type: 'fixed', amount: 1, unit: 'hours', threshold: 3 }),
  ],
  { tags: ['a'], severity: 'high', payloadSchema: { type: 'object' }, validatePayload: true },
)
const workflows = [
  whole,
  workflow('odd', [
    step('http_request', 'call', { method: 'POST', url: 'https://example.com', headers: [] }),
    step('sms', 'sms', { body: 'B' }),
  ]),
  workflow('seen', [step('sms', 'later', { body: 'B', skip: { '==': [{ var: 'steps.bell.seen' }, false] } })]),
  workflow('coded', [step('custom', 'own', { custom: {} })], { origin: 'external' }),
  workflow('draft', [step('email', 'mail', { subject: '', body: '' })]),
  workflow('long', [step('sms', 'sms', { body: 'B', unheard: 'of' })], {
    name: 'x'.repeat(5_000),
    description: 'y'.repeat(9_000),
  }),
]

test('the recorded replies are what the published client reads', () => {
  for (const it of workflows) expect(shapes.WorkflowResponseDto$inboundSchema.safeParse(it).error).toBeUndefined()
  const chat = channel('slack', { webhookUrl: 'https://hooks.example.com' })
  const ada = person('ada', { channels: [chat] })
  expect(shapes.SubscriberResponseDto$inboundSchema.safeParse(ada).error).toBeUndefined()
  expect(shapes.IntegrationResponseDto$inboundSchema.safeParse(integration('sendgrid')).error).toBeUndefined()
})

describe.each([true, false])('wrapped: %s', (isWrapped) => {
  test('workflows: what can be carried is, the rest is named with its reason', async () => {
    const to = await h.environment()
    const { text, left } = await run(await replay({ workflows }, { isWrapped }), to, '--only', 'workflows')
    expect((await to.get('/v2/workflows/whole')).body).toMatchObject({
      active: true,
      severity: 'high',
      tags: ['a'],
      steps: [
        {
          controlValues: { editorType: 'block' },
          filters: ['de', 'en'].map((value) => ({
            value: 'AND',
            children: [
              { on: 'payload', field: 'kind', operator: 'EQUAL', value: 'new' },
              { on: 'subscriber', field: 'locale', operator: 'EQUAL', value },
            ],
          })),
        },
        { controlValues: { body: 'B', data: { a: 1 } } },
        { controlValues: { lookBackWindow: { amount: 5 } } },
        { controlValues: { cron: '0 9 * * *' } },
        { controlValues: { type: 'timed' } },
        { controlValues: { threshold: 3 } },
      ],
    })
    expect((await to.get('/v2/workflows/odd')).body).toMatchObject({ active: false, steps: [{ stepId: 'sms' }] })
    expect((await to.get('/v2/workflows/seen')).body).toMatchObject({ active: false, steps: [{ filters: [] }] })
    expect((await to.get('/v2/workflows/coded')).status).toBe(404)
    expect((await to.get('/v2/workflows/draft')).status).toBe(404)
    expect((await to.get('/v2/workflows/long')).body.name).toHaveLength(255)
    const reasons = (name: string) => left.filter((it) => it.name === name).map((it) => it.why)
    expect(reasons('whole')).toEqual([])
    expect(reasons('odd')).toEqual([expect.stringContaining('"http_request"'), expect.stringContaining('switched off')])
    expect(reasons('seen')[0]).toContain('steps.bell.seen')
    expect(reasons('coded')[0]).toContain('defined in your code')
    expect(reasons('draft')).toEqual([expect.stringContaining('required'), expect.stringContaining('required')])
    expect(reasons('long')).toEqual([
      expect.stringContaining('not known in a step'),
      expect.stringContaining('5000 characters'),
      expect.stringContaining('9000 characters'),
    ])
    expect(text).toMatch(/^workflows +6 +4 +0 +0 +2/m)
  })

  test('people: hostile contents cost what they are in, and nobody else', async () => {
    const to = await h.environment()
    const deep = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)
    const subscribers = [
      ...Array.from({ length: 120 }, (_, n) => person(`p${n}`, { firstName: `F${n}` })),
      person('ada', {
        email: '',
        locale: 'de-DE',
        data: { data: { data: 1 } },
        channels: [
          channel('fcm', { deviceTokens: ['t1'], webhookUrl: null }),
          channel('grafana-on-call', { webhookUrl: 'https://hooks.example.com', alertUid: 'u', unheard: 'of' }),
          channel('novu-slack', { webhookUrl: 'https://hooks.example.com/slack' }),
          channel('pagerduty-of-tomorrow', { webhookUrl: 'https://hooks.example.com' }),
        ],
      }),
      person('huge', { firstName: 'x'.repeat(100_000), lastName: 'L' }),
      person('deep', { data: deep }),
      person('odd', { email: 'secret-odd', timezone: 'Mars', phone: 7, data: JSON.parse('{"__proto__":{"a":1}}') }),
      person('gone', { deleted: true }),
      { _id: 'ffffffffffffffffffffffff', nonsense: true },
    ]
    const { text, left } = await run(await replay({ subscribers }, { isWrapped }), to, '--only', 'subscribers')
    expect((await to.get('/v2/subscribers/ada')).body).toMatchObject({
      email: null,
      data: { data: { data: 1 } },
      channels: [{ providerId: 'fcm' }, { providerId: 'grafana-on-call' }, { providerId: 'platform-slack' }],
    })
    expect((await to.get('/v2/subscribers/huge')).body).toMatchObject({ firstName: null, lastName: 'L' })
    expect((await to.get('/v2/subscribers/deep')).status).toBe(404)
    expect((await to.get('/v2/subscribers/odd')).body).toMatchObject({ email: null, phone: null, timezone: null })
    expect((await to.get('/v2/subscribers')).body.totalCount).toBe(123)
    expect(left.filter((it) => it.name === 'ada').map((it) => it.field)).toEqual([
      'channels.grafana-on-call.unheard',
      'channels.3.pagerduty-of-tomorrow',
      // Their integrations are not here.
      'channels.0.fcm',
      'channels.1.grafana-on-call',
      'channels.2.platform-slack',
    ])
    expect(text + JSON.stringify(left)).not.toContain('secret-odd')
    expect(text).toMatch(/^subscribers +126 +123 +0 +0 +3/m)
  })
})

test('preferences: only what differs from what would hold anyway is a choice', async () => {
  const to = await h.environment()
  const off = {
    user: null,
    default: { all: { enabled: true, readOnly: false }, channels: { sms: { enabled: false } } },
  }
  const steps = [step('sms', 'sms', { body: 'B' }), step('in_app', 'bell', { body: 'B' })]
  const own = [workflow('plain', steps), workflow('quiet', steps, { preferences: off })]
  const all = { in_app: true, email: true, sms: true, chat: true, push: true }
  const of = (identifier: string, channels: object) => ({
    enabled: true,
    channels,
    overrides: [],
    workflow: { identifier, slug: identifier, name: identifier },
  })
  const preferences = {
    ada: {
      global: { enabled: true, channels: { ...all, email: false } },
      workflows: [of('plain', { sms: false, in_app: true }), of('quiet', { sms: true, in_app: true })],
    },
    bob: {
      global: { enabled: true, channels: all },
      workflows: [of('plain', { sms: true, in_app: true }), of('quiet', { sms: false, in_app: true })],
    },
  }
  const from = await replay({ workflows: own, subscribers: [person('ada'), person('bob')], preferences })
  await run(from, to, '--only', 'workflows,subscribers,preferences')
  const chosen = async (id: string) => (await to.get(`/v2/subscribers/${id}/export`)).body.preferences.choices
  const byWorkflow = (a: Json, b: Json) => (String(a.workflowId ?? '') < String(b.workflowId ?? '') ? -1 : 1)
  expect((await chosen('ada')).toSorted(byWorkflow)).toMatchObject([
    { channels: { email: false } },
    { workflowId: 'plain', channels: { sms: false } },
    { workflowId: 'quiet', channels: { sms: true } },
  ])
  expect(await chosen('bob')).toEqual([])
  expect((await run(from, to, '--only', 'workflows,subscribers,preferences')).text).toContain('0 created, 0 changed')
})

test('integrations arrive without secrets, switched off; agents and unknown providers are left out', async () => {
  const to = await h.environment()
  const integrations = [
    integration('sendgrid', { credentials: { apiKey: 'SG.theirs' } }),
    integration('novu', { channel: 'in_app', identifier: 'in-app', credentials: { hmac: true } }),
    integration('fax', { channel: 'email' }),
    integration('novu-agent', { kind: 'agent' }),
    integration('twilio', { channel: 'sms', deleted: true }),
  ]
  const { text, left } = await run(await replay({ integrations }), to, '--only', 'integrations')
  const made = (await to.get('/v1/integrations')).body
  expect(made.map((it: Json) => [it.identifier, it.providerId, it.active, it.credentials])).toEqual(
    expect.arrayContaining([
      ['sendgrid-x', 'sendgrid', false, {}],
      ['in-app', 'platform', true, {}],
    ]),
  )
  expect(left.map((it) => it.why)).toEqual(['the provider "fax" is not known here', 'there are no agents here'])
  const { _id } = made.find((it: Json) => it.identifier === 'sendgrid-x')
  expect(text).toContain(`sendgrid-x: ${h.url}/integrations/${_id}`)
  expect(text).not.toContain('SG.theirs')
})

test('topics: names, members, subscriptions of their own', async () => {
  const to = await h.environment()
  await to.post('/v2/workflows', { workflowId: 'w', name: 'W', steps: [] })
  const topics = [
    { _id: 'a1', key: 'news', name: 'News' },
    { _id: 'a2', key: 'no key here', name: 'Bad' },
  ]
  const ada = { _id: 'b1', subscriberId: 'ada' }
  const preferences = [
    {
      subscriptionId: 'c2',
      enabled: true,
      condition: { '==': [1, 1] },
      workflow: { id: 'x', identifier: 'w', name: 'W', critical: false, severity: 'none' },
    },
  ]
  const members = {
    news: [
      { _id: 'c1', identifier: 'tk_news:si_ada', createdAt: 't', topic: topics[0], subscriber: ada },
      { _id: 'c2', identifier: 'weekly', createdAt: 't', topic: topics[0], subscriber: ada },
      {
        _id: 'c3',
        identifier: 'tk_news:si_lost',
        createdAt: 't',
        topic: topics[0],
        subscriber: { _id: 'b9', subscriberId: 'lost' },
      },
    ],
  }
  const details = {
    weekly: { id: 'c2', identifier: 'weekly', name: 'Weekly', preferences },
    'tk_news:si_ada': { id: 'c1', preferences: [] },
    'tk_news:si_lost': { id: 'c3', preferences: [] },
  }
  const from = await replay({ subscribers: [person('ada')], topics, members, details })
  const { left } = await run(from, to, '--only', 'subscribers,topics')
  expect((await to.get('/v2/topics/news')).body.name).toBe('News')
  expect((await to.get('/v2/topics/news/subscriptions/weekly')).body).toMatchObject({
    name: 'Weekly',
    preferences: [{ condition: { '==': [1, 1] } }],
  })
  expect((await to.get('/v2/topics/news/subscriptions/tk_news:si_ada')).body.identifier).toBe('tk_news:si_ada')
  expect(left.map((it) => it.name)).toEqual(['no key here', 'lost in news'])
  expect((await run(from, to, '--only', 'subscribers,topics')).text).toContain('0 created, 0 changed')
})

test('tenants by page numbers, contexts by cursors', async () => {
  const to = await h.environment()
  const tenants = Array.from({ length: 230 }, (_, n) => ({ _id: `t${n}`, identifier: `acme-${n}`, name: `Acme ${n}` }))
  const contexts = Array.from({ length: 130 }, (_, n) => ({
    _id: `c${String(n).padStart(4, '0')}`,
    type: 'team',
    id: `t${n}`,
    data: { n },
  }))
  const from = await replay({ tenants, contexts })
  const { text } = await run(from, to, '--only', 'contexts')
  expect(text).toMatch(/^tenants +230 +230 +0 +0 +0/m)
  expect((await to.get('/v1/tenants/acme-229')).body.name).toBe('Acme 229')
  expect(text).toMatch(/^contexts +130 +130 +0 +0 +0/m)
  expect((await to.get('/v2/contexts/team/t129')).body.data).toEqual({ n: 129 })
  tenants.splice(5, 1)
  expect((await run(from, to, '--only', 'contexts')).text).toContain('0 created, 0 changed')
})

describe('a service that is busy, or changes while it is read', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => person(`s${n}`))

  test('429 with Retry-After is waited for, cut connections and 503 are tried again', async () => {
    const to = await h.environment()
    const faults = new Map<number, ReturnType<NonNullable<NonNullable<Parameters<typeof startReplay>[1]>['before']>>>([
      [1, { status: 429, headers: { 'retry-after': '1' } }],
      [3, 'cut'],
      [5, { status: 503 }],
    ])
    const from = await replay({ subscribers: many(350) }, { before: (_path, count) => faults.get(count) })
    const { text } = await run(from, to, '--only', 'subscribers')
    expect((await to.get('/v2/subscribers')).body.totalCount).toBe(350)
    expect(text).toMatch(/3 of them again/)
  })

  test('who comes and goes meanwhile is neither lost nor taken twice', async () => {
    const to = await h.environment()
    const subscribers = many(250)
    let pages = 0
    const before = (path: string) => {
      if (path !== '/v2/subscribers' || ++pages !== 2) return undefined
      subscribers.splice(10, 5)
      subscribers.push(person('late'))
      return undefined
    }
    const { text } = await run(await replay({ subscribers }, { before }), to, '--only', 'subscribers')
    expect((await to.get('/v2/subscribers/late')).status).toBe(200)
    expect(text).toMatch(/^subscribers +251 +251 +0 +0 +0/m)
  })

  test('a list by offsets, of which something is deleted between two pages, is read again', async () => {
    const to = await h.environment()
    const list = Array.from({ length: 150 }, (_, n) => workflow(`w${n}`, [step('sms', 'sms', { body: 'B' })]))
    let pages = 0
    const before = (path: string) => {
      if (path === '/v2/workflows' && ++pages === 2) list.splice(0, 3)
      return undefined
    }
    await run(await replay({ workflows: list }, { before }), to, '--only', 'workflows')
    // Without the second reading these would be missing.
    for (const name of ['w100', 'w101', 'w102', 'w149']) {
      expect([name, (await to.get(`/v2/workflows/${name}`)).status]).toEqual([name, 200])
    }
  })

  test('lists of people that leave out their channels are completed person by person', async () => {
    const to = await h.environment()
    const full = [person('ada', { channels: [channel('fcm', { deviceTokens: ['t1'] })] }), ...many(30)]
    const from = await startLacking(full)
    await run(from, to, '--only', 'subscribers')
    expect((await to.get('/v2/subscribers/ada')).body.channels).toMatchObject([{ providerId: 'fcm' }])
  })

  async function startLacking(full: Json[]): Promise<{ url: string }> {
    const from = await replay({ subscribers: full.map(({ channels: _channels, ...rest }) => rest) })
    const details = await replay({ subscribers: full })
    const url = await serve(async (request, response) => {
      const isOne = /^\/v2\/subscribers\/./.test(request.url ?? '')
      const reply = await fetch((isOne ? details : from).url + request.url, {
        headers: { authorization: 'ApiKey old-key' },
      })
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
    })
    return { url }
  }

  test('a list without an end is refused', async () => {
    const to = await h.environment()
    const url = await serve((_request, response) => {
      const body = { data: [person('ada')], next: 'again', previous: null, totalCount: 1, totalCountCapped: false }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    const { code, text } = await run({ url }, to, '--only', 'subscribers')
    expect([code, text]).toEqual([1, expect.stringContaining('again and again')])
  })

  test('a service that lacks a list is told so, and the rest is imported', async () => {
    const to = await h.environment()
    const before = (path: string) => (path === '/v2/layouts' ? { status: 404 } : undefined)
    const { text } = await run(
      await replay({ subscribers: many(3) }, { before }),
      to,
      '--without',
      'preferences,contexts',
    )
    expect(text).toMatch(/layouts: .*answers 404/)
    expect((await to.get('/v2/subscribers')).body.totalCount).toBe(3)
  })
})
