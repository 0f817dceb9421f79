import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type Random, seededRandom } from '../../../chaos/lib/random.ts'
import { type Client, client, type Json, sender, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { rounds } from '../../../test/rounds.ts'
import { findLosses } from '../../commands/conserve.ts'

// Everything at once, on two nodes: what was answered is compared with the rows afterwards.
const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
const seed = Number(process.env.HOSTILE_SEED ?? Math.floor(Math.random() * 2 ** 31))
let queuedUrl = ''
beforeAll(async () => {
  queuedUrl = (await h.node({ AT_ONCE_PEOPLE: '0' })).url
})
afterEach(() => sql`drop function if exists planted cascade`.execute(h.admin))

const inbox = {
  name: 'Inbox',
  type: 'in_app',
  controlValues: { subject: 'Hi', body: 'Hello {{subscriber.firstName}}' },
}
const mail = { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: '<p>{{payload.n}}</p>' } }
const wait = { name: 'Delay', type: 'delay', controlValues: { amount: 1, unit: 'seconds', type: 'regular' } }
const digest = { name: 'Digest', type: 'digest', controlValues: { amount: 1, unit: 'seconds', type: 'regular' } }
const workflows: Record<string, object[]> = {
  plain: [inbox],
  mailed: [inbox, mail],
  stops: [{ ...mail, shouldStopOnFail: true }, inbox],
  waits: [inbox, wait, { ...inbox, name: 'Late' }, mail],
  digests: [digest, { ...inbox, name: 'All' }],
}

/** Fails at random, as PostgreSQL may: the transaction is to be repeated. */
async function plantFaults(table: string, chance: number, when: 'insert' | 'commit'): Promise<void> {
  await plantFunction(chance)
  const [kind, more] = when === 'commit' ? ['constraint trigger', 'deferrable initially deferred'] : ['trigger', '']
  await sql
    .raw(`create ${kind} planted after insert on ${table} ${more} for each row execute function planted()`)
    .execute(h.admin)
}

/** Changing the function alone locks no table. */
async function plantFunction(chance: number): Promise<void> {
  await sql
    .raw(
      `create or replace function planted() returns trigger language plpgsql as $$ begin
        if random() < ${chance} then raise exception 'again' using errcode = '40001'; end if;
        if random() < ${chance} then perform pg_sleep(0.02); end if;
        return null; end $$`,
    )
    .execute(h.admin)
}

type Done = { acked: Map<string, string>; statuses: Map<string, number>; faults: string[] }

