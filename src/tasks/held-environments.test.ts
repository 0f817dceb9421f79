import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Client, useHarness } from '../../test/harness.ts'
import { makeSubscribers, makeWorkflow, subscribe, trigger } from '../../test/pipeline.ts'
import { enqueueResumptions } from '../core/pipeline/enqueue.ts'
import { expandEvents } from '../core/pipeline/expand-events.ts'
import { loadTasks } from '../engine/load-tasks.ts'
import { stopTaking, workTasks } from '../engine/work-tasks.ts'
import type { StateName } from '../errors.ts'
import { envOf } from '../store/database.ts'
import { ensurePartitions } from '../store/history/partitions.ts'

/**
 * Work of an environment in every state lies ready, and all background work runs. Only the active one is touched: not one
 * row of the others changes, in whatever table. A new task or loop fails here until it says what it would find.
 */
const h = useHarness()
const { tasks, loops } = await loadTasks()
const states = ['active', 'draining', 'frozen', 'arriving', 'departed'] as const
const dayMs = 24 * 3600 * 1000

type Work = {
  /** Makes rows that it would find. Nothing runs meanwhile. */
  plant(env: Client): Promise<unknown>
  /** The time it runs at. */
  at?: () => Date
  /** What becomes of the active one, where its rows alone do not tell. */
  expectDone?: (env: Client) => Promise<void>
}

const on = (env: Client, text: string) =>
  sql.raw(text.replaceAll('$env', `'${env.environmentId}'::uuid`)).execute(h.admin)

