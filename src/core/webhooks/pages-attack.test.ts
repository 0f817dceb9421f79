import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Client, type Json, underRowLevelSecurity, useHarness } from '../../../test/harness.ts'
import { allowing } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeSubscribers, makeWorkflow, trigger } from '../../../test/pipeline.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { type Db, type Env, envOf } from '../../store/database.ts'
import { eraseDeliveries, recordDeliveries, takeDeliveries, takeFromPages } from '../../store/webhooks/deliveries.ts'
import { claimLanes, lockLane, purgeWebhooks, setFailingSince } from '../../store/webhooks/endpoints.ts'
import type { EventType } from '../../store/webhooks/event-types.ts'
import { tellKnown, unfoldPages } from '../../store/webhooks/pages.ts'
import { eraseBatch } from '../subscribers/erase-subscriber.ts'

/*
 * Events are written down by the page and become deliveries when their turn comes. Whatever else happens at the same time,
 * none is lost, and none is there twice.
 */
const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
afterAll(() => receiver.close())

let env: Client
let scope: Env
beforeAll(async () => {
  // Each event that was ever written into a page, whatever became of it.
  await sql
    .raw(`
    create table noted (environment_id uuid, endpoint_id uuid, id uuid, type text, subscriber_id uuid, body text);
    grant insert on noted to public;
    create function note_page() returns trigger language plpgsql as $$ begin
      insert into noted select new.environment_id, new.endpoint_id, e.* from unnest(new.ids, new.types, new.subscriber_ids, new.bodies) e;
      return null; end $$;
    create trigger noted after insert on webhook_page for each row execute function note_page()`)
    .execute(h.admin)
})
beforeEach(async () => {
  await sql`update webhook_endpoint set state = 'deleted'`.execute(h.admin)
  env = await h.environment()
  scope = envOf(env.environmentId)
  receiver.answer = {}
  receiver.requests.length = 0
})

/** `quiet`: no worker of the harness has its lane. */
async function makeEndpoint(more: object = {}, quiet = true): Promise<string> {
  const { status, body } = await env.post('/v1/webhook-endpoints', { url: receiver.url, ...more })
  expect(status).toBe(201)
  if (quiet)
    await sql`update webhook_endpoint set busy_until = now() + interval '1 hour' where id = ${body._id}`.execute(
      h.admin,
    )
  return body._id
}

const write = <T>(work: (db: Db) => Promise<T>) => h.ctx.database.write(scope, work)
/** One page of events about these people. */
const tell = (people: readonly string[], type: EventType = 'message.sent', now = new Date()) =>
  write((db) =>
    tellKnown(
      db,
      scope,
      people.map((subscriberId) => ({ type, subscriberId, data: { subscriberId } })),
      now,
    ),
  )
const people = (count: number) => Array.from({ length: count }, () => uuid7(new Date()))