async function act(random: Random, nodes: Client[], done: Done, n: number): Promise<void> {
  const node = random.pick(nodes)
  const who = () => `p${random.integer(0, 7)}`
  const note = (what: string, reply: { status: number; text: string }) => {
    const key = `${what} ${reply.status}`
    done.statuses.set(key, (done.statuses.get(key) ?? 0) + 1)
    if (reply.status >= 500) done.faults.push(`${key} ${reply.text.slice(0, 200)}`)
  }
  const name = () => random.pick(Object.keys(workflows))
  const event = (place: number) => {
    const kind = random.integer(0, 9)
    const person = { subscriberId: who(), email: `${who()}@example.com`, firstName: `F${random.integer(0, 99)}` }
    const to =
      kind < 4
        ? who()
        : kind < 7
          ? [who(), who(), person]
          : kind < 9
            ? [person]
            : [{ type: 'Topic', topicKey: 'crowd' }, who()]
    return { name: name(), to, transactionId: `t${n}-${place}`, payload: { n } }
  }
  const kind = random.integer(0, 99)
  if (kind < 45) {
    const one = event(0)
    const reply = await node.post('/v1/events/trigger', one)
    note('single', reply)
    if (reply.status === 201 && reply.body.status === 'processed') done.acked.set(one.transactionId, one.name)
  } else if (kind < 60) {
    const events = Array.from({ length: random.integer(1, 30) }, (_, place) => event(place))
    const reply = await node.post('/v1/events/trigger/bulk', { events })
    note('bulk', reply)
    if (reply.status === 201) {
      for (const [place, it] of (reply.body as Json[]).entries()) {
        const sent = events[place]
        if (it.status === 'processed' && sent) {
          expect(it.transactionId).toBe(sent.transactionId)
          done.acked.set(sent.transactionId, sent.name)
        }
      }
    }
  } else if (kind < 68) note('delete person', await node.delete(`/v2/subscribers/${who()}`))
  else if (kind < 74) {
    const channels = { email: random.chance(0.5), in_app: random.chance(0.7) }
    note('preferences', await node.patch(`/v2/subscribers/${who()}/preferences`, { channels }))
  } else if (kind < 80)
    note('patch workflow', await node.patch(`/v2/workflows/${name()}`, { active: random.chance(0.8) }))
  else if (kind < 84) {
    const workflowId = name()
    const steps = workflows[workflowId] ?? []
    note(
      'replace',
      await node.put(`/v2/workflows/${workflowId}`, {
        name: workflowId,
        steps: [...steps, { ...inbox, name: `N${n}` }],
      }),
    )
  } else if (kind < 87) {
    const workflowId = name()
    note('delete workflow', await node.delete(`/v2/workflows/${workflowId}`))
    note(
      'create workflow',
      await node.post('/v2/workflows', { workflowId, name: workflowId, steps: workflows[workflowId] }),
    )
  } else if (kind < 92) {
    note('topic', await node.post('/v2/topics/crowd/subscriptions', { subscriptions: [who(), who()] }))
  } else {
    const before = [...done.acked.keys()]
    if (before.length > 0) note('cancel', await node.delete(`/v1/events/trigger/${random.pick(before)}`))
  }
}

async function faultsOf(env: Client): Promise<Json[]> {
  const id = env.environmentId
  const { rows } = await sql<Json>`
    select 'event not ended' as what, transaction_id as of, state as found, '' as wanted from event where environment_id = ${id} and state = 'accepted'
    union all
    select 'notified_count', e.transaction_id, count(n.id)::text, e.notified_count::text from event e
      left join notification n on n.environment_id = e.environment_id and n.event_id = e.id
      where e.environment_id = ${id} group by e.environment_id, e.id, e.transaction_id, e.notified_count having count(n.id) <> e.notified_count
    union all
    select 'twice', n.event_id::text, count(*)::text, '1' from notification n where n.environment_id = ${id}
      group by n.event_id, n.subscriber_id having count(*) > 1
    union all
    select 'job not ended', j.id::text, j.status || ' ' || j.type || ' ' || coalesce(j.run_at::text, 'never'), '' from job j
      where j.environment_id = ${id} and j.status in ('pending', 'queued', 'delayed', 'running')
    union all
    select 'message open', m.id::text, m.delivery, '' from message m where m.environment_id = ${id} and m.delivery = 'open'
    union all
    select 'step without reason', string_agg(j.type, ' '), j.status || count(*), e.state || (s.id is not null) from job j
      join notification n on n.environment_id = j.environment_id and n.id = j.notification_id
      join event e on e.environment_id = j.environment_id and e.id = n.event_id
      left join subscriber s on s.environment_id = j.environment_id and s.id = n.subscriber_id
      where j.environment_id = ${id} and j.status in ('skipped', 'failed', 'canceled') and s.id is not null and jsonb_array_length(j.details) = 0 group by j.status, e.state, s.id is not null
    union all
    select 'in-app completed with messages', j.id::text, count(m.id)::text, '1' from job j
      left join message m on m.environment_id = j.environment_id and m.job_id = j.id
      where j.environment_id = ${id} and j.type = 'in_app' and j.status = 'completed' group by j.id having count(m.id) <> 1
    union all
    select 'accepted tally', '', (select coalesce(sum(n), 0)::text from outcome_tally where environment_id = ${id} and outcome = 'accepted'), c.n::text
      from (select count(*) as n from event where environment_id = ${id}) c
      where (select coalesce(sum(n), 0) from outcome_tally where environment_id = ${id} and outcome = 'accepted') <> c.n
    union all
    select 'notified tally', '', (select coalesce(sum(n), 0)::text from outcome_tally where environment_id = ${id} and outcome = 'notified'), c.n::text
      from (select count(*) as n from notification where environment_id = ${id}) c
      where (select coalesce(sum(n), 0) from outcome_tally where environment_id = ${id} and outcome = 'notified') <> c.n
    union all
    select 'sent tally', c.channel, coalesce(t.n, 0)::text, c.n::text
      from (select channel, count(*) as n from message where environment_id = ${id} and (delivery = 'sent' or (channel = 'in_app' and status = 'sent')) group by 1) c
      left join (select channel, sum(n) as n from outcome_tally where environment_id = ${id} and outcome = 'sent' group by 1) t on t.channel = c.channel
      where coalesce(t.n, 0) <> c.n
    union all
    select 'skipped tally', c.type, coalesce(t.n, 0)::text, c.n::text
      from (select type, count(*) as n from job where environment_id = ${id} and status = 'skipped' and type in ('in_app', 'email') group by 1) c
      left join (select channel, sum(n) as n from outcome_tally where environment_id = ${id} and outcome = 'skipped' group by 1) t on t.channel = c.type
      where coalesce(t.n, 0) <> c.n
    limit 40`.execute(h.admin)
  return rows
}

