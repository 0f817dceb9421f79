import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeSubscribers, makeWorkflow, subscribe } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
let viaQueue = ''
beforeAll(async () => {
  viaQueue = (await h.node({ AT_ONCE_PEOPLE: '0' })).url
})

const inbox = {
  name: 'Inbox',
  type: 'in_app',
  controlValues: { subject: 'Hi', body: 'Hello {{subscriber.firstName}}' },
}
const mail = {
  name: 'Mail',
  type: 'email',
  controlValues: { subject: 'About {{payload.what}}', body: '<p>{{payload.what}} {{actor.firstName}}</p>' },
}
const text = { name: 'Text', type: 'sms', controlValues: { body: 'Now: {{payload.what}} of {{tenant.name}}' } }

type Case = { steps?: object[]; workflow?: object; event: Record<string, unknown> }
const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com', phone: '+4915112345678' }

/** Each is triggered twice: the second time everybody is known. */
const cases: Record<string, Case> = {
  'in-app to one': { event: { to: 'ada' } },
  'three people, one of them twice and one with a profile': { event: { to: ['ada', 'bob', 'ada', ada] } },
  'all channels at once': { steps: [inbox, mail, text], event: { to: ada, payload: { what: 'tea' } } },
  'an actor, a tenant and a context': {
    steps: [inbox, mail, text],
    event: { to: [ada], actor: { subscriberId: 'eve', firstName: 'Eve' }, tenant: 'acme', context: { room: 'r1' } },
  },
  'nowhere to send to': { steps: [mail, text], event: { to: 'nobody' } },
  'steps that are off, and conditions': {
    steps: [
      { ...inbox, active: false },
      {
        ...mail,
        filters: [{ value: 'AND', children: [{ field: 'what', value: 'tea', operator: 'EQUAL', on: 'payload' }] }],
      },
      {
        ...text,
        filters: [{ value: 'AND', children: [{ field: 'what', value: 'milk', operator: 'EQUAL', on: 'payload' }] }],
      },
    ],
    event: { to: [ada], payload: { what: 'tea' } },
  },
  'a step that stops the rest while it is sent': {
    steps: [{ ...mail, shouldStopOnFail: true }, inbox],
    event: { to: [ada], payload: { what: 'x' } },
  },
  'a text that becomes too large': {
    steps: [{ ...inbox, controlValues: { body: '{{payload.a}}'.repeat(60) } }],
    event: { to: ['ada'], payload: { a: 'y'.repeat(20_000) } },
  },
  'preferences of the workflow': {
    workflow: { preferences: { workflow: { channels: { email: { enabled: false } } } } },
    steps: [inbox, mail],
    event: { to: [ada], payload: { what: 'z' } },
  },
  'overrides of the address': {
    steps: [mail],
    event: { to: ['bob'], payload: { what: 'z' }, overrides: { email: { to: ['other@example.com'] } } },
  },
}

async function arrange(): Promise<Client> {
  const env = await h.environment()
  await env.post('/v1/tenants', { identifier: 'acme', name: 'Acme' })
  await makeSubscribers(env, ['carl'])
  for (const [n, { steps = [inbox], workflow }] of Object.values(cases).entries()) {
    await makeWorkflow(env, `case-${n}`, { steps, ...workflow })
  }
  return env
}

/** All that was written, without ids and times. */
async function rowsOf(env: Client) {
  const { rows } = await sql<Record<string, unknown>>`
    select e.transaction_id, e.state, e.notified_count, e.expand_cursor, s.subscriber_id, s.first_name, s.email,
      j.step_index, j.type, j.status, j.provider_id, j.run_at is not null as waits, j.extensions,
      jsonb_path_query_array(j.details, '$[*].detail') as details, cardinality(j.message_ids) as messages,
      m.channel, m.status as message_status, m.error_id, m.subject, m.content, m.address, m.delivery, m.priority,
      m.envelope, m.context_keys, m.retry_at is not null as retries, m.expires_at is not null as expires
    from event e
    join notification n on n.environment_id = e.environment_id and n.event_id = e.id
    join subscriber s on s.environment_id = e.environment_id and s.id = n.subscriber_id
    join job j on j.environment_id = e.environment_id and j.notification_id = n.id
    left join message m on m.environment_id = e.environment_id and m.job_id = j.id
    where e.environment_id = ${env.environmentId}
    order by e.transaction_id, s.subscriber_id, j.step_index, m.channel`.execute(h.admin)
  const tallies = await sql<Record<string, unknown>>`
    select w.identifier, t.channel, t.outcome, sum(t.n)::int as n from outcome_tally t
    join workflow w on w.environment_id = t.environment_id and w.id = t.workflow_id
    where t.environment_id = ${env.environmentId} group by 1, 2, 3 order by 1, 2, 3`.execute(h.admin)
  return { rows, tallies: tallies.rows }
}