type Told = {
  endpoint_id: string
  id: string
  type: string
  subscriber_id: string | null
  body: string
  in_page: boolean
}
/** What is kept, of pages only what did not begin yet. */
async function kept(): Promise<Told[]> {
  const { rows } = await sql<Told>`
    select endpoint_id, id, type, subscriber_id, body, false as in_page from webhook_delivery where environment_id = ${env.environmentId}
    union all
    select p.endpoint_id, e.id, e.type, e.subscriber_id, e.body, true
    from webhook_page p cross join unnest(p.ids, p.types, p.subscriber_ids, p.bodies) with ordinality as e (id, type, subscriber_id, body, place)
    where p.environment_id = ${env.environmentId} and e.place > p.begun`.execute(h.admin)
  return rows
}
async function noted(): Promise<Told[]> {
  const { rows } = await sql<Told>`select * from noted where environment_id = ${env.environmentId}`.execute(h.admin)
  return rows
}
const keyOf = (it: Told) => `${it.endpoint_id} ${it.id} ${it.body}`
const sorted = (all: readonly Told[]) => all.map(keyOf).sort()
async function count(from: string, where = 'true'): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(from)} it
    where it.environment_id = ${env.environmentId} and ${sql.raw(where)}`.execute(h.admin)
  return rows[0]?.n ?? -1
}
async function deadlocks(): Promise<number> {
  await sleep(1_100)
  const { rows } = await sql<{ n: number }>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(h.admin)
  return rows[0]?.n ?? -1
}
async function eraseAll(id: string): Promise<void> {
  const place = { stage: 'webhooks' as const }
  await eraseBatch(h.ctx, {
    environmentId: env.environmentId,
    id,
    subscriberId: 'x',
    before: Date.now(),
    place,
    lastPass: true,
  })
}

test('whatever its names are, a new message is told of once, as the API shows it', async () => {
  const odd = ['"', '\\', "'", '😀', '日本', 'a\u2028\u2029b', '</script>', '{}[],', '\u{10ffff}', 'a\u200b\u202eb']
  odd.push('x'.repeat(255), '😀'.repeat(127))
  const endpoint = await makeEndpoint()
  const name = '"\\ 😀 \u2028'
  const mail = { name: 'Mail', type: 'email', controlValues: { subject: 'S', body: 'B' } }
  const inbox = { name: 'Inbox', type: 'in_app', controlValues: { subject: 'S', body: 'B' } }
  await makeWorkflow(env, 'odd', { name, steps: [inbox, mail] })
  for (const wrong of ['a\u001fb', 'a\u0000', '\ud800', 'x\udfff', '\u001f']) {
    const bySubscriber = await env.post('/v1/events/trigger', { name: 'odd', to: wrong })
    const byTransaction = await env.post('/v1/events/trigger', { name: 'odd', to: 'any', transactionId: wrong })
    expect([bySubscriber.status, byTransaction.status]).not.toContain(500)
  }
  for (const transactionId of odd) {
    const { status } = await env.post('/v1/events/trigger', { name: 'odd', to: odd, transactionId })
    expect(status, transactionId).toBe(201)
  }
  await h.settled()
  const events = await kept()
  expect(sorted(events)).toEqual(sorted(await noted()))
  expect(new Set(events.map((it) => it.id)).size).toBe(events.length)
  const bodies = events.map((it) => ({ type: it.type, json: JSON.parse(it.body) }))
  for (const { type, json } of bodies) expect(json).toMatchObject({ type, environmentId: env.environmentId })
  const messages: Json[] = []
  for (let page = 0; ; page++) {
    const { body } = await env.get(`/v1/messages?limit=100&page=${page}`)
    messages.push(...body.data.filter((it: Json) => it.status !== 'warning'))
    if (!body.hasMore) break
  }
  const told = bodies.filter(({ type }) => type === 'message.sent' || type === 'message.failed')
  const byId = new Map(told.map(({ json }) => [json.data.messageId, json.data]))
  expect(byId.size).toBe(told.length)
  expect(messages.length).toBeGreaterThanOrEqual(odd.length * odd.length)
  expect(byId.size).toBe(messages.length)
  for (const it of messages) {
    expect(byId.get(it._id)).toEqual({
      messageId: it._id,
      notificationId: it._notificationId,
      transactionId: it.transactionId,
      subscriberId: it.subscriber.subscriberId,
      workflowId: 'odd',
      channel: it.channel,
      providerId: it.providerId ?? null,
      status: it.status,
      errorId: it.errorId ?? null,
      seen: it.seen,
      read: it.read,
      archived: it.archived ?? false,
      snoozedUntil: it.snoozedUntil ?? null,
    })
  }
  const completed = bodies.filter(({ type }) => type === 'notification.completed')
  expect(completed).toHaveLength(await count('notification'))
  expect(new Set(completed.map(({ json }) => json.data.notificationId)).size).toBe(completed.length)
  expect(bodies.find(({ type }) => type === 'workflow.created')?.json.data).toMatchObject({ name })
  expect((await env.get(`/v1/webhook-endpoints/${endpoint}/deliveries?limit=100`)).body.data).toHaveLength(100)
  expect(sorted(await kept())).toEqual(sorted(events))
  expect(await count('webhook_page')).toBe(0)
})

type Times = { now: Date; again: Date; most: number }

/** As a lane does it, until its lease is another's. Some answers are failures, some are never recorded. */
async function runLane(endpointId: string, rounds: number): Promise<void> {
  const by = randomUUID()
  await sql`update webhook_endpoint set busy_by = ${by} where id = ${endpointId}`.execute(h.admin)
  for (let n = 0; n < rounds; n++) {
    const now = new Date()
    const times: Times = { now, again: new Date(now.getTime() + 5), most: 1 + Math.floor(Math.random() * 40) }
    const taken = await write(async (db) => {
      if (!(await lockLane(db, scope, endpointId, by))) return null
      const due = await takeDeliveries(db, scope, endpointId, times)
      if (due.length < times.most)
        due.push(...(await takeFromPages(db, scope, endpointId, { ...times, most: times.most - due.length })))
      return due
    })
    if (!taken) return
    await sleep(Math.random() * 4)
    const answered = taken.filter(() => Math.random() < 0.8).toSorted(() => Math.random() - 0.5)
    await write(async (db) => {
      await recordDeliveries(
        db,
        scope,
        endpointId,
        answered.map(({ id, number, failures }) => ({
          id,
          number,
          failures,
          state: 'delivered' as const,
          nextAt: null,
          try: null,
        })),
      )
      await setFailingSince(db, scope, endpointId, n % 2 === 0 ? now : null)
    })
  }
}

test('lanes, readers, erasures and purges at once: nothing is lost, nothing is there twice, nobody deadlocks', async () => {
  const before = await deadlocks()
  const endpoints = [
    await makeEndpoint(),
    await makeEndpoint({ eventTypes: ['message.sent'] }),
    await makeEndpoint({ eventTypes: ['message.failed', 'subscriber.deleted'] }),
  ]
  const [gone, stay] = [people(6), people(60)]
  const erased = new Set(gone)
  const all = [...gone, ...stay]
  const some = (n: number) => Array.from({ length: n }, () => all[Math.floor(Math.random() * all.length)] ?? '')
  let isOver = false
  const until = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work()
      await sleep(Math.random() * 10)
    }
  }
  const telling = async () => {
    for (let n = 0; n < 30; n++) {
      const type = (['message.sent', 'message.failed', 'subscriber.deleted'] as const)[n % 3] ?? 'message.sent'
      await tell(some([1, 1, 3, 20, 100][n % 5] ?? 1), type)
    }
    await tell(some(1_000))
  }
  const work = [
    ...endpoints.flatMap((id) => [until(() => runLane(id, 5)), until(() => runLane(id, 5))]),
    ...endpoints.map((id) =>
      until(async () => {
        const { status } = await env.get(`/v1/webhook-endpoints/${id}/deliveries?limit=10`)
        expect(status).toBe(200)
        await sleep(20)
      }),
    ),
    until(async () => {
      for (const id of gone) await eraseAll(id)
    }),
    until(() => write((db) => unfoldPages(db, scope, endpoints[0] ?? '', 7))),
    until(() => purgeWebhooks(h.ctx.database.db, new Date(Date.now() - 3_600_000), 1_000)),
    until(async () => {
      const path = `/v1/webhook-endpoints/${endpoints[2]}`
      expect((await env.patch(path, { status: 'disabled' })).status).toBe(200)
      expect((await env.patch(path, { status: 'enabled' })).status).toBe(200)
    }),
  ]
  const told = Promise.all([telling(), telling(), telling()]).finally(() => {
    isOver = true
  })
  await Promise.all([told, ...work])
  await h.drain()
  for (const id of gone) await eraseAll(id)
  await h.drain()
  const expected = (await noted()).filter(
    (it) => !erased.has(it.subscriber_id ?? '') || it.type === 'subscriber.deleted',
  )
  expect(expected.length).toBeGreaterThan(2_000)
  expect(sorted(await kept())).toEqual(sorted(expected))
  for (const id of endpoints) await write((db) => unfoldPages(db, scope, id, 100_000))
  expect(await count('webhook_page')).toBe(0)
  expect(sorted(await kept())).toEqual(sorted(expected))
  expect(await deadlocks()).toBe(before)
})

test('a person goes out of pages partly begun, and nobody else with him', async () => {
  const endpoint = await makeEndpoint()
  const [he, other] = people(2) as [string, string]
  await tell([he, other, he, other, he, he, other])
  await tell([he], 'subscriber.deleted')
  await tell([he, he])
  await write((db) => unfoldPages(db, scope, endpoint, 3))
  expect(await count('webhook_page', 'begun = 3')).toBe(1)
  await eraseAll(he)
  await h.drain()
  const left = await kept()
  expect(left.map((it) => [it.subscriber_id, it.type]).sort()).toEqual(
    [...Array(3).fill([other, 'message.sent']), [he, 'subscriber.deleted']].sort(),
  )
  const { rows } = await sql<{ text: string }>`select p::text as text from webhook_page p
    where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(
    rows
      .map(({ text }) => text)
      .join()
      .match(new RegExp(he, 'g')),
  ).toHaveLength(2)
})

