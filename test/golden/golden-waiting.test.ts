import { beforeAll, describe, expect, test } from 'vitest'
import { versions } from '../client/client-versions.ts'
import { type Client, type Json, useHarness } from '../harness.ts'
import { makeWorkflow, trigger } from '../pipeline.ts'
import { departures } from './golden-judge.ts'

/** Waiting steps against the tables of 2.11 and 2.12, word by word, and through both published clients. */
const h = useHarness({ VENDOR_NAMES: 'novu' }, { worker: true })

const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: '{{step.eventCount}}' } }
const filters = [{ children: [{ field: 'urgent', value: 'true', operator: 'EQUAL', on: 'payload' }] }]
const days = { atTime: '09:00', weekDays: ['monday', 'friday'] }
const monthly = { atTime: '7:30 PM', monthDays: ['1', '15'], monthlyType: 'each' }
const ordinal = { ordinal: 'last', ordinalValue: 'weekday', monthlyType: 'on' }
const window = { amount: 1, unit: 'hours' }

type Row = [name: string, type: 'delay' | 'digest' | 'throttle', values: object, metadata?: object, digest?: object]
const backoff = { backoff: true, backoffAmount: 1, backoffUnit: 'hours' }
const rows: Row[] = [
  ['delay', 'delay', { amount: 5, unit: 'minutes' }, { type: 'regular', amount: 5, unit: 'minutes' }],
  [
    'delay-scheduled',
    'delay',
    { type: 'scheduled', delayPath: 'payload.at' },
    { type: 'scheduled', delayPath: 'payload.at' },
  ],
  ['delay-cron', 'delay', { type: 'timed', cron: '0 9 * * *' }],
  ...(
    [
      ['digest', { digestKey: 'payload.k' }, { type: 'regular', digestKey: 'payload.k' }],
      ['digest-look-back', { lookBackWindow: window }, { type: 'regular', ...backoff }],
      ['digest-backoff', { type: 'backoff', lookBackWindow: window }, { type: 'backoff', ...backoff }],
      [
        'digest-backoff-alone',
        { type: 'backoff' },
        { type: 'backoff', backoff: true, backoffAmount: 2, backoffUnit: 'days' },
      ],
    ] as const
  ).map(([name, values, shown]): Row => {
    const whole = { amount: 2, unit: 'days', ...shown }
    return [name, 'digest', { amount: 2, unit: 'days', ...values }, whole, whole]
  }),
  [
    'digest-weekly',
    'digest',
    { type: 'timed', amount: 2, unit: 'weeks', timed: days },
    { type: 'timed', amount: 2, unit: 'weeks', timed: days },
    { type: 'timed', amount: 2, unit: 'weeks', timed: days },
  ],
  [
    'digest-monthly',
    'digest',
    { timed: monthly },
    { type: 'timed', timed: monthly },
    { type: 'timed', timed: { ...monthly, monthDays: [1, 15] } },
  ],
  [
    'digest-ordinal',
    'digest',
    { timed: ordinal },
    { type: 'timed', timed: ordinal },
    { type: 'timed', timed: ordinal },
  ],
  [
    'digest-cron',
    'digest',
    { cron: '0 9 * * MON' },
    { type: 'timed' },
    { type: 'timed', timed: { cronExpression: '0 9 * * MON' } },
  ],
  ['throttle', 'throttle', { amount: 1, unit: 'hours', threshold: 5 }],
]

let env: Client
const at = new Date(Date.now() + 3_600_000).toISOString()

beforeAll(async () => {
  env = await h.environment()
  for (const [name, type, controlValues] of rows) {
    // The step before leaves a message, and with it the embedded workflow.
    await makeWorkflow(env, name, { steps: [inbox, { name, type, controlValues }, inbox] })
    await trigger(env, { name, to: 'ada', payload: { at, k: 'a' } })
  }
  await h.drain()
})

async function activityOf(name: string): Promise<Json[]> {
  const { body } = await env.get(`/v2/workflows/${name}`)
  return (await env.get(`/v1/notifications?templates=${body._id}&limit=50`)).body.data
}

/** The clients know the vendor's names; the tables are the specification's. */
const inOurWords = (value: Json): Json => JSON.parse(JSON.stringify(value).replaceAll('novu', 'platform'))

test.each(rows)(
  '%s: metadata in the workflow and in the job, digest in the job',
  async (name, type, _v, metadata, digest) => {
    const [activity] = await activityOf(name)
    expect(departures(inOurWords(activity), 'Activity')).toEqual([])
    const job = activity.jobs[1]
    expect(job.step.metadata).toEqual(metadata)
    expect(job.digest && { ...job.digest, events: undefined }).toEqual(digest)
    expect(job.scheduleExtensionsCount).toBe(type === 'throttle' ? undefined : 0)
    const { data } = (await env.get(`/v1/messages?transactionId=${activity.transactionId}`)).body
    const { template } = data[0]
    expect(departures(inOurWords(template), 'Workflow')).toEqual([])
    expect(template.steps[1].metadata).toEqual(metadata)
  },
)

