import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { type ReceivedRequest, startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeSubscribers, makeWorkflow, subscribe, trigger } from '../../../test/pipeline.ts'
import { coarsenRollups, foldTallies, purgeRollups } from '../../store/history/tallies.ts'

const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
const real = () => new Date()
beforeEach(() => {
  receiver.requests.length = 0
  receiver.answer = answerByName
})
afterEach(() => {
  h.ctx.clock = real
})
afterAll(() => receiver.close())

/** `refused@…` is refused, `slow@…` is taken at the second try, all others at once. */
function answerByName({ json }: ReceivedRequest) {
  const { to } = json as { to: string[] }
  const tries = receiver.requests.filter((request) => (request.json as { to: string[] }).to[0] === to[0]).length
  if (to[0]?.startsWith('refused')) return { status: 400, json: { message: 'no such mailbox' } }
  if (to[0]?.startsWith('slow') && tries < 2) return { status: 503 }
  return { status: 200 }
}

const inbox = (body: string) => ({ name: 'Inbox', type: 'in_app', controlValues: { body } })
const person = (name: string) => ({ subscriberId: name, firstName: name, email: `${name}@example.com` })

async function totals(env: Client, query = ''): Promise<Record<string, number>> {
  const reply = await env.get(`/v1/numbers${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.totals
}

/** `outcome channel workflow provider` → how many, as the API counts. */
async function counted(env: Client): Promise<Record<string, number>> {
  const { body } = await env.get('/v1/numbers?by=channel&by=workflow&by=provider')
  const entries = body.series.map(({ key, total, points }: Json) => {
    expect(points.reduce((sum: number, point: Json) => sum + point.n, 0)).toBe(total)
    return [`${key.outcome} ${key.channel ?? '-'} ${key.workflowId} ${key.providerId ?? '-'}`, total]
  })
  return Object.fromEntries(entries)
}

/** The same, from the rows themselves. */
async function inRows({ environmentId }: Client): Promise<Record<string, number>> {
  const channels = sql`('in_app', 'email', 'sms', 'chat', 'push')`
  const { rows } = await sql<{ key: string; n: number }>`
    with found as (
      select 'accepted' as outcome, null as channel, workflow_id, null as provider_id from event
        where environment_id = ${environmentId}
      union all select 'notified', null, workflow_id, null from notification where environment_id = ${environmentId}
      union all select case when delivery in ('rejected', 'dead') or delivery is null and status = 'error' then 'failed'
          when delivery = 'unknown' then 'unknown' else 'sent' end, channel, workflow_id, provider_id
        from message where environment_id = ${environmentId} and (delivery in ('sent', 'rejected', 'dead', 'unknown')
          or delivery is null and (status = 'error' or channel = 'in_app'))
      union all select 'failed', j.type, n.workflow_id, null from job j
        join notification n on n.environment_id = j.environment_id and n.id = j.notification_id
        where j.environment_id = ${environmentId} and j.status = 'failed' and j.message_ids is null and j.type in ${channels}
      union all select j.status, j.type, n.workflow_id, null from job j
        join notification n on n.environment_id = j.environment_id and n.id = j.notification_id
        where j.environment_id = ${environmentId} and j.status in ('skipped', 'merged', 'canceled') and j.type in ${channels}
      union all select 'retried', m.channel, m.workflow_id, a.provider_id from attempt a
        join message m on m.environment_id = a.environment_id and m.id = a.message_id
        where a.environment_id = ${environmentId} and a.number < m.attempts and a.number > m.redriven_after)
    select f.outcome || ' ' || coalesce(f.channel, '-') || ' ' || w.identifier || ' ' || coalesce(f.provider_id, '-') as key,
      count(*)::int as n
    from found f join workflow w on w.environment_id = ${environmentId} and w.id = f.workflow_id group by 1`.execute(
    h.admin,
  )
  return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
}

/** A bit of everything. */
async function mixedRun(env: Client): Promise<void> {
  await makeIntegration(env, emailWebhook(receiver.url))
  await makeWorkflow(env, 'mail', { steps: [inbox('Hello'), emailStep] })
  await makeWorkflow(env, 'once', {
    steps: [
      { name: 'T', type: 'throttle', controlValues: { threshold: 1, amount: 1, unit: 'hours' } },
      inbox('Once'),
      emailStep,
    ],
  })
  await makeWorkflow(env, 'gathered', {
    steps: [{ name: 'G', type: 'digest', controlValues: { amount: 1, unit: 'hours' } }, inbox('All'), emailStep],
  })
  await makeWorkflow(env, 'later', {
    steps: [{ name: 'W', type: 'delay', controlValues: { amount: 1, unit: 'hours' } }, inbox('Then'), emailStep],
  })
  await makeWorkflow(env, 'broken', { steps: [inbox('{% for i in (1..payload.huge) %}x{% endfor %}')] })
  await makeWorkflow(env, 'texted', { steps: [{ name: 'S', type: 'sms', controlValues: { body: 'Hi' } }] })

  const everybody = ['ada', 'bob', 'eve', 'refused', 'slow'].map(person)
  await trigger(env, { name: 'mail', to: [...everybody, { subscriberId: 'nameless' }] })
  for (let n = 0; n < 3; n++) await trigger(env, { name: 'once', to: [person('ada'), person('bob')] })
  for (let n = 0; n < 4; n++) await trigger(env, { name: 'gathered', to: [person('ada'), person('bob')] })
  const { transactionId } = await trigger(env, { name: 'later', to: everybody })
  await trigger(env, { name: 'later', to: 'ada' })
  await trigger(env, { name: 'broken', to: everybody, payload: { huge: 100_000_000 } })
  await trigger(env, { name: 'texted', to: everybody })
  await h.settled()
  expect((await env.delete(`/v1/events/trigger/${transactionId}`)).body.canceled).toBe(15)
}

/** The totals the run must have, written by hand. */
const expectedTotals = {
  accepted: 12,
  notified: 6 + 6 + 8 + 6 + 5 + 5,
  merged: 12,
  canceled: 10,
  failed: 1 + 5 + 5,
  retried: 1,
  unknown: 0,
  redriven: 0,
}

describe('the numbers', () => {
  test('agree with what is there after sent, skipped, failed, merged and canceled, folded or not', async () => {
    const env = await h.environment()
    await mixedRun(env)
    const before = await counted(env)
    expect(before).toEqual(await inRows(env))
    expect(await totals(env)).toMatchObject(expectedTotals)
    await foldTallies(h.ctx.database.db, 3)
    expect(await counted(env)).toEqual(before)
    while ((await foldTallies(h.ctx.database.db, 100)) > 0);
    expect(await counted(env)).toEqual(before)
    const { rows } = await sql<Json>`
      select 1 from outcome_tally where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(rows).toEqual([])
  })

  test('are exact while two fold them and others read; what is read never goes back', async () => {
    const env = await h.environment()
    let running = true
    const fold = async () => {
      while (running) await foldTallies(h.ctx.database.db, 2)
    }
    const read = async () => {
      let last: Record<string, number> = {}
      let cursor = 0
      while (running) {
        const { body } = await env.get('/v1/numbers')
        for (const [outcome, n] of Object.entries(last)) expect(body.totals[outcome]).toBeGreaterThanOrEqual(n)
        expect(Number(body.cursor)).toBeGreaterThanOrEqual(cursor)
        last = body.totals
        cursor = Number(body.cursor)
      }
    }
    const others = Promise.all([fold(), fold(), read()])
    await mixedRun(env).finally(() => {
      running = false
    })
    await others
    expect(await counted(env)).toEqual(await inRows(env))
    expect(await totals(env)).toMatchObject(expectedTotals)
  })

  test('count nothing twice when tasks run twice', async () => {
    const env = await h.environment()
    await mixedRun(env)
    const before = await counted(env)
    const { environmentId } = env
    const { rows: events } = await sql<Json>`select id from event where environment_id = ${environmentId}`.execute(
      h.admin,
    )
    const { rows: notifications } = await sql<Json>`
      select id from notification where environment_id = ${environmentId}`.execute(h.admin)
    const { rows: messages } = await sql<Json>`select id from message where environment_id = ${environmentId}`.execute(
      h.admin,
    )
    const ids = (rows: Json[]) => rows.map((row) => row.id)
    const again: [string, Json][] = [
      ['expand-events', { environmentId, eventIds: ids(events) }],
      ['advance-notifications', { environmentId, notificationIds: ids(notifications) }],
      ['deliver-messages', { environmentId, lane: 'bulk', messageIds: ids(messages) }],
    ]
    for (const [task, data] of again) {
      await h.admin.transaction().execute((trx) => h.ctx.engine.enqueue(trx, task, 'bulk', [data]))
    }
    await h.settled()
    expect(await counted(env)).toEqual(before)
  })

  test('count once whom two pages of one event reach', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const ids = Array.from({ length: 260 }, (_, n) => `person-${n}`)
    await makeSubscribers(env, ids)
    await subscribe(env, 'one', ids)
    await subscribe(env, 'two', ids)
    await trigger(env, {
      to: [
        { type: 'Topic', topicKey: 'one' },
        { type: 'Topic', topicKey: 'two' },
      ],
    })
    await h.drain()
    expect(await totals(env)).toMatchObject({ accepted: 1, notified: 260, sent: 260 })
    expect(await counted(env)).toEqual(await inRows(env))
  })

  test('tell that a dead letter was given up, redriven and sent', async () => {
    const env = await h.environment()
    await makeIntegration(env, emailWebhook(receiver.url))
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    receiver.answer = { status: 401 }
    await trigger(env, { to: person('ada') })
    await h.settled()
    expect(await totals(env)).toMatchObject({ failed: 1, redriven: 0, sent: 0 })
    receiver.answer = { status: 200 }
    await env.post('/v1/dead-letters/redrive', { all: true })
    await h.settled()
    expect(await totals(env)).toMatchObject({ failed: 1, redriven: 1, sent: 1 })
  })

  test('are of one environment only', async () => {
    const [one, other] = [await h.environment(), await h.environment()]
    await makeWorkflow(one)
    await trigger(one, { to: 'ada' })
    await h.drain()
    expect(await totals(one)).toMatchObject({ accepted: 1, sent: 1 })
    expect((await other.get('/v1/numbers')).body).toMatchObject({ series: [], totals: { accepted: 0 }, cursor: '0' })
  })

  test('what is canceled because its person was deleted is counted as such', async () => {
    const env = await h.environment()
    const wait = { name: 'W', type: 'delay', controlValues: { amount: 1, unit: 'hours' } }
    await makeWorkflow(env, 'hello', { steps: [wait, inbox('Then')] })
    await trigger(env, { to: 'ada' })
    await h.drain()
    await env.delete('/v2/subscribers/ada')
    await h.drain()
    expect(await totals(env)).toMatchObject({ canceled: 1, notified: 1 })
  })
})