test('what an erasure empties holds up nobody', async () => {
  const endpoint = await makeEndpoint()
  const [he, other] = people(2) as [string, string]
  for (let n = 0; n < 120; n++) await tell([he])
  await tell([other])
  await eraseAll(he)
  await h.drain()
  const times = { now: new Date(), again: new Date(), most: 10 }
  const taken = await write((db) => takeFromPages(db, scope, endpoint, times))
  expect(taken).toHaveLength(1)
})

const waitsForLock = () =>
  expect.poll(async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(h.admin)
    return rows[0]?.n ?? 0
  }).toBeGreaterThan

test('an erasure that waited for a lane waits for no answers while it holds the endpoint', async () => {
  const endpoint = await makeEndpoint()
  const [he] = people(1) as [string]
  await tell([he])
  await write((db) => takeFromPages(db, scope, endpoint, { now: new Date(), again: new Date(), most: 1 }))
  await tell([he])
  const before = await deadlocks()
  const order: Promise<unknown>[] = []
  const waiters = (count: number) => waitsForLock()(count - 1)
  await write(async (db) => {
    await sql`select 1 from webhook_endpoint where id = ${endpoint} for no key update`.execute(db)
    await takeFromPages(db, scope, endpoint, { now: new Date(), again: new Date(), most: 1 })
    order.push(eraseAll(he))
    await waiters(1)
    // An answer to the first is recorded, a failure.
    order.push(
      write(async (recording) => {
        await sql`select 1 from webhook_delivery where endpoint_id = ${endpoint} for no key update`.execute(recording)
        await setFailingSince(recording, scope, endpoint, new Date())
      }),
    )
    await waiters(2)
  })
  await Promise.all(order)
  await h.drain()
  expect(await kept()).toEqual([])
  expect(await deadlocks()).toBe(before)
})