async function triggerAll(env: Client, url: string, path: string): Promise<void> {
  for (const round of [1, 2]) {
    for (const [n, { event }] of Object.values(cases).entries()) {
      const sent = { name: `case-${n}`, transactionId: `t-${n}-${round}`, ...event }
      const reply = await fetch(url + path, {
        method: 'POST',
        headers: { authorization: `ApiKey ${env.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(path.endsWith('bulk') ? { events: [sent] } : sent),
      })
      expect(reply.status, await reply.text()).toBe(201)
    }
    await h.drain()
  }
}

async function tasksOf(env: Client, queue: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pgboss.job where name = ${queue} and data->>'environmentId' = ${env.environmentId}`.execute(
    h.admin,
  )
  return rows[0]?.n ?? 0
}

describe('an event that ends when it is accepted', () => {
  test.each(['/v1/events/trigger', '/v1/events/trigger/bulk'])(
    'writes what the queue would have written: %s',
    async (path) => {
      const [atOnce, queued] = [await arrange(), await arrange()]
      await triggerAll(atOnce, h.url, path)
      await triggerAll(queued, viaQueue, path)
      const [found, wanted] = [await rowsOf(atOnce), await rowsOf(queued)]
      expect(wanted.rows.length).toBeGreaterThan(30)
      expect(found).toEqual(wanted)
      expect(await tasksOf(atOnce, 'expand-events')).toBe(0)
      expect(await tasksOf(queued, 'expand-events')).toBe(2 * Object.keys(cases).length)
    },
  )

  test('what waits, is for many, or needs a thread goes through the queue, and ends as it should', async () => {
    const env = await h.environment()
    const delay = { name: 'Delay', type: 'delay', controlValues: { amount: 1, unit: 'seconds', type: 'regular' } }
    await makeWorkflow(env, 'waits', { steps: [delay, inbox] })
    await makeWorkflow(env, 'loops', {
      steps: [{ ...inbox, controlValues: { body: '{% for x in payload.list %}{{x}},{% endfor %}' } }],
    })
    await makeWorkflow(env)
    await makeSubscribers(env, ['carl'])
    await env.post('/v1/topics', { key: 'crowd', name: 'crowd' })
    await subscribe(env, 'crowd', ['carl'])
    const events = [
      { name: 'waits', to: 'ada' },
      { name: 'loops', to: 'ada', payload: { list: [1, 2] } },
      { name: 'hello', to: [{ type: 'Topic', topicKey: 'crowd' }] },
      { name: 'hello', to: Array.from({ length: 11 }, (_, n) => `p${n}`) },
      { name: 'hello', to: 'ada', payload: { long: 'x'.repeat(70_000) } },
    ]
    for (const [n, event] of events.entries()) {
      const reply = await env.post('/v1/events/trigger', event)
      expect(reply.body.status, reply.text).toBe('processed')
      expect(await tasksOf(env, 'expand-events'), JSON.stringify(event).slice(0, 80)).toBe(n + 1)
    }
    await h.drain()
    await expect
      .poll(async () => (await env.get('/v1/messages?limit=100')).body.totalCount, { timeout: 20_000 })
      .toBe(15)
    const texts = (await env.get('/v1/messages?limit=100')).body.data.map((it: { content: string }) => it.content)
    expect(texts).toContain('1,2,')
  })

  test.each(['/v1/events/trigger', '/v1/events/trigger/bulk'])(
    'one that cannot be written to its end is accepted all the same, and is the only one in quarantine: %s',
    async (path) => {
      const env = await h.environment()
      await makeWorkflow(env)
      await sql`create function planted() returns trigger language plpgsql as
        'begin if new.transaction_id like ''poison%'' then raise exception ''no''; end if; return new; end'`.execute(
        h.admin,
      )
      await sql`create trigger planted before insert on notification for each row execute function planted()`.execute(
        h.admin,
      )
      try {
        const isBulk = path.endsWith('bulk')
        const events = Array.from({ length: 20 }, (_, n) => ({
          name: 'hello',
          to: `p${n}`,
          transactionId: n === 17 ? `poison-${isBulk}` : `good-${n}`,
        }))
        const replies = isBulk
          ? [await env.post(path, { events })]
          : await Promise.all(events.map((event) => env.post(path, event)))
        for (const { status, text } of replies) expect(status, text).toBe(201)
        for (const it of replies.flatMap(({ body }) => body)) expect(it.status).toBe('processed')
        await expect
          .poll(async () => (await env.get('/v1/messages?limit=1')).body.totalCount, { timeout: 20_000 })
          .toBe(19)
        const { rows } = await sql<{ transaction_id: string }>`
          select transaction_id from event where environment_id = ${env.environmentId} and state = 'accepted'`.execute(
          h.admin,
        )
        expect(rows).toEqual([{ transaction_id: `poison-${isBulk}` }])
        const counted = await sql<{ n: number }>`
          select sum(n)::int as n from outcome_tally
          where environment_id = ${env.environmentId} and outcome = 'accepted'`.execute(h.admin)
        expect(counted.rows).toEqual([{ n: 20 }])
      } finally {
        await sql`drop function planted cascade`.execute(h.admin)
      }
    },
  )
})