const places = [
  ['event_key', 'insert'],
  ['notification', 'insert'],
  ['message', 'commit'],
] as const
test.each(rounds({ quick: 1, full: 3 }) === 1 ? [places[seed % 3] ?? places[0]] : places)(
  'all operations at once, with faults at %s (%s)',
  async (table, when) => {
    const random = seededRandom(seed + table.length)
    receiver.requests.length = 0
    receiver.answer = { json: { id: 'x' }, delayMs: 20 }
    const env = await h.environment()
    await makeIntegration(env, emailWebhook(receiver.url))
    await env.post('/v1/topics', { key: 'crowd', name: 'crowd' })
    for (const [workflowId, steps] of Object.entries(workflows)) {
      expect((await env.post('/v2/workflows', { workflowId, name: workflowId, steps })).status).toBe(201)
    }
    await plantFaults(table, 0.003, when)
    const nodes = [env, { ...env, ...client(sender(queuedUrl), env.key) }]
    const done: Done = { acked: new Map(), statuses: new Map(), faults: [] }
    await Promise.all(
      Array.from({ length: 16 }, async (_, lane) => {
        for (let n = 0; n < 8; n++) await act(random, nodes, done, lane * 1000 + n)
      }),
    )
    await plantFunction(0)
    for (let turn = 0; turn < 40; turn++) {
      await h.settled()
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from job
      where environment_id = ${env.environmentId} and status in ('pending', 'delayed', 'queued')`.execute(h.admin)
      if (rows[0]?.n === 0) break
      await sleep(250)
    }
    const { rows } = await sql<{ transaction_id: string }>`select transaction_id from event
    where environment_id = ${env.environmentId}`.execute(h.admin)
    const found = new Set(rows.map((row) => row.transaction_id))
    expect(
      [...done.acked.keys()].filter((id) => !found.has(id)),
      'accepted and not there',
    ).toEqual([])
    expect(rows.length, 'events').toBe(found.size)
    const faults = await faultsOf(env)
    expect(faults, `seed ${seed}`).toEqual([])
    expect((await findLosses(h.ctx)).filter((it) => it.environmentId === env.environmentId)).toEqual([])
    const { rows: tries } = await sql<{ outcome: string; reason: string; n: number; delivery: string }>`
    select a.outcome, a.reason, m.delivery, count(*)::int as n from attempt a
    left join message m on m.environment_id = a.environment_id and m.id = a.message_id
    where a.environment_id = ${env.environmentId} group by 1, 2, 3`.execute(h.admin)
    const sent = tries.filter((it) => it.outcome === 'sent').reduce((sum, it) => sum + it.n, 0)
    expect(receiver.requests.length, 'calls and attempts that were answered').toBe(sent)
    expect(done.faults).toEqual([])
  },
)