test('answers are recorded and erased at once, in whatever order they came', async () => {
  const endpoint = await makeEndpoint()
  const before = await deadlocks()
  for (let round = 0; round < 12; round++) {
    const [he] = people(1) as [string]
    await tell(Array(200).fill(he))
    const taken = await write((db) =>
      takeFromPages(db, scope, endpoint, { now: new Date(), again: new Date(), most: 200 }),
    )
    const endings = taken.toReversed().map(({ id, number, failures }) => {
      return { id, number, failures, state: 'delivered' as const, nextAt: null, try: null }
    })
    await Promise.all([
      write((db) => recordDeliveries(db, scope, endpoint, endings)),
      write((db) => eraseDeliveries(db, scope, he, 500)),
    ])
  }
  expect(await deadlocks()).toBe(before)
})

test('many tenants ask at once for what is in pages, on a node that is busy', async () => {
  // Each has a quarter of the node's connections at most: six together could have all of them.
  const asking: { client: Client; path: string }[] = []
  for (let n = 0; n < 6; n++) {
    env = await h.environment()
    scope = envOf(env.environmentId)
    const path = `/v1/webhook-endpoints/${await makeEndpoint()}/deliveries?limit=10`
    expect((await env.get(path)).status).toBe(200)
    await tell(people(100))
    asking.push({ client: env, path })
  }
  const { size } = h.ctx.database.use()
  const busy = Array.from({ length: size }, () => sql`select pg_sleep(0.2)`.execute(h.ctx.database.db))
  const replies = await Promise.all(
    asking.flatMap(({ client, path }) => Array.from({ length: 10 }, () => client.get(path))),
  )
  await Promise.all(busy)
  expect(replies.map((it) => it.status)).toEqual(Array(60).fill(200))
  for (const { body } of replies) expect(body.data).toHaveLength(10)
  expect(await count('webhook_delivery')).toBe(100)
})

test('nothing moves in an environment that is frozen, whoever asks', async () => {
  const endpoint = await makeEndpoint()
  const path = `/v1/webhook-endpoints/${endpoint}/deliveries?limit=10`
  await tell(people(3))
  const set = (state: string) =>
    sql`update environment set state = ${state}, frozen_until = now() + interval '1 hour' where id = ${env.environmentId}`.execute(
      h.admin,
    )
  // What the node remembers of it is not true for a moment.
  await h.ctx.database.held.find(env.environmentId)
  await set('frozen')
  expect((await env.get(path)).status).toBe(503)
  await sleep(300)
  expect((await env.get(path)).status).toBe(503)
  await expect(write((db) => unfoldPages(db, scope, endpoint, 3))).rejects.toThrow()
  expect(await claimed(endpoint)).toBe(false)
  expect(await count('webhook_page', 'begun = 0')).toBe(1)
  expect(await count('webhook_delivery')).toBe(0)
  await set('active')
  await sleep(300)
  expect((await env.get(path)).body.data).toHaveLength(3)
})

