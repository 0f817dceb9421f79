import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Random, seededRandom } from '../../../chaos/lib/random.ts'
import { type Client, client, type Json, sender, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'

// The same calls, once written to their end at once and once through the queue, leave the same rows.
const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
const seed = Number(process.env.HOSTILE_SEED ?? Math.floor(Math.random() * 2 ** 31))
let queuedUrl = ''
beforeAll(async () => {
  queuedUrl = (await h.node({ AT_ONCE_PEOPLE: '0' })).url
})

const body = '{{subscriber.firstName}} {{subscriber.email}} {{payload.n}} {{actor.firstName}} {{tenant.name}}'
const inbox = { name: 'Inbox', type: 'in_app', controlValues: { subject: 'Hi {{payload.n}}', body } }
const mail = {
  name: 'Mail',
  type: 'email',
  controlValues: { subject: '{{subscriber.lastName}}', body: `<p>${body}</p>` },
}
const text = { name: 'Text', type: 'sms', controlValues: { body } }
const onlyTea = {
  filters: [{ value: 'AND', children: [{ field: 'n', value: '1', operator: 'EQUAL', on: 'payload' }] }],
}
const workflows: Record<string, object> = {
  w0: { steps: [inbox] },
  w1: { steps: [inbox, mail, text] },
  w2: { steps: [{ ...mail, shouldStopOnFail: true }, inbox] },
  w3: { steps: [{ ...inbox, ...onlyTea }, { ...text, active: false }, mail] },
  w4: { steps: [mail, inbox], preferences: { workflow: { channels: { email: { enabled: false } } } } },
  w5: { steps: [inbox, mail], critical: true },
  w6: { steps: [{ ...inbox, controlValues: { body: '{{ payload.n | append: "!" }} {{ payload.list[0].a }}' } }] },
}

function makeCalls(random: Random): Json[][] {
  // Within a call everybody is in one event only: which of several profiles an event sees is not promised. The next call
  // has the same people again.
  let [people, before]: [string[], string] = [[], '']
  const who = () => {
    if (before === '' || random.chance(0.8)) before = people.pop() ?? ''
    return before
  }
  const profile = () => ({
    subscriberId: who(),
    ...(random.chance(0.6) && { firstName: random.pick(['Ada', 'Bob', '', null, '<b>', 'Zoë']) }),
    ...(random.chance(0.4) && { lastName: `L${random.integer(0, 9)}` }),
    ...(random.chance(0.6) && { email: random.pick(['a@example.com', 'b@example.com', 'nonsense', '', null]) }),
    ...(random.chance(0.3) && { phone: random.pick(['+4915112345678', 'x', '']) }),
    ...(random.chance(0.2) && { data: { k: random.integer(0, 3) } }),
    ...(random.chance(0.2) && { locale: random.pick(['de_DE', 'en_US', 'xx']) }),
  })
  const to = () => random.pick([who, () => [who(), who()], profile, () => [profile(), profile(), who()]])()
  let n = 0
  return Array.from({ length: 12 }, () => {
    people = random.shuffle(Array.from({ length: 50 }, (_, k) => `p${k}`)).slice(0, 50)
    return Array.from({ length: random.pick([1, 3, 10]) }, () => {
      before = ''
      return {
        name: random.pick(Object.keys(workflows)),
        transactionId: `t${n++}`,
        to: to(),
        payload: { n: random.pick([1, 2, '1', null, [1], { a: 1 }]), list: [{ a: 'x' }] },
        ...(random.chance(0.2) && { actor: random.pick([who(), profile()]) }),
        ...(random.chance(0.2) && { tenant: 'acme' }),
        ...(random.chance(0.2) && { context: { room: `r${random.integer(0, 2)}` } }),
        ...(random.chance(0.2) && {
          overrides: random.pick([{ email: { to: ['o@example.com'] } }, { sms: { from: '1' } }]),
        }),
      }
    })
  })
}

async function rowsOf(env: Client): Promise<Json> {
  const id = env.environmentId
  const people = await sql<Json>`select subscriber_id, first_name, last_name, email, phone, locale, data from subscriber
    where environment_id = ${id} order by 1`.execute(h.admin)
  const { rows } = await sql<Json>`
    select e.transaction_id, e.state, e.notified_count, s.subscriber_id,
      j.step_index, j.type, j.status, j.provider_id, jsonb_path_query_array(j.details, '$[*].detail') as details,
      cardinality(j.message_ids) as messages, m.channel, m.status as message_status, m.error_id, m.subject, m.content,
      m.address, m.delivery, m.envelope, m.context_keys
    from event e
    join notification n on n.environment_id = e.environment_id and n.event_id = e.id
    join subscriber s on s.environment_id = e.environment_id and s.id = n.subscriber_id
    join job j on j.environment_id = e.environment_id and j.notification_id = n.id
    left join message m on m.environment_id = e.environment_id and m.job_id = j.id
    where e.environment_id = ${id} order by e.transaction_id, s.subscriber_id, j.step_index, m.channel`.execute(h.admin)
  const tallies = await sql<Json>`
    select w.identifier, t.channel, t.outcome, sum(t.n)::int as n from outcome_tally t
    left join workflow w on w.environment_id = t.environment_id and w.id = t.workflow_id
    where t.environment_id = ${id} group by 1, 2, 3 order by 1, 2, 3`.execute(h.admin)
  return { rows, people: people.rows, tallies: tallies.rows }
}

test('random calls leave the same rows at once and through the queue', async () => {
  const calls = makeCalls(seededRandom(seed))
  const found: Json[] = []
  for (const isQueued of [false, true]) {
    const env = await h.environment()
    await makeIntegration(env, emailWebhook(receiver.url))
    await env.post('/v1/tenants', { identifier: 'acme', name: 'Acme' })
    for (const [name, workflow] of Object.entries(workflows)) await makeWorkflow(env, name, workflow as Json)
    await env.patch('/v2/subscribers/p0/preferences', { channels: { email: false } })
    const node = isQueued ? client(sender(queuedUrl), env.key) : env
    const results: Json[] = []
    for (const events of calls) {
      const reply =
        events.length === 1
          ? await node.post('/v1/events/trigger', events[0])
          : await node.post('/v1/events/trigger/bulk', { events })
      expect(reply.status, reply.text).toBeLessThan(500)
      results.push(reply.body.statusCode ? reply.body.code : reply.body)
      await h.settled()
    }
    found.push({ results, ...(await rowsOf(env)) })
  }
  const [atOnce, queued] = found
  expect(atOnce.rows.length).toBeGreaterThan(30)
  expect(atOnce.results, `seed ${seed}`).toEqual(queued.results)
  const differing = atOnce.rows.filter((row: Json, n: number) => JSON.stringify(row) !== JSON.stringify(queued.rows[n]))
  expect(differing, `seed ${seed}`).toEqual([])
  expect(atOnce.people, `seed ${seed}`).toEqual(queued.people)
  expect(atOnce.tallies, `seed ${seed}`).toEqual(queued.tallies)
})