test('a digest shows what it gathered; who became part of it says of which', async () => {
  await makeWorkflow(env, 'gather', {
    steps: [{ name: 'G', type: 'digest', controlValues: { amount: 10, unit: 'minutes', digestKey: 'k' } }, inbox],
  })
  for (const n of [1, 2, 3]) {
    await trigger(env, { name: 'gather', to: 'ada', payload: { n, k: 'a' } })
    await h.drain()
  }
  const [third, second, first] = await activityOf('gather')
  const events = [1, 2, 3].map((n) => ({ n, k: 'a' }))
  expect(first.jobs[0]).toMatchObject({ status: 'delayed', digest: { type: 'regular', digestKey: 'k', events } })
  expect(first).not.toHaveProperty('_digestedNotificationId')
  for (const member of [second, third]) {
    expect(member._digestedNotificationId).toBe(first._id)
    expect(member.jobs.map((job: Json) => job.status)).toEqual(['merged', 'merged'])
    expect(member.jobs[0].digest).not.toHaveProperty('events')
  }
  h.ctx.clock = () => new Date(Date.now() + 11 * 60_000)
  for (let n = 0; n < 200 && (await activityOf('gather'))[2]?.jobs[1].status !== 'completed'; n++) await h.drain()
  h.ctx.clock = () => new Date()
  const closed = (await env.get(`/v1/notifications/${first._id}`)).body
  expect(closed.jobs).toMatchObject([{ status: 'completed', digest: { events } }, { status: 'completed' }])
  expect(departures(inOurWords(closed), 'Activity')).toEqual([])
})

test('of many events a list shows ten, and the notification itself a hundred', async () => {
  const own = await h.environment()
  await makeWorkflow(own, 'many', {
    steps: [{ name: 'G', type: 'digest', controlValues: { amount: 10, unit: 'minutes' } }, inbox],
  })
  for (let page = 0; page < 2; page++) {
    const events = Array.from({ length: 55 }, (_, n) => ({ name: 'many', to: 'ada', payload: { n: page * 55 + n } }))
    await own.post('/v1/events/trigger/bulk', { events })
  }
  await h.drain()
  const { body } = await own.get('/v2/workflows/many')
  const found = []
  for (let page = 0; page < 3; page++) {
    found.push(...(await own.get(`/v1/notifications?templates=${body._id}&limit=50&page=${page}`)).body.data)
  }
  expect(found).toHaveLength(110)
  const [holder, ...others] = found.filter((it) => it.jobs[0].status === 'delayed')
  expect(others).toEqual([])
  expect(holder.jobs[0].digest.events).toHaveLength(10)
  expect((await own.get(`/v1/notifications/${holder._id}`)).body.jobs[0].digest.events).toHaveLength(100)
})

describe.each(versions)('@novu/api $version', ({ open }) => {
  test('reads the activity and the messages of waiting steps, merged ones too', async () => {
    const client = open({ serverURL: h.url, secretKey: env.key, onSuccess: () => {} })
    const { result } = await client.notifications.list({ limit: 50 })
    const digests = result.data.flatMap((it) => it.jobs ?? []).flatMap((job) => job.digest ?? [])
    expect(new Set(digests.map((it) => it.type))).toEqual(new Set(['regular', 'backoff', 'timed']))
    expect(digests.some((it) => it.timed?.cronExpression === '0 9 * * MON')).toBe(true)
    expect(digests.some((it) => it.timed?.monthDays?.join() === '1,15')).toBe(true)
    const { result: messages } = await client.messages.retrieve({ limit: 100 })
    expect(messages.data.some((it) => it.template?.steps[1]?.metadata?.type === 'scheduled')).toBe(true)
  })

  test('takes and shows when, variants, replyCallback and ttl among the fields it knows', async () => {
    const own = await h.environment()
    const variants = [{ name: 'V', filters, controlValues: { body: 'urgent' } }]
    const steps = [
      { ...inbox, stepId: 'a', variants, replyCallback: { active: true, url: 'https://example.com' } },
      { ...inbox, stepId: 'b', when: { stepId: 'a', is: 'unread' } },
    ]
    await makeWorkflow(own, 'hello', { steps, ttl: { amount: 1, unit: 'hours' } })
    await trigger(own, { to: 'ada', payload: { urgent: true } })
    await h.drain()
    const client = open({ serverURL: h.url, secretKey: own.key, onSuccess: () => {} })
    expect((await client.workflows.get('hello')).result.steps.map((step) => step.type)).toEqual(['in_app', 'in_app'])
    const { result } = await client.messages.retrieve({})
    expect(result.data.map((it) => it.content).sort()).toEqual(['0', 'urgent'])
    const step = result.data[0]?.template?.steps[0]
    expect(step).toMatchObject({
      replyCallback: { active: true },
      variants: [{ name: 'V', filters: [{ value: 'AND' }] }],
    })
    const [row] = (await client.notifications.list({})).result.data
    expect(row?.jobs?.[0]?.step.variants).toMatchObject([{ name: 'V' }])
  })
})