/** Whether a lane of it would begin now. */
async function claimed(endpoint: string): Promise<boolean> {
  await sql`update webhook_endpoint set busy_until = now() - interval '1 second' where id = ${endpoint}`.execute(
    h.admin,
  )
  const lanes = await claimLanes(h.ctx.database.db, new Date(), new Date(Date.now() + 60_000), 100)
  return lanes.some(({ id }) => id === endpoint)
}

/** All of it, also what the tests before left. */
async function purge(before = new Date(Date.now() - 3_600_000)): Promise<void> {
  while ((await purgeWebhooks(h.ctx.database.db, before, 1_000)) > 0) {}
}

const forgetTime = (id: string) =>
  sql`update webhook_endpoint set updated_at = now() - interval '2 hours' where id = ${id}`.execute(h.admin)

test('what is too old goes, of pages too; what is not stays', async () => {
  const endpoint = await makeEndpoint()
  await tell(people(3), 'message.sent', new Date(Date.now() - 7_200_000))
  await write((db) => unfoldPages(db, scope, endpoint, 1))
  await tell(people(2))
  await purge()
  expect(await kept()).toHaveLength(2)
  expect(await count('webhook_page')).toBe(1)
})

test('a disabled endpoint gets nothing new, and keeps what it had; a deleted one loses all', async () => {
  const [one, two] = [await makeEndpoint(), await makeEndpoint()]
  await tell(people(2))
  await env.patch(`/v1/webhook-endpoints/${one}`, { status: 'disabled' })
  await tell(people(3))
  expect(await count('webhook_page', `endpoint_id = '${one}'`)).toBe(1)
  expect(await count('webhook_page', `endpoint_id = '${two}'`)).toBe(2)
  await write((db) => unfoldPages(db, scope, two, 3))
  await env.delete(`/v1/webhook-endpoints/${two}`)
  await purge()
  expect((await kept()).map((it) => it.endpoint_id)).toEqual([one, one])
  await forgetTime(two)
  await purge()
  expect(await count('webhook_endpoint', `id = '${two}'`)).toBe(0)
})

test('a page that is written while its endpoint is deleted goes too', async () => {
  const endpoint = await makeEndpoint()
  await write(async (db) => {
    await tellKnown(db, scope, [{ type: 'message.sent', subscriberId: uuid7(new Date()), data: {} }], new Date())
    expect((await env.delete(`/v1/webhook-endpoints/${endpoint}`)).status).toBe(204)
    await purge()
  })
  await purge(new Date(Date.now() + 60_000))
  expect(await kept()).toEqual([])
  await forgetTime(endpoint)
  await purge()
  expect(await count('webhook_endpoint')).toBe(0)
})

test('a try that nobody recorded does not keep what is to go', async () => {
  const endpoint = await makeEndpoint()
  await tell(people(3))
  const long = new Date(Date.now() - 7_200_000)
  await write((db) => takeFromPages(db, scope, endpoint, { now: long, again: long, most: 3 }))
  await env.delete(`/v1/webhook-endpoints/${endpoint}`)
  await purge()
  expect(await kept()).toEqual([])
})

test.skipIf(!underRowLevelSecurity)('nobody finds or begins what is of another environment', async () => {
  const endpoint = await makeEndpoint()
  await makeSubscribers(env, ['ann'])
  await makeWorkflow(env)
  await trigger(env, { to: 'ann' })
  await h.drain()
  const before = await kept()
  const stranger = envOf((await h.environment()).environmentId)
  const { rows } = await sql<{
    id: string
  }>`select id from notification where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(rows).toHaveLength(1)
  const seen = await h.ctx.database.write(stranger, async (db) => {
    const jobs = await sql`select * from jobs_of(${env.environmentId}, ${rows.map(({ id }) => id)}::uuid[])`.execute(db)
    const begun =
      await sql`select * from begin_webhook_events(${env.environmentId}, ${endpoint}, 100, now(), now())`.execute(db)
    const stays = await sql<{ stays: boolean }>`
      select notification_stays(${env.environmentId}, ${rows[0]?.id}, '2000-01-01') as stays`.execute(db)
    const pages = await sql`select * from webhook_page`.execute(db)
    return [jobs.rows, begun.rows, stays.rows, pages.rows]
  })
  expect(seen).toEqual([[], [], [{ stays: false }], []])
  expect(sorted(await kept())).toEqual(sorted(before))
})
