import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../harness.ts'
import { makeWorkflow, trigger } from '../pipeline.ts'
import { departures } from './golden-judge.ts'

/** Replies as they are, against the tables of section 2, field by field. */
const h = useHarness({}, { worker: true })

const filter = {
  isNegated: false,
  type: 'GROUP',
  value: 'AND',
  children: [{ field: 'vip', value: 'true', operator: 'EQUAL', on: 'payload' }],
}
const waiting = (type: string, controlValues: object) => ({ name: type, type, active: false, controlValues })
const everyStep = [
  {
    name: 'Inbox',
    type: 'in_app',
    controlValues: {
      subject: 'Hi',
      body: 'Hello {{subscriber.firstName}}',
      avatar: 'https://example.com/a.png',
      primaryAction: { label: 'Yes', redirect: { url: '/yes', target: '_blank' } },
      secondaryAction: { label: 'No' },
      redirect: { url: '/' },
      data: { a: '{{payload.a}}', b: [1, { c: null }] },
    },
  },
  {
    name: 'Mail',
    type: 'email',
    controlValues: { subject: 'Hi', body: 'Hello' },
    variants: [{ name: 'VIP', filters: [filter], controlValues: { subject: 'Dear', body: 'VIP' } }],
    when: { stepId: 'inbox', is: 'sent' },
    replyCallback: { active: true, url: 'https://example.com/reply' },
  },
  { name: 'SMS', type: 'sms', controlValues: { body: 'Hello' } },
  { name: 'Push', type: 'push', controlValues: { subject: 'Hi', body: 'Hello' } },
  { name: 'Chat', type: 'chat', controlValues: { body: 'Hello' }, filters: [filter] },
  waiting('delay', { type: 'regular', amount: 1, unit: 'hours' }),
  waiting('delay', { type: 'scheduled', delayPath: 'payload.at' }),
  waiting('digest', { type: 'regular', amount: 1, unit: 'days', digestKey: 'k' }),
  waiting('digest', { type: 'backoff', amount: 1, unit: 'days', lookBackWindow: { amount: 1, unit: 'hours' } }),
  {
    ...waiting('digest', { type: 'timed', timed: { atTime: '09:00', weekDays: ['monday'], monthDays: ['1'] } }),
    variants: [{ filters: [filter], controlValues: { amount: 5, unit: 'minutes' } }],
  },
  waiting('throttle', { amount: 1, unit: 'hours', threshold: 2 }),
]

let env: Client
const replies: Record<string, Json> = {}

/** Everything set, nothing set, and a content that cannot be rendered; seen and read, and not. */
beforeAll(async () => {
  env = await h.environment()
  await makeWorkflow(env, 'rich', {
    steps: everyStep,
    description: 'All of it',
    tags: ['a', 'b'],
    severity: 'high',
    critical: true,
    payloadSchema: { type: 'object', properties: { a: {} } },
    preferences: { user: { all: { enabled: true, readOnly: false }, channels: { email: { enabled: false } } } },
  })
  await makeWorkflow(env, 'plain', { steps: [{ name: 'x', type: 'in_app', controlValues: { body: 'x' } }] })
  await makeWorkflow(env, 'faulty', {
    steps: [{ name: 'x', type: 'in_app', controlValues: { body: '{{ "now" | date: "%1000000000Y" }}' } }],
  })
  const whole = {
    firstName: 'Ada',
    lastName: 'L',
    email: 'ada@example.com',
    phone: '+49123',
    avatar: 'a',
    locale: 'en',
  }
  const ada = { subscriberId: 'ada', ...whole, timezone: 'Europe/Berlin', data: { a: 1 } }
  await env.post('/v2/subscribers', ada)
  await env.put('/v1/subscribers/ada/credentials', { providerId: 'fcm', credentials: { deviceTokens: ['t'] } })
  await env.post('/v2/topics/news/subscriptions', { subscriptions: ['ada'] })
  const full = { payload: { a: 1 }, overrides: { sendgrid: { a: 1 } }, actor: 'boss', context: { team: 't1' } }
  await trigger(env, { name: 'rich', to: { type: 'Topic', topicKey: 'news' }, ...full })
  await trigger(env, { name: 'plain', to: ['ada', 'bob'], actor: { subscriberId: 'boss', avatar: 'b' } })
  await trigger(env, { name: 'faulty', to: 'ada' })
  await h.drain()
  const newest = sql`(select max(id::text)::uuid from message where environment_id = ${env.environmentId} and status = 'sent')`
  await sql`update message set seen = true, read = true, seen_at = now(), read_at = now() where id = ${newest}`.execute(
    h.admin,
  )
  replies.adasFeed = (await env.get('/v1/subscribers/ada/notifications/feed')).body
  replies.bobsFeed = (await env.get('/v1/subscribers/bob/notifications/feed')).body
  replies.messages = (await env.get('/v1/messages')).body
  replies.activity = (await env.get('/v1/notifications')).body
})