/** Without a worker: all that was triggered becomes messages and steps that wait. */
async function expand({ environmentId }: Client): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from event where environment_id = ${environmentId} and state = 'accepted'`.execute(h.admin)
  await expandEvents(
    h.ctx,
    envOf(environmentId),
    rows.map((row) => row.id),
    Number.POSITIVE_INFINITY,
  )
  await on(
    { environmentId } as Client,
    `delete from pgboss.job where name = 'expand-events' and data->>'environmentId' = $env::text`,
  )
}

async function makeHello(env: Client): Promise<void> {
  await makeWorkflow(env)
  await makeSubscribers(env, ['ann'])
}

/** More people than one page of a delete takes. */
async function makeCrowd(env: Client): Promise<void> {
  await makeWorkflow(env)
  const people = Array.from({ length: 501 }, (_, n) => `p${n}`)
  await makeSubscribers(env, people)
  await env.post('/v2/topics', { key: 'all' })
  await subscribe(env, 'all', people)
  await trigger(env, { to: { type: 'Topic', topicKey: 'all' } })
  await expand(env)
}

async function triggerHello(env: Client): Promise<void> {
  await makeHello(env)
  await trigger(env, { to: 'ann' })
  await expand(env)
}

/** A step that waits, and whose time has come. */
async function makeDelayed(env: Client): Promise<void> {
  const wait = { name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } }
  const steps = [wait, { name: 'Inbox', type: 'in_app', controlValues: { subject: 'S', body: 'B' } }]
  await makeWorkflow(env, 'later', { steps })
  await trigger(env, { name: 'later', to: 'bob' })
  await expand(env)
  const { numAffectedRows } = await on(
    env,
    `update job set run_at = now() - interval '1 second' where environment_id = $env and status = 'delayed'`,
  )
  expect(numAffectedRows).toBe(1n)
}

const endDelay = (env: Client) =>
  on(
    env,
    `update job set status = 'completed', run_at = null, updated_at = now() - interval '1 hour'
    where environment_id = $env and type = 'delay'`,
  )

async function makeMail(env: Client): Promise<void> {
  const steps = [{ name: 'Mail', type: 'email', controlValues: { subject: 'S', body: 'B' } }]
  await makeWorkflow(env, 'mail', { steps })
  const mailbox = { providerId: 'platform-email', channel: 'email', name: 'Mailbox', credentials: {}, active: true }
  expect((await env.post('/v1/integrations', mailbox)).status).toBe(201)
  await trigger(env, { name: 'mail', to: { subscriberId: 'mailed', email: 'mailed@example.com' } })
  await expand(env)
}

/** A step that a bridge is to be asked about, which is not there. */
async function makeQuestion(env: Client): Promise<void> {
  await on(
    env,
    `insert into bridge (environment_id, url, synced_at, busy_until) values ($env, 'https://bridge.invalid/', now(), now())`,
  )
  await on(
    env,
    `insert into bridge_call (environment_id, job_id, notification_id, since, next_at)
    values ($env, gen_random_uuid(), gen_random_uuid(), now(), now())`,
  )
}

const works: Record<string, Work> = {
  'expand-events': {
    async plant(env) {
      await makeHello(env)
      await subscribe(env, 'all', ['ann'])
      await trigger(env, { to: { type: 'Topic', topicKey: 'all' } })
    },
  },
  'deliver-messages': { plant: makeMail },
  'advance-notifications': {
    async plant(env) {
      await makeDelayed(env)
      await endDelay(env)
      const { rows } = await sql<{ id: string }>`
        select id from notification where environment_id = ${env.environmentId}`.execute(h.admin)
      await enqueueResumptions(
        h.ctx,
        h.admin,
        env,
        rows.map((row) => row.id),
        'bulk',
      )
    },
  },
  'delete-messages': {
    async plant(env) {
      await makeCrowd(env)
      const [{ transactionId }] = (await env.get('/v1/messages?limit=1')).body.data
      expect((await env.delete(`/v1/messages/transaction/${transactionId}`)).status).toBe(204)
    },
  },
  'erase-subscriber': {
    async plant(env) {
      await triggerHello(env)
      expect((await env.delete('/v2/subscribers/ann')).status).toBe(200)
    },
  },
  'wake-jobs': {
    async plant(env) {
      await makeDelayed(env)
      await makeMail(env)
      await on(env, `delete from pgboss.job where data->>'environmentId' = $env::text`)
      await on(
        env,
        `update message set retry_at = now() - interval '1 second' where environment_id = $env and delivery = 'open'`,
      )
      await on(
        env,
        `insert into integration_pace (environment_id, integration_id, rate, slots, ceiling, refilled_at, paused_until, slowed_at)
        select environment_id, id, 1, 1, 1, now() - interval '1 hour', now() - interval '1 hour', now() - interval '1 hour'
        from integration where environment_id = $env limit 1`,
      )
    },
  },
  'fold-tallies': { plant: triggerHello },
  'age-rollups': {
    plant: (env) =>
      on(
        env,
        `insert into outcome_rollup (environment_id, at, minutes, workflow_id, channel, provider_id, outcome, n)
        values ($env, now() - interval '3 days', 1, $env, 'email', '', 'sent', 1),
          ($env, now() - interval '300 days', 60, $env, 'email', '', 'sent', 1)`,
      ),
  },
  'purge-idempotency': {
    plant: (env) =>
      on(env, `insert into idempotency values ($env, '1', '1', 200, 'reply', now() - interval '25 hours')`),
  },
  'purge-topics': {
    async plant(env) {
      await makeSubscribers(env, ['a', 'b'])
      await subscribe(env, 'gone', ['a', 'b'])
      await env.delete('/v2/topics/gone')
      await env.post('/v2/topics', { key: 'empty' })
      await env.delete('/v2/topics/empty')
    },
  },
  'purge-channels': {
    async plant(env) {
      const { body: chat } = await env.post('/v1/integrations', { providerId: 'slack', channel: 'chat' })
      const own = { integrationIdentifier: chat.identifier }
      await env.post('/v1/channel-connections', { ...own, workspace: { id: 'T1' }, auth: { accessToken: 'x' } })
      const endpoint = { type: 'slack_channel', endpoint: { channelId: 'C1' } }
      await env.post('/v1/channel-endpoints', {
        ...own,
        ...endpoint,
        subscriberId: 'r',
        createSubscriberIfMissing: true,
      })
      await env.delete(`/v1/integrations/${chat._id}`)
    },
  },
  'purge-environments': {
    // Another one, deleted long ago: it has no state of its own to test.
    plant: (env) =>
      on(
        env,
        `insert into environment (id, organization_id, name, slug, state, deleted_at, purged_after)
          select gen_random_uuid(), organization_id, 'gone', id::text, 'departed', now() - interval '8 days', now() - interval '1 day'
          from environment where id = $env`,
      ),
    async expectDone({ organizationId }) {
      const { rows } =
        await sql`select 1 from environment where organization_id = ${organizationId} and name = 'gone'`.execute(
          h.admin,
        )
      expect(rows).toEqual([])
    },
  },
  'wake-bridges': { plant: makeQuestion },
  'ask-bridge': {
    async plant(env) {
      await makeQuestion(env)
      await on(env, `update bridge set busy_by = $env, busy_until = now() where environment_id = $env`)
      const { environmentId } = env
      const task = { environmentId, group: environmentId, by: environmentId }
      await h.ctx.engine.enqueue(h.admin, 'ask-bridge', 'transactional', [task])
    },
  },
  'wake-webhooks': { plant: makeDelivery },
  'deliver-webhooks': {
    async plant(env) {
      await makeDelivery(env)
      await on(env, `update webhook_endpoint set busy_by = id, busy_until = now() where environment_id = $env`)
      const { rows } = await sql<{ id: string }>`
        select id from webhook_endpoint where environment_id = ${env.environmentId}`.execute(h.admin)
      const tasks = rows.map(({ id }) => ({ environmentId: env.environmentId, group: id, endpointId: id, by: id }))
      await h.ctx.engine.enqueue(h.admin, 'deliver-webhooks', 'bulk', tasks)
    },
  },
  'purge-webhooks': {
    async plant(env) {
      await makeDelivery(env)
      await on(env, `update webhook_endpoint set state = 'deleted' where environment_id = $env`)
    },
  },
  'sweep-presence': {
    async plant(env) {
      await makeSubscribers(env, ['away'])
      const node = randomUUID()
      await on(env, `insert into inbox_node values ('${node}', now() - interval '1 hour')`)
      await on(
        env,
        `insert into presence select environment_id, id, '${node}' from subscriber where environment_id = $env`,
      )
      await on(env, `update subscriber set is_online = true where environment_id = $env`)
    },
  },
  'purge-windows': {
    async plant(env) {
      await on(env, `insert into throttle_window values ($env, $env, 's', $env, 'k', 1, now() - interval '1 day')`)
      await on(
        env,
        `insert into digest_window values
        ($env, $env, 's', $env, 'k', 'lookback', $env, $env, now() - interval '1 day')`,
      )
    },
  },
  'sweep-events': {
    async plant(env) {
      await triggerHello(env)
      await on(env, `update event set state = 'accepted', expand_cursor = null where environment_id = $env`)
    },
    at: () => new Date(Date.now() + 60_000),
  },
  'watch-sends': {
    async plant(env) {
      await triggerHello(env)
      await on(
        env,
        `insert into send (environment_id, id, transaction_id, workflow_id, kind, state, since, look_at, counted)
        select environment_id, id, transaction_id, workflow_id, 'topic', 'running', now(), now(), true from event
        where environment_id = $env`,
      )
    },
  },
  'watch-jumps': {
    plant: async (env) => {
      await on(env, `update environment set send_bounds = '{"slowOnJumps":true}' where id = $env`)
      await on(
        env,
        `insert into outcome_rollup (environment_id, at, minutes, workflow_id, channel, provider_id, outcome, n)
        values ($env, now() - interval '1 day', 60, $env, 'email', '', 'sent', 5000),
          ($env, now() - interval '5 minutes', 1, $env, 'email', '', 'failed', 500)`,
      )
    },
    expectDone: async (env) => expect((await env.get('/v1/environment')).body.data.slowed.reason).toBe('failures'),
  },
  'purge-sends': {
    plant: (env) =>
      on(
        env,
        `insert into send (environment_id, id, transaction_id, workflow_id, kind, state, since, counted)
        values ($env, uuid_at(now() - interval '3 days'), 'old', $env, 'topic', 'done', now(), true)`,
      ),
  },
  'sweep-notifications': {
    async plant(env) {
      await makeDelayed(env)
      await endDelay(env)
    },
    at: () => new Date(Date.now() + 3600_000),
  },
  'sweep-dead-tasks': {
    plant: (env) =>
      on(
        env,
        `insert into pgboss.job (name, priority, data, source_name, source_output, created_on) values ('dead-letters', 10,
        jsonb_build_object('environmentId', $env, 'eventIds', '[]'::jsonb), 'expand-events',
        '{"value": {"message": "job heartbeat timeout"}}', now() - interval '1 day')`,
      ),
  },
  'purge-callback-tokens': {
    async plant(env) {
      await makeMail(env)
      await on(
        env,
        `insert into callback_token select environment_id, id, 'digest', now() - interval '1 hour'
        from integration where environment_id = $env limit 1`,
      )
    },
  },
  'ask-receipts': {
    async plant(env) {
      await makeMail(env)
      await on(
        env,
        `insert into receipt (environment_id, integration_id, ticket, message_id, target, due_at, expires_at)
        select environment_id, id, t.ticket, $env, '', now() - interval '3 hours', now() + t.rest
        from integration, (values ('late', interval '-2 hours'), ('due', interval '1 day')) as t (ticket, rest)
        where environment_id = $env`,
      )
    },
  },
  'check-conservation': {
    async plant(env) {
      await triggerHello(env)
      await on(env, `delete from notification where environment_id = $env`)
    },
    async expectDone() {
      // To the end of the round that began, and one more.
      const roundEndedAt = async () =>
        (await h.admin.selectFrom('conservation').selectAll().executeTakeFirst())?.round_ended_at
      for (let round = 0; round < 2; round++) {
        const before = await roundEndedAt()
        while (String(await roundEndedAt()) === String(before)) await runLoop('check-conservation')
      }
      const { rows } = await sql<{ n: number }>`
        select (last_missing->>'notification')::int as n from conservation`.execute(h.admin)
      // That of the active one, and of nobody else.
      expect(rows[0]?.n).toBe(1)
    },
  },
}

async function makeDelivery(env: Client): Promise<void> {
  const { body } = await env.post('/v1/webhook-endpoints', { url: 'https://nobody.invalid/' })
  expect((await env.post(`/v1/webhook-endpoints/${body._id}/test`)).status).toBe(201)
}

/** These look at no rows of environments, or at whole tables; the last one has a test of its own. */
const ofNobody = [
  'tell-alive',
  'watch-queues',
  'watch-dead-letters',
  'make-partitions',
  // The record is the organization's: it neither is held nor moves.
  'purge-change-record',
  // People and our mails to them are the organization's, too. A mail through a held environment waits.
  'purge-people',
  'send-own-mails',
  'drop-partitions',
]

async function runLoop(name: string, at = new Date()): Promise<void> {
  const { clock } = h.ctx
  h.ctx.clock = () => at
  try {
    const loop = loops.find((it) => it.name === name)
    for (let turn = 0; turn < 20; turn++) if (((await loop?.run(h.ctx)) ?? 0) === 0) break
  } finally {
    h.ctx.clock = clock
  }
}

async function setState(env: Client, state: StateName): Promise<void> {
  await sql`update environment set state = ${state}, frozen_until = now() + interval '1 hour' where id = ${env.environmentId}`.execute(
    h.admin,
  )
}

/** Every row of the environment in every table, as text; and its open tasks. */
async function rowsOf({ environmentId }: Client): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'environment_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'api_key' order by 1`.execute(h.admin)
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t where environment_id = ${environmentId} order by 1`.execute(
      h.admin,
    )
    if (rows.length > 0) found[name] = rows.map(({ row }) => row)
  }
  return { ...found, tasks: (await tasksOf({ environmentId })).map(({ text }) => text) }
}

async function tasksOf({ environmentId }: Pick<Client, 'environmentId'>): Promise<{ id: string; text: string }[]> {
  const { rows } = await sql<{ id: string; text: string }>`
    select id, name || ' ' || data::text as text from pgboss.job
    where data->>'environmentId' = ${environmentId} and state < 'completed' order by 2`.execute(h.admin)
  return rows
}

/** Until each of these tasks was taken from its queue and put back, or dropped, or done. */
async function runTask(name: string, envs: readonly Client[]): Promise<void> {
  const task = tasks.filter((it) => it.name === name)
  const before = new Set((await Promise.all(envs.map(tasksOf))).flat().map(({ id }) => id))
  expect(before.size).toBe(envs.length)
  await workTasks(h.ctx, task)
  const left = async () => (await Promise.all(envs.map(tasksOf))).flat().filter(({ id }) => before.has(id)).length
  await expect.poll(left, { timeout: 10_000 }).toBe(0)
  stopTaking(h.ctx, task)
  await sleep(100)
}

test('every task and every loop is here', () => {
  const named = [...Object.keys(works), ...ofNobody].sort()
  expect(named).toEqual([...tasks, ...loops].map(({ name }) => name).sort())
})

test.each(Object.entries(works))('%s touches only what is active', async (name, { plant, at, expectDone }) => {
  const envs = await Promise.all(states.map(() => h.environment()))
  await Promise.all(envs.map(plant))
  for (const [n, env] of envs.entries()) await setState(env, states[n] ?? 'active')
  await sleep(260)
  const before = await Promise.all(envs.map(rowsOf))
  if (tasks.some((task) => task.name === name)) await runTask(name, envs)
  else await runLoop(name, at?.())
  const [active] = envs
  if (active && expectDone) await expectDone(active)
  const after = await Promise.all(envs.map(rowsOf))
  for (const [n, state] of states.entries()) {
    if (state === 'active') {
      if (!expectDone) expect(after[n], state).not.toEqual(before[n])
      continue
    }
    // What departed is done elsewhere: its task is dropped.
    const isDropped = state === 'departed' && tasks.some((task) => task.name === name)
    expect(after[n], state).toEqual(isDropped ? { ...before[n], tasks: [] } : before[n])
  }
  // The next one begins with nobody held.
  for (const env of envs) await setState(env, 'active')
  await on(envs[0] as Client, 'delete from pgboss.job')
})

test('drop-partitions waits while one is on its way, and takes what departed left with its week', async () => {
  const old = new Date(Date.now() - 100 * dayMs)
  await ensurePartitions(h.admin, old, old)
  const envs = await Promise.all(states.map(() => h.environment()))
  h.ctx.clock = () => old
  await Promise.all(envs.map(triggerHello))
  h.ctx.clock = () => new Date()
  for (const [n, env] of envs.entries()) await setState(env, states[n] ?? 'active')
  const before = await Promise.all(envs.map(rowsOf))
  await runLoop('drop-partitions')
  expect(await Promise.all(envs.map(rowsOf))).toEqual(before)
  for (const [n, env] of envs.entries()) if (states[n] !== 'departed') await setState(env, 'active')
  await runLoop('drop-partitions')
  for (const env of envs) expect((await rowsOf(env)).event).toBeUndefined()
})
