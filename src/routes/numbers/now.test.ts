import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
beforeEach(() => {
  receiver.answer = { status: 200 }
})
afterAll(() => receiver.close())

const people = Array.from({ length: 6 }, (_, n) => ({ subscriberId: `p${n}`, email: `p${n}@example.com` }))

async function now(env: Client): Promise<Json> {
  const reply = await env.get('/v1/numbers/now')
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const codesOf = ({ items }: Json) => items.map((item: Json) => item.code)

describe('what is wrong right now', () => {
  test('nothing, in an environment where all goes well', async () => {
    const env = await h.environment()
    await makeIntegration(env, emailWebhook(receiver.url))
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await trigger(env, { to: people })
    await h.settled()
    const waiting = { events: 0, capped: false, oldestSeconds: 0 }
    expect(await now(env)).toMatchObject({ status: 'ok', items: [], waiting })
  })

  test('a channel that workflows use and no integration serves', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeWorkflow(env, 'asleep', { steps: [{ ...emailStep, active: false }] })
    await makeWorkflow(env, 'resting', { active: false, steps: [emailStep] })
    const found = await now(env)
    expect(found.status).toBe('warning')
    expect(found.items).toMatchObject([
      { code: 'no_integration', severity: 'warning', count: 1, target: { page: 'integrations', channel: 'email' } },
    ])
    await makeIntegration(env, emailWebhook(receiver.url))
    expect((await now(env)).items).toEqual([])
  })

  test('messages that were given up, the provider that refused them and the workflow they are of', async () => {
    const env = await h.environment()
    await makeIntegration(env, emailWebhook(receiver.url))
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    receiver.answer = { status: 401 }
    await trigger(env, { to: people })
    await h.settled()
    const found = await now(env)
    expect(found.status).toBe('error')
    expect(codesOf(found)).toEqual(['dead_letters', 'provider_failing', 'workflow_failing'])
    expect(found.items).toMatchObject([
      { severity: 'error', count: 6, target: { page: 'dead-letters' } },
      { severity: 'error', target: { page: 'integrations', providerId: 'email-webhook', channel: 'email' } },
      { severity: 'warning', count: 6, target: { page: 'workflows', workflowId: 'hello' } },
    ])
    for (const item of found.items) expect(item.advice.length).toBeGreaterThan(10)
    receiver.answer = { status: 200 }
    await env.post('/v1/dead-letters/redrive', { all: true })
    await h.settled()
    expect(codesOf(await now(env))).not.toContain('dead_letters')
  })

  test('tasks that were set aside, of this environment alone', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    await sql`insert into pgboss.job (name, data) values ('dead-letters', ${JSON.stringify({
      environmentId: env.environmentId,
      eventIds: [],
    })}::jsonb)`.execute(h.admin)
    expect((await now(env)).items).toMatchObject([{ code: 'tasks_quarantined', severity: 'error', count: 1 }])
    expect((await now(other)).items).toEqual([])
  })

  test('bounces and complaints beyond what vendors bear', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const [workflow] = (await env.get('/v2/workflows')).body.workflows
    const tally = (outcome: string, n: number) =>
      sql`insert into outcome_tally (environment_id, at, workflow_id, channel, provider_id, outcome, n)
        values (${env.environmentId}, now(), ${workflow._id}, 'email', 'sendgrid', ${outcome}, ${n})`.execute(h.admin)
    await tally('sent', 200)
    await tally('bounced', 6)
    expect((await now(env)).items).toEqual([])
    await tally('complained', 5)
    expect((await now(env)).items).toMatchObject([
      { code: 'bounces_growing', count: 11, target: { page: 'suppressions', channel: 'email' } },
    ])
    await tally('unknown', 2)
    expect(codesOf(await now(env))).toContain('deliveries_unknown')
  })

  test('a webhook endpoint that takes nothing any more, and one that was disabled for it; not one that you disabled', async () => {
    const env = await h.environment()
    const made = await env.post('/v1/webhook-endpoints', { url: `${receiver.url}/hooks?token=s3cret` })
    const set = (change: ReturnType<typeof sql>) =>
      sql`update webhook_endpoint set ${change} where id = ${made.body._id}`.execute(h.admin)
    const host = new URL(receiver.url).host
    const target = { page: 'webhooks', endpointId: made.body._id }
    await set(sql`failing_since = now() - interval '10 minutes'`)
    expect((await now(env)).items).toEqual([])
    await set(sql`failing_since = now() - interval '3 days'`)
    expect((await now(env)).items).toMatchObject([
      {
        code: 'webhook_failing',
        severity: 'warning',
        text: `The webhook endpoint ${host}/hooks has taken nothing for 3 days`,
        target,
      },
    ])
    await set(sql`state = 'disabled', disabled_reason = 'It answered 410 (gone).'`)
    expect((await now(env)).items).toMatchObject([
      {
        code: 'webhook_disabled',
        severity: 'error',
        text: `The webhook endpoint ${host}/hooks was disabled`,
        advice: 'It answered 410 (gone). It is told nothing until you enable it again.',
        target,
      },
    ])
    expect((await now(await h.environment())).items).toEqual([])
    await env.patch(`/v1/webhook-endpoints/${made.body._id}`, { status: 'enabled' })
    await env.patch(`/v1/webhook-endpoints/${made.body._id}`, { status: 'disabled' })
    expect((await now(env)).items).toEqual([])
  })
})