describe('asking', () => {
  const minuteMs = 60_000

  /** One event at each of these times before now, in milliseconds. */
  async function happening(env: Client, ...agoMs: number[]): Promise<void> {
    await makeWorkflow(env, 'hello')
    await makeWorkflow(env, 'other')
    for (const ago of agoMs) {
      h.ctx.clock = () => new Date(Date.now() - ago)
      await trigger(env, { to: 'ada' })
      await h.drain()
    }
    h.ctx.clock = real
  }

  test('by step: points stand at the beginning of theirs, empty ones are left out', async () => {
    const env = await h.environment()
    await happening(env, 3 * 3_600_000, 3 * 3_600_000, 5 * minuteMs)
    const { body } = await env.get('/v1/numbers?step=hour&outcome=accepted')
    const [accepted] = body.series
    expect(body).toMatchObject({ step: 'hour', hasMore: false })
    expect(accepted.key).toEqual({ outcome: 'accepted' })
    expect(accepted.points.map((point: Json) => point.n)).toEqual([2, 1])
    for (const { at } of accepted.points) expect(at).toMatch(/:00:00\.000Z$/)
    expect(body.series).toHaveLength(1)
    const minutes = await env.get('/v1/numbers?step=minute&outcome=accepted')
    expect(minutes.body.series[0].points.length).toBeGreaterThanOrEqual(2)
  })

  test('by channel, workflow and provider, and filtered by them', async () => {
    const env = await h.environment()
    await happening(env, 0)
    const by = await env.get('/v1/numbers?by=channel&by=workflow&by=provider&outcome=sent')
    expect(by.body.series).toMatchObject([
      {
        key: { outcome: 'sent', channel: 'in_app', workflowId: 'hello', workflowName: 'hello', providerId: 'platform' },
        total: 1,
      },
    ])
    expect(await totals(env, '?workflowId=hello')).toMatchObject({ accepted: 1, sent: 1 })
    expect(await totals(env, '?workflowId=other')).toMatchObject({ accepted: 0, sent: 0 })
    expect(await totals(env, '?workflowId=unknown')).toMatchObject({ accepted: 0 })
    expect(await totals(env, '?channel=in_app')).toMatchObject({ accepted: 0, sent: 1 })
    expect(await totals(env, '?providerId=platform')).toMatchObject({ sent: 1 })
    expect(await totals(env, '?providerId=sendgrid')).toMatchObject({ sent: 0 })
  })

  test('for a span of time: whole steps, its end left out', async () => {
    const env = await h.environment()
    await happening(env, 26 * 3_600_000, 0)
    expect(await totals(env)).toMatchObject({ accepted: 1 })
    const from = new Date(Date.now() - 27 * 3_600_000).toISOString()
    expect(await totals(env, `?from=${from}`)).toMatchObject({ accepted: 2 })
    const { body } = await env.get('/v1/numbers?from=2026-01-05T10:20:00Z&to=2026-01-05T12:00:00Z&step=hour')
    expect(body).toMatchObject({ from: '2026-01-05T10:00:00.000Z', to: '2026-01-05T12:00:00.000Z' })
  })

  test.each([
    ['more points than a chart can show', 'from=2026-01-01&to=2026-03-01&step=minute'],
    ['a beginning after the end', 'from=2026-03-01&to=2026-01-01'],
    ['a time that is none', 'from=yesterday'],
    ['an unknown step', 'step=fortnight'],
    ['an unknown dimension', 'by=colour'],
    ['an unknown outcome', 'outcome=lost'],
  ])('%s is refused', async (_what, query) => {
    const env = await h.environment()
    expect((await env.get(`/v1/numbers?${query}`)).status).toBe(422)
  })

  test('minutes become hours and hours go, and no count is lost before', async () => {
    const env = await h.environment()
    await happening(env, 61 * minuteMs, 62 * minuteMs, 0)
    const { db } = h.ctx.database
    while ((await foldTallies(db, 1_000)) > 0);
    const spans = async () => {
      const { rows } = await sql<Json>`select minutes, sum(n)::int as n from outcome_rollup
        where environment_id = ${env.environmentId} and outcome = 'accepted' group by 1 order by 1`.execute(h.admin)
      return rows
    }
    expect(await spans()).toEqual([{ minutes: 1, n: 3 }])
    const before = await totals(env)
    while ((await coarsenRollups(db, new Date(Date.now() - 30 * minuteMs), 1)) > 0);
    expect(await spans()).toEqual([
      { minutes: 1, n: 1 },
      { minutes: 60, n: 2 },
    ])
    expect(await totals(env)).toEqual(before)
    while ((await purgeRollups(db, new Date(Date.now() - 30 * minuteMs), 1)) > 0);
    expect(await spans()).toEqual([{ minutes: 1, n: 1 }])
  })

  test('the cursor rises with everything that happens, and folding does not move it', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const cursor = async () => Number((await env.get('/v1/numbers')).body.cursor)
    const first = await cursor()
    await trigger(env, { to: 'ada' })
    await h.drain()
    const second = await cursor()
    expect(second).toBeGreaterThan(first)
    while ((await foldTallies(h.ctx.database.db, 1)) > 0);
    expect(await cursor()).toBe(second)
    await trigger(env, { to: 'ada' })
    await h.drain()
    expect(await cursor()).toBeGreaterThan(second)
  })
})
