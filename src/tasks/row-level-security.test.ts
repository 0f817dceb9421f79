import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../test/contract/reach.ts'
import { type Client, useHarness } from '../../test/harness.ts'
import { makeInvitation } from '../../test/people/people.ts'
import { makeSubscribers, makeWorkflow, messagesBySubscriber, subscribe, trigger } from '../../test/pipeline.ts'
import { loadTasks } from '../engine/load-tasks.ts'
import { uuid7 } from '../lib/uuid7.ts'
import { countConservation } from '../store/history/conservation.ts'
import { ensurePartitions } from '../store/history/partitions.ts'
import { endOwnMail, insertOwnMail } from '../store/people/own-mails.ts'

/**
 * Background work sees every environment. This file runs in two lanes, the second time as a role that row-level security
 * holds: the same rows must have the same fate there.
 */
const h = useHarness({}, { worker: true })
const { tasks, loops } = await loadTasks()
const dayMs = 24 * 3600 * 1000
let env: Client
beforeAll(async () => {
  env = await h.environment()
  await giveReach(h, env)
  await makeWorkflow(env)
})

/** Runs the loop until it finds nothing more, with the clock at that time. */
async function run(name: string, at = new Date()): Promise<void> {
  const { clock } = h.ctx
  h.ctx.clock = () => at
  try {
    const loop = loops.find((it) => it.name === name)
    while (((await loop?.run(h.ctx)) ?? 0) > 0);
  } finally {
    h.ctx.clock = clock
  }
}

