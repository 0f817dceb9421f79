import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../src/store/database.ts'
import { type Client, client, sender } from '../harness.ts'
import { emailStep, emailWebhook, makeIntegration } from '../outside.ts'
import { makeSubscribers, makeWorkflow, subscribe, trigger } from '../pipeline.ts'
import type { CellName, TwoCells } from './two-cells.ts'

const wait = (amount: number, unit: string) => ({ name: 'Wait', type: 'delay', controlValues: { amount, unit } })
const gather = (amount: number, unit: string) => ({ name: 'Digest', type: 'digest', controlValues: { amount, unit } })
export const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }

/** Some of everything that an environment can hold, waiting for so long that nothing of it changes by itself. */
export async function fillEnvironment(
  cells: TwoCells,
  cell: CellName,
): Promise<{ environmentId: string; key: string }> {
  const made = await cells.environment(cell)
  const node = await cells.startNode(cell, { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: '9' })
  const env: Client = { ...client(sender(node.url), made.key), ...made, organizationId: '' }
  // Nobody listens there: the mail is retried for hours.
  const integration = await makeIntegration(env, emailWebhook('http://127.0.0.1:9/'))
  await makeWorkflow(env)
  await makeWorkflow(env, 'wait', { steps: [inbox, wait(2, 'hours'), inbox] })
  await makeWorkflow(env, 'digest', { steps: [gather(3, 'hours'), inbox] })
  await makeWorkflow(env, 'mail', { steps: [emailStep] })
  const people = Array.from({ length: 30 }, (_, n) => `p${n}`)
  await makeSubscribers(env, people)
  await env.post('/v2/topics', { key: 'all', name: 'Everybody' })
  await subscribe(env, 'all', people)
  for (const name of ['hello', 'wait', 'digest', 'mail']) {
    await trigger(env, {
      name,
      to: people.slice(0, 10).map((subscriberId) => ({ subscriberId, email: `${subscriberId}@example.org` })),
    })
    await trigger(env, { name, to: { type: 'Topic', topicKey: 'all' } })
  }
  const set = await env.patch('/v2/subscribers/p1/preferences', { channels: { email: false }, workflowId: 'mail' })
  expect(set.status, set.text).toBe(200)
  await env.patch('/v2/subscribers/p2/preferences', { channels: { email: false } })
  await env.post('/v1/tenants', { identifier: 'acme', name: 'Acme' })
  await env.post('/v2/contexts', { type: 'tenant', id: 'acme', data: { plan: 'gold' } })
  const values = [{ _environmentId: made.environmentId, value: 'https://example.com' }]
  expect((await env.post('/v1/environment-variables', { key: 'SHOP', values })).status).toBe(200)
  const headers = { 'idempotency-key': 'once' }
  expect((await env.post('/v1/events/trigger', { name: 'hello', to: 'p3' }, headers)).status).toBe(201)
  const { db } = cells.cells.get(cell).database
  await sql`insert into callback_token (environment_id, integration_id, digest, expires_at)
    values (${made.environmentId}, ${integration._id}, 'abc', now() + interval '1 day')`.execute(db)
  await untilQuiet(db, made.environmentId)
  await node.stop()
  return made
}

/** Nothing is queued, nobody is called: what is left waits for hours. */
export async function untilQuiet(db: Db, environmentId: string, timeoutMs = 60_000): Promise<void> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(50)) {
    const { rows } = await sql<{ open: string }>`
      select (select count(*) from pgboss.job where state < 'completed' and data->>'environmentId' = ${environmentId}
          and name <> 'dead-letters' and start_after < now() + interval '1 minute')
        + (select count(*) from message where environment_id = ${environmentId} and in_flight)
        + (select count(*) from event where environment_id = ${environmentId} and state = 'accepted') as open`.execute(
      db,
    )
    if (Number(rows[0]?.open) === 0) return
  }
  throw new Error('it did not become quiet')
}