test('2.9 feed items', () => {
  expect(replies.adasFeed.data).toHaveLength(2)
  expect(replies.bobsFeed.data).toHaveLength(1)
  for (const feed of [replies.adasFeed, replies.bobsFeed]) expect(departures(feed, 'FeedPage')).toEqual([])
  for (const item of replies.adasFeed.data) expect(item.archived).toBe(false)
})

test('2.10 messages, 2.11 workflows, 2.1 subscribers within', () => {
  expect(departures(replies.messages, 'MessagePage')).toEqual([])
  const { data } = replies.messages
  expect(data).toHaveLength(4)
  expect(data.filter((it: Json) => it.status === 'error')).toMatchObject([
    { errorId: expect.any(String), errorText: expect.any(String) },
  ])
  expect(data.filter((it: Json) => it.lastReadDate)).toMatchObject([{ read: true, seen: true }])
  for (const { template, subscriber } of data)
    expect([template.name, subscriber.deleted]).toEqual([expect.any(String), false])
  const rich = data.find((it: Json) => it.templateIdentifier === 'rich')
  expect(rich.template.steps.map((step: Json) => step.metadata?.type)).toEqual([
    ...Array(5).fill(undefined),
    ...['regular', 'scheduled', 'regular', 'backoff', 'timed'],
    undefined,
  ])
})

test('2.12 events, jobs and execution details, in the list and one by one', async () => {
  expect(departures(replies.activity, 'ActivityPage')).toEqual([])
  expect(replies.activity.data).toHaveLength(4)
  for (const listed of replies.activity.data) {
    const { body } = await env.get(`/v1/notifications/${listed._id}`)
    expect(departures(body, 'Activity')).toEqual([])
    const jobs = body.jobs.map(({ messages, ...job }: Json) => {
      expect(departures(messages, 'array<Message>')).toEqual([])
      return job
    })
    expect({ ...body, jobs }).toEqual(listed)
  }
})

test('2.13 trigger results', async () => {
  await makeWorkflow(env, 'asleep', { active: false })
  await makeWorkflow(env, 'empty', { steps: [] })
  await makeWorkflow(env, 'off', {
    steps: [{ name: 'x', type: 'in_app', active: false, controlValues: { body: 'x' } }],
  })
  const names = ['plain', 'unknown', 'asleep', 'empty', 'off']
  const events = [
    ...names.map((name) => ({ name, to: 'ada' })),
    { name: 'plain', to: [] },
    { name: 'plain', to: 'ada', tenant: 'nobody' },
    { name: 'plain', to: ['ada', ''] },
  ]
  const { body } = await env.post('/v1/events/trigger/bulk', { events })
  expect(departures(body, 'array<TriggerResult>')).toEqual([])
  expect(new Set(body.map((it: Json) => it.status)).size).toBe(7)
  const single = await env.post('/v1/events/trigger', events[0])
  const broadcast = await env.post('/v1/events/trigger/broadcast', { name: 'plain' })
  expect(departures([single.body, broadcast.body], 'array<TriggerResult>')).toEqual([])
})

describe('the judge itself', () => {
  test.each<[string, (item: Json) => void, string]>([
    ['a missing field', (item) => delete item.content, '.content is missing'],
    ['a field too many', (item) => Object.assign(item, { x: 1 }), '.x is not in the specification'],
    ['a null', (item) => Object.assign(item, { transactionId: null }), '.transactionId is null'],
    ['a word outside an enumeration', (item) => Object.assign(item, { status: 'ok' }), '.status is ok'],
    ['another type', (item) => Object.assign(item, { read: 'no' }), '.read is a string, not a boolean'],
    [
      'deep within',
      (item) => Object.assign(item.cta, { action: { buttons: [{}] } }),
      '.cta.action.buttons[0].type is missing',
    ],
  ])('sees %s', (_name, spoil, fault) => {
    const item = structuredClone(replies.adasFeed.data[0])
    spoil(item)
    expect(departures(item, 'FeedItem')).toContain(fault)
  })
})