async function count(table: string, where = 'true'): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(table)}
    where environment_id = ${env.environmentId} and ${sql.raw(where)}`.execute(h.admin)
  return rows[0]?.n ?? 0
}

const plant = (text: string) => sql.raw(text.replaceAll('$env', `'${env.environmentId}'::uuid`)).execute(h.admin)

async function makeMailbox(): Promise<void> {
  const mailbox = { providerId: 'platform-email', channel: 'email', name: 'Mailbox', credentials: {}, active: true }
  expect((await env.post('/v1/integrations', mailbox)).status).toBe(201)
}

/** For each task and loop: rows that it must find, and what it must make of them. */
const effects: Record<string, () => Promise<void>> = {
  async 'expand-events'() {
    await trigger(env, { to: 'expanded' })
    await h.drain()
    expect(await messagesBySubscriber(env)).toMatchObject({ expanded: 1 })
  },

  async 'deliver-messages'() {
    const steps = [{ name: 'Mail', type: 'email', controlValues: { subject: 'S', body: 'B' } }]
    await makeWorkflow(env, 'mail', { steps })
    await makeMailbox()
    await trigger(env, { name: 'mail', to: { subscriberId: 'mailed', email: 'mailed@example.com' } })
    await h.settled()
    expect(await count('message', "channel = 'email' and delivery = 'open'")).toBe(0)
    expect(await count('message', "channel = 'email'")).toBe(1)
  },

  async 'advance-notifications'() {
    await makeDelayed('advanced')
    await expect.poll(() => messagesBySubscriber(env), { timeout: 10_000 }).toMatchObject({ advanced: 1 })
  },

  async 'wake-jobs'() {
    await makeDelayed('woken')
    await run('wake-jobs')
    // The worker's own loop may have it in hand.
    await expect.poll(() => count('job', "status = 'delayed'")).toBe(0)
  },

  async 'delete-messages'() {
    const people = Array.from({ length: 501 }, (_, n) => `deleted${n}`)
    const { transactionId } = await trigger(env, { to: people })
    await h.drain()
    expect(await count('message', `transaction_id = '${transactionId}'`)).toBe(501)
    expect((await env.delete(`/v1/messages/transaction/${transactionId}`)).status).toBe(204)
    await h.drain()
    expect(await count('message', `transaction_id = '${transactionId}'`)).toBe(0)
  },

  async 'erase-subscriber'() {
    await trigger(env, { to: { subscriberId: 'erased', firstName: 'canary' } })
    await h.drain()
    expect(await count('message', "content like '%canary%'")).toBe(1)
    await env.delete('/v2/subscribers/erased')
    await h.drain()
    expect(await count('message', "content like '%canary%'")).toBe(0)
  },

  async 'drop-partitions'() {
    const old = new Date(Date.now() - 100 * dayMs)
    await ensurePartitions(h.admin, old, old)
    h.ctx.clock = () => old
    await trigger(env, { to: 'old', transactionId: 'old' })
    await h.drain()
    h.ctx.clock = () => new Date()
    await plant(`insert into event_attachment
      select environment_id, id, 0, 'n', 'text/plain', '' from event where environment_id = $env and transaction_id = 'old'`)
    expect(await count('event', "transaction_id = 'old'")).toBe(1)
    await run('drop-partitions')
    expect(await count('event', "transaction_id = 'old'")).toBe(0)
    await run('drop-partitions')
    expect(await count('event_key', "transaction_id = 'old'")).toBe(0)
    expect(await count('event_attachment')).toBe(0)
  },

  async 'make-partitions'() {
    const later = new Date(Date.now() + 100 * dayMs)
    h.ctx.clock = () => later
    await trigger(env, { to: 'later', transactionId: 'later' })
    await h.drain()
    h.ctx.clock = () => new Date()
    expect(await count('only event_default', "transaction_id = 'later'")).toBe(1)
    await run('make-partitions', later)
    expect(await count('only event_default', "transaction_id = 'later'")).toBe(0)
    expect(await count('event', "transaction_id = 'later'")).toBe(1)
  },

  async 'fold-tallies'() {
    await trigger(env, { to: 'counted' })
    await h.drain()
    expect(await count('outcome_tally')).toBeGreaterThan(0)
    await run('fold-tallies')
    expect(await count('outcome_tally')).toBe(0)
    expect(await count('outcome_rollup')).toBeGreaterThan(0)
  },

  async 'age-rollups'() {
    await trigger(env, { to: 'aged' })
    await h.drain()
    await run('fold-tallies')
    await plant(`update outcome_rollup set at = at - interval '3 days' where environment_id = $env and minutes = 1`)
    await run('age-rollups')
    expect(await count('outcome_rollup', 'minutes = 60')).toBeGreaterThan(0)
    expect(await count('outcome_rollup', "minutes = 1 and at < now() - interval '2 days'")).toBe(0)
  },

  /** A task that nobody was told of. */
  async 'watch-queues'() {
    const data = JSON.stringify({ environmentId: env.environmentId, subscriberId: randomUUID() })
    await plant(
      `insert into pgboss.job (name, priority, data, group_id) values ('erase-subscriber', 10, '${data}', 'told-nobody')`,
    )
    const state = async () => {
      const { rows } = await sql`select state from pgboss.job where group_id = 'told-nobody'`.execute(h.admin)
      return rows
    }
    await expect.poll(state, { timeout: 10_000 }).toEqual([{ state: 'completed' }])
  },

  async 'purge-idempotency'() {
    await plant(`insert into idempotency values ($env, '1', '1', 200, 'reply', now() - interval '25 hours')`)
    await run('purge-idempotency')
    expect(await count('idempotency')).toBe(0)
  },

  async 'purge-topics'() {
    await makeSubscribers(env, ['a', 'b', 'c'])
    await subscribe(env, 'gone', ['a', 'b', 'c'])
    expect((await env.delete('/v2/topics/gone')).status).toBeLessThan(300)
    expect(await count('topic_subscription')).toBe(3)
    await run('purge-topics')
    expect(await count('topic_subscription')).toBe(0)
    expect(await count('topic')).toBe(0)
  },

  async 'purge-channels'() {
    const { body: chat } = await env.post('/v1/integrations', { providerId: 'slack', channel: 'chat' })
    const own = { integrationIdentifier: chat.identifier }
    await env.post('/v1/channel-connections', { ...own, workspace: { id: 'T1' }, auth: { accessToken: 'x' } })
    await env.post('/v1/channel-endpoints', {
      ...own,
      subscriberId: 'reached',
      createSubscriberIfMissing: true,
      type: 'slack_channel',
      endpoint: { channelId: 'C1' },
    })
    await env.delete(`/v1/integrations/${chat._id}`)
    expect([await count('channel_endpoint'), await count('channel_connection')]).toEqual([1, 1])
    await run('purge-channels')
    await run('purge-channels')
    expect([await count('channel_endpoint'), await count('channel_connection')]).toEqual([0, 0])
  },

  async 'purge-environments'() {
    const gone = await h.environment({ organizationId: env.organizationId })
    await makeWorkflow(gone)
    await makeSubscribers(gone, ['a'])
    await trigger(gone, { to: 'a' })
    await h.drain()
    await sql`update environment set state = 'departed', deleted_at = now(), purged_after = now()
      where id = ${gone.environmentId}`.execute(h.admin)
    await run('purge-environments')
    const { rows } = await sql`select 1 from environment where id = ${gone.environmentId}
      union all select 1 from message where environment_id = ${gone.environmentId}`.execute(h.admin)
    expect(rows).toEqual([])
  },

  async 'purge-change-record'() {
    const plantChange = (id: string) =>
      plant(`insert into change_record (organization_id, id, actor_type, actor_id, actor_name, action, subject_type,
        subject_id, changes) values ('${env.organizationId}', '${id}', 'key', '', '', 'planted', '', '', '[]')`)
    const now = new Date()
    await plantChange(uuid7(new Date(now.getTime() - 731 * dayMs)))
    await plantChange(uuid7(now))
    await run('purge-change-record')
    const { rows } = await sql`select 1 from change_record
      where organization_id = ${env.organizationId} and action = 'planted'`.execute(h.admin)
    expect(rows).toHaveLength(1)
  },

  async 'send-own-mails'() {
    await makeMailbox()
    await makeInvitation(env)
    const sent = async () => {
      const { rows } = await sql<{ state: string }>`
        select state from own_mail where organization_id = ${env.organizationId} and recipient <> 'nobody@example.com'`.execute(
        h.admin,
      )
      return rows
    }
    expect(await sent()).toHaveLength(1)
    await run('send-own-mails')
    await expect.poll(sent).toEqual([{ state: 'sent' }])
  },

  async 'purge-people'() {
    const [now, organizationId] = [new Date(), env.organizationId]
    const old = new Date(now.getTime() - 31 * dayMs)
    const ofMail = { organizationId, kind: 'invitation', recipient: 'nobody@example.com', letter: '' } as const
    const made = {
      old: { ...ofMail, id: uuid7(old), subjectId: uuid7(old) },
      new: { ...ofMail, id: uuid7(now), subjectId: uuid7(now) },
    }
    for (const mail of Object.values(made)) {
      await insertOwnMail(h.admin, mail, now)
      await endOwnMail(h.admin, { ...mail, tries: 0 }, { state: 'failed', reason: null })
    }
    await run('purge-people')
    const { rows } = await sql<{ id: string }>`
      select id from own_mail where organization_id = ${organizationId} and recipient = 'nobody@example.com'`.execute(
      h.admin,
    )
    expect(rows).toEqual([{ id: made.new.id }])
  },

  async 'watch-sends'() {
    await trigger(env, { to: 'watched', transactionId: 'watched' })
    await h.drain()
    await plant(`insert into send (environment_id, id, transaction_id, workflow_id, kind, state, since, look_at, counted)
      select environment_id, id, transaction_id, workflow_id, 'topic', 'running', now(), now(), true from event
      where environment_id = $env and transaction_id = 'watched'`)
    await run('watch-sends', new Date(Date.now() + 1_000))
    expect(await count('send', "transaction_id = 'watched' and state = 'done'")).toBe(1)
  },

  async 'purge-sends'() {
    await plant(`insert into send (environment_id, id, transaction_id, workflow_id, kind, state, since, counted)
      values ($env, uuid_at(now() - interval '3 days'), 'purged', $env, 'topic', 'done', now(), true)`)
    await run('purge-sends')
    expect(await count('send', "transaction_id = 'purged'")).toBe(0)
  },

  async 'watch-jumps'() {
    await plant(`update environment set send_bounds = '{"slowOnJumps":true}' where id = $env`)
    await plant(`insert into outcome_rollup (environment_id, at, minutes, workflow_id, channel, provider_id, outcome, n)
      values ($env, now() - interval '1 day', 60, $env, 'sms', 'jumps', 'sent', 5000),
        ($env, now() - interval '5 minutes', 1, $env, 'sms', 'jumps', 'failed', 500)`)
    await run('watch-jumps')
    const { body } = await env.get('/v1/environment')
    await plant(`update environment set send_bounds = '{}', slowed = null where id = $env`)
    expect(body.data.slowed.reason).toBe('failures')
  },

  async 'sweep-presence'() {
    await makeSubscribers(env, ['away'])
    const node = randomUUID()
    await plant(`insert into inbox_node values ('${node}', now() - interval '1 hour')`)
    await plant(`insert into presence select environment_id, id, '${node}' from subscriber
      where environment_id = $env and subscriber_id = 'away'`)
    await plant(`update subscriber set is_online = true where environment_id = $env and subscriber_id = 'away'`)
    await run('sweep-presence')
    expect(await count('presence')).toBe(0)
    expect(await count('subscriber', "subscriber_id = 'away' and is_online")).toBe(0)
  },

  async 'wake-bridges'() {
    await makeQuestion()
    await run('wake-bridges')
    const taken = await count('bridge', 'busy_by is not null or busy_until > now()')
    // If a worker has asked already, no call is left.
    expect(taken > 0 || (await count('bridge_call')) === 0).toBe(true)
  },

  async 'ask-bridge'() {
    await makeQuestion()
    await run('wake-bridges')
    // Nobody waits for what is asked: the question goes.
    await expect.poll(() => count('bridge_call'), { timeout: 20_000 }).toBe(0)
  },

  async 'wake-webhooks'() {
    const path = await makeDelivery()
    await run('wake-webhooks')
    const taken = await count('webhook_endpoint', 'busy_by is not null or busy_until > now()')
    // If a worker has tried already, its try is recorded.
    expect(taken > 0 || (await env.get(path)).body.tries.length > 0).toBe(true)
  },

  async 'deliver-webhooks'() {
    const path = await makeDelivery()
    // Its name leads nowhere: the try is recorded all the same.
    const tries = async () => (await env.get(path)).body.tries.length
    await expect.poll(tries, { timeout: 20_000 }).toBeGreaterThan(0)
  },

  async 'purge-webhooks'() {
    await makeDelivery()
    await plant(`update webhook_endpoint set state = 'deleted', updated_at = now() - interval '2 hours'
      where environment_id = $env`)
    await plant(`update webhook_delivery set in_flight = false, next_at = null where environment_id = $env`)
    await run('purge-webhooks')
    expect([await count('webhook_delivery'), await count('webhook_endpoint')]).toEqual([0, 0])
  },

  async 'tell-alive'() {
    await sql`update worker_alive set at = now() - interval '1 hour'`.execute(h.admin)
    await run('tell-alive')
    const { rows } = await sql<{ isRecent: boolean }>`
      select at > now() - interval '1 minute' as "isRecent" from worker_alive`.execute(h.admin)
    expect(rows).toEqual([{ isRecent: true }])
  },

  async 'purge-windows'() {
    await plant(`insert into throttle_window values ($env, $env, 's', $env, 'k', 1, now() - interval '1 day')`)
    await plant(`insert into digest_window values
      ($env, $env, 's', $env, 'k', 'lookback', $env, $env, now() - interval '1 day')`)
    await run('purge-windows')
    expect([await count('throttle_window'), await count('digest_window')]).toEqual([0, 0])
  },

  async 'sweep-events'() {
    await trigger(env, { to: 'stranded', transactionId: 'stranded' })
    await h.drain()
    await plant(`update event set state = 'accepted', expand_cursor = null
      where environment_id = $env and transaction_id = 'stranded'`)
    await run('sweep-events', new Date(Date.now() + 60_000))
    await h.drain()
    expect(await count('event', "state = 'accepted'")).toBe(0)
  },

  async 'sweep-notifications'() {
    await makeDelayed('lost')
    await run('wake-jobs')
    await h.drain()
    await plant(`update job set status = 'pending' where environment_id = $env and status = 'completed'
      and notification_id in (select n.id from notification n join subscriber s on s.id = n.subscriber_id
        where n.environment_id = $env and s.subscriber_id = 'lost') and type = 'in_app'`)
    await run('sweep-notifications', new Date(Date.now() + 3600_000))
    await h.drain()
    expect(await count('job', "status = 'pending'")).toBe(0)
  },

  async 'sweep-dead-tasks'() {
    await plant(`insert into pgboss.job (name, priority, data, source_name, source_output, created_on) values ('dead-letters', 10,
      jsonb_build_object('environmentId', $env, 'eventIds', '[]'::jsonb), 'expand-events',
      '{"value": {"message": "job heartbeat timeout"}}', now() - interval '1 day')`)
    const dead = async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pgboss.job
        where name = 'dead-letters' and data->>'environmentId' = ${env.environmentId}`.execute(h.admin)
      return rows[0]?.n
    }
    expect(await dead()).toBe(1)
    await run('sweep-dead-tasks')
    expect(await dead()).toBe(0)
  },

  async 'purge-callback-tokens'() {
    await plant(`insert into callback_token select environment_id, id, 'digest', now() - interval '1 hour'
      from integration where environment_id = $env limit 1`)
    expect(await count('callback_token')).toBe(1)
    await run('purge-callback-tokens')
    expect(await count('callback_token')).toBe(0)
  },

  /** Nobody could ask for the first in time: it goes. The other one's vendor tells nothing when asked, so it waits. */
  async 'ask-receipts'() {
    await plant(`insert into receipt (environment_id, integration_id, ticket, message_id, target, due_at, expires_at)
      select environment_id, id, t.ticket, $env, '', now() - interval '3 hours', now() + t.rest
      from integration, (values ('late', interval '-2 hours'), ('due', interval '1 day')) as t (ticket, rest)
      where environment_id = $env order by id limit 2`)
    expect(await count('receipt')).toBe(2)
    await run('ask-receipts')
    expect(await count('receipt', "ticket = 'due' and due_at > now()")).toBe(1)
    expect(await count('receipt')).toBe(1)
  },

  async 'check-conservation'() {
    await trigger(env, { to: 'missed', transactionId: 'missed' })
    await h.drain()
    await plant(`delete from notification where environment_id = $env and transaction_id = 'missed'`)
    for (let page = 0; page < 40; page++) await run('check-conservation')
    const { rows } = await sql<{ n: number }>`
      select (greatest(missing, last_missing)->>'notification')::int as n from conservation`.execute(h.admin)
    expect(rows[0]?.n).toBe(1)
  },

  async 'watch-dead-letters'() {
    await plant(`insert into pgboss.job (name, data) values ('dead-letters', '{}')`)
    const lines: string[] = []
    const { log } = h.ctx
    h.ctx.log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
    await run('watch-dead-letters')
    h.ctx.log = log
    expect(lines.join()).toContain('quarantined')
  },
}

/** A step that a bridge is to be asked about, and that is gone. */
async function makeQuestion(): Promise<void> {
  await plant('delete from bridge where environment_id = $env')
  await plant(`insert into bridge (environment_id, url, synced_at, busy_until)
    values ($env, 'https://bridge.invalid/', now(), now())`)
  await plant(`insert into bridge_call (environment_id, job_id, notification_id, since, next_at)
    values ($env, gen_random_uuid(), gen_random_uuid(), now(), now())`)
}

/** The path of an event for an endpoint that is not there. */
async function makeDelivery(): Promise<string> {
  const { body } = await env.post('/v1/webhook-endpoints', { url: 'https://nobody.invalid/' })
  const path = `/v1/webhook-endpoints/${body._id}`
  return `${path}/deliveries/${(await env.post(`${path}/test`)).body._id}`
}

/** A step that waits, and whose time has come. */
async function makeDelayed(subscriberId: string): Promise<void> {
  const wait = { name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } }
  const steps = [wait, { name: 'Inbox', type: 'in_app', controlValues: { subject: 'S', body: 'B' } }]
  await makeWorkflow(env, subscriberId, { steps })
  await trigger(env, { name: subscriberId, to: subscriberId })
  await h.drain()
  const { numAffectedRows } = await plant(
    `update job set run_at = now() - interval '1 second' where environment_id = $env and status = 'delayed'`,
  )
  expect(numAffectedRows).toBe(1n)
}

describe('whatever the role', () => {
  test.each([...tasks, ...loops].map(({ name }) => name))('%s finds its rows', async (name) => {
    const effect = effects[name]
    if (!effect) throw new Error(`say here which rows ${name} must find`)
    await effect()
  })

  test('conserve counts every environment', async () => {
    await h.drain()
    const counted = await countConservation(h.ctx.database.db)
    expect(counted).toEqual(await countConservation(h.admin))
    expect(counted.find((it) => it.environmentId === env.environmentId)?.events).toBeGreaterThan(3)
  })
})

test('a tenant is held by the wall: what names an environment sees that one alone, and goes back behind it', async () => {
  const other = await h.environment()
  const seen = () => h.ctx.database.db.selectFrom('workflow').select('environment_id').distinct().execute()
  const within = () =>
    h.ctx.database.write({ ...other, keyId: '' }, (db) => sql`select 1 from workflow limit 1`.execute(db))
  expect(await seen()).toContainEqual({ environment_id: env.environmentId })
  if (h.ctx.config.rowLevelSecurity) expect((await within()).rows).toEqual([])
  expect(await seen()).toContainEqual({ environment_id: env.environmentId })
})

test('in rules and routes, only what comes before the environment is known asks past the wall', () => {
  const src = join(import.meta.dirname, '..')
  const files = ['core', 'routes', 'http'].flatMap((dir) =>
    readdirSync(join(src, dir), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => `${dir}/${file}`)
      // An operator's command, as the owner of two databases: no request comes there.
      .filter((file) => !file.startsWith('core/moves/')),
  )
  const passing = files.filter((file) =>
    /database\.db\b|\{ db \} = ctx\.database/.test(readFileSync(join(src, file), 'utf8')),
  )
  expect(passing.sort()).toEqual([
    'core/access/reach.ts',
    'core/feedback/receive-callbacks.ts',
    'core/inbox/live-feeds.ts',
    'core/inbox/open-session.ts',
    'core/inbox/presence.ts',
    'core/operations/announce-keys.ts',
    'core/operations/check-conservation.ts',
    'core/operations/handle-tasks.ts',
    'core/operations/link-cell.ts',
    // A person belongs to no environment.
    'core/own-mails/mail-way.ts',
    'core/own-mails/send-own-mails.ts',
    'core/people/accept-invitation.ts',
    'core/people/change-account.ts',
    'core/people/prove-self.ts',
    'core/people/reset-password.ts',
    'core/people/second-proof.ts',
    'core/people/show-account.ts',
    'core/people/sign-in-person.ts',
    'core/people/two-factor.ts',
    // Which organization it is, an address or what came back says.
    'core/sign-in/begin.ts',
    'core/sign-in/finish.ts',
    'http/access/auth.ts',
    'http/cells/where.ts',
    'http/dashboard/person-sessions.ts',
    'http/metrics.ts',
    'routes/session/sessions-end-others.ts',
    'routes/session/sessions-end.ts',
    'routes/session/sessions.ts',
    'routes/session/ways.ts',
  ])
})
