import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Client, type Json, useHarness } from '../../test/harness.ts'
import { readSamples, type Sample, sumOf, tableOf } from '../../test/metrics-text.ts'
import { allowing, emailStep, emailWebhook, makeIntegration } from '../../test/outside.ts'
import { type ReceivedRequest, startHttpReceiver } from '../../test/peers/http-receiver.ts'
import { makeSubscribers, makeWorkflow, subscribe } from '../../test/pipeline.ts'

const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
const root = join(import.meta.dirname, '../..')

async function scrape(): Promise<Sample[]> {
  return readSamples((await h.send('GET', '/metrics')).text)
}

/** A provider that accepts most messages, refuses some and defers others, by their address. */
function fussy() {
  const seen = new Set<string>()
  return ({ json }: ReceivedRequest) => {
    const to = JSON.stringify((json as { to?: unknown }).to ?? json)
    const isFirst = !seen.has(to)
    seen.add(to)
    if (to.includes('refused')) return { status: 422 }
    if (to.includes('slow') && isFirst) return { status: 429, headers: { 'retry-after': '1' } }
    if (to.includes('away') && isFirst) return { status: 503 }
    return { status: 200, json: { id: 'x' } }
  }
}

async function everyPage(env: Client, path: string, limit: number): Promise<Json[]> {
  const rows: Json[] = []
  for (let page = 0; ; page++) {
    const { body } = await env.get(`${path}?limit=${limit}&page=${page}`)
    rows.push(...body.data)
    if (!body.hasMore) return rows
  }
}

function countBy(rows: readonly Json[], keyOf: (row: Json) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows) counts[keyOf(row)] = (counts[keyOf(row)] ?? 0) + 1
  return counts
}

/** Some hundred events that end in every possible way. */
async function load(env: Client): Promise<void> {
  const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }
  const wait = { name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'hours' } }
  const gather = { name: 'Gather', type: 'digest', controlValues: { amount: 1, unit: 'hours' } }
  await makeWorkflow(env, 'both', { steps: [inbox, emailStep] })
  await makeWorkflow(env, 'broken', {
    steps: [{ ...inbox, controlValues: { body: '{% for i in (1..60000) %}too much text{% endfor %}' } }],
  })
  await makeWorkflow(env, 'later', { steps: [wait, emailStep] })
  await makeWorkflow(env, 'gathered', { steps: [gather, inbox] })
  await makeIntegration(env, emailWebhook(receiver.url))
  const kinds = ['refused', 'slow', 'away', 'fine', 'fine', 'fine', 'fine']
  const events = Array.from({ length: 300 }, (_, n) => {
    const kind = n < 12 ? kinds[n % kinds.length] : 'fine'
    const email = n % 10 === 9 ? {} : { email: `${kind}-${n}@example.org` }
    return { name: 'both', to: { subscriberId: `p${n}`, ...email }, transactionId: `both-${n}` }
  })
  for (let from = 0; from < events.length; from += 100) {
    await env.post('/v1/events/trigger/bulk', { events: events.slice(from, from + 100) })
  }
  const odd = [
    ...events.slice(0, 7),
    { ...events[0], payload: { other: true } },
    { name: 'nobody', to: 'x' },
    { name: 'both', to: [] },
    ...Array.from({ length: 5 }, (_, n) => ({ name: 'broken', to: `p${n}` })),
    ...Array.from({ length: 4 }, (_, n) => ({ name: 'later', to: `p${n + 10}`, transactionId: `later-${n}` })),
    ...Array.from({ length: 6 }, () => ({ name: 'gathered', to: 'p3' })),
  ]
  await env.post('/v1/events/trigger/bulk', { events: odd })
  // Two topics that share people, over more than one page: each is notified once.
  const ids = Array.from({ length: 300 }, (_, n) => `t${n}`)
  await makeSubscribers(env, ids)
  await subscribe(env, 'one', ids)
  await subscribe(env, 'two', ids.slice(100))
  const topics = ['one', 'two'].map((topicKey) => ({ type: 'Topic', topicKey }))
  await env.post('/v1/events/trigger', { name: 'gathered', to: topics })
  await h.drain()
  expect((await env.send('DELETE', '/v1/events/trigger/later-0')).body.canceled).toBe(2)
  const twice = { 'idempotency-key': 'once' }
  for (let n = 0; n < 2; n++) await env.post('/v1/events/trigger', { name: 'gathered', to: 'p4' }, twice)
  await h.settled()
}

test('after a load run /metrics and the API tell the same totals', { timeout: 180_000 }, async () => {
  const env = await h.environment()
  receiver.answer = fussy()
  await load(env)
  const samples = await scrape()
  const activity = await everyPage(env, '/v1/notifications', 50)
  const messages = await everyPage(env, '/v1/messages', 1000)

  expect(tableOf(samples, 'tidings_events_total', 'result')).toEqual({
    processed: new Set(activity.map((it) => it.transactionId)).size,
    repeated: 7,
    transaction_id_conflict: 1,
    workflow_not_found: 1,
    invalid_recipients: 1,
  })
  expect(sumOf(samples, 'tidings_notifications_total')).toBe(activity.length)

  const jobs = activity.flatMap((it) => it.jobs)
  const ended = jobs.filter((job) => !['pending', 'delayed', 'queued'].includes(job.status))
  const {
    'delay waiting': delays,
    'digest waiting': digests,
    ...steps
  } = tableOf(samples, 'tidings_steps_total', 'type', 'outcome')
  expect(steps).toEqual(countBy(ended, (job) => `${job.type} ${job.status}`))
  // Steps that wait have not ended: four delays began, one was canceled; each person has one digest.
  expect([delays, digests]).toEqual([4, 302])

  const outcomes = { sent: 'sent', error: 'failed', warning: 'skipped' } as const
  const shown = countBy(messages, (it) => `${it.channel} ${outcomes[it.status as keyof typeof outcomes]}`)
  expect(tableOf(samples, 'tidings_messages_total', 'channel', 'outcome')).toEqual(shown)
  for (const outcome of ['sent', 'failed', 'skipped']) expect(shown[`email ${outcome}`]).toBeGreaterThan(0)

  expect(sumOf(samples, 'tidings_attempts_total')).toBe(receiver.requests.length)
  const tries = tableOf(samples, 'tidings_attempts_total', 'provider', 'outcome')
  expect(tries['email-webhook sent']).toBe(shown['email sent'])
  for (const outcome of ['paced', 'retry', 'rejected']) expect(tries[`email-webhook ${outcome}`]).toBeGreaterThan(0)
  expect(sumOf(samples, 'tidings_provider_seconds_count')).toBe(receiver.requests.length)
  const sent = (shown['in_app sent'] ?? 0) + (shown['email sent'] ?? 0)
  expect(sumOf(samples, 'tidings_stage_seconds_count', { stage: 'due_to_sent' })).toBe(sent)
  expect(sumOf(samples, 'tidings_integrations', { provider: 'email-webhook' })).toBe(1)
  console.log(tableOf(samples, 'tidings_steps_total', 'type', 'outcome'), tries)
})

test('no label holds a tenant, a person or an address', async () => {
  const env = await h.environment()
  await env.get('/v2/subscribers/somebody')
  const labels = (await scrape()).flatMap((sample) => Object.values(sample.labels))
  expect(labels).toContain('/v2/subscribers/:subscriberId')
  for (const label of labels) expect(label).not.toMatch(/@|[0-9a-f]{8}-[0-9a-f]{4}|somebody|example\.org/)
})

test('every metric that the dashboard, the alerts and their runbooks name exists, and docs/metrics.md describes all of ours', async () => {
  await scrape()
  const text = (await h.send('GET', '/metrics')).text
  const declared = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  const known = new Set(
    [...declared].flatMap(([name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
  const alerts = parse(readFileSync(join(root, 'deploy/chart/files/alerts.yml'), 'utf8'))
  const rules = alerts.groups.flatMap((group: Json) => group.rules)
  const panels = JSON.parse(readFileSync(join(root, 'deploy/grafana-dashboard.json'), 'utf8')).panels
  const targets = panels.flatMap((panel: Json) => panel.targets ?? [])
  const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const printed = [...operations.matchAll(/```promql\n(.*?)\n```/gs)].flatMap(([, block = '']) => block.split('\n'))
  const expressions: string[] = [...[...rules, ...targets].map((it: Json) => it.expr), ...printed]
  expect(rules.length).toBeGreaterThanOrEqual(7)
  expect(targets.length).toBeGreaterThanOrEqual(12)
  expect(printed.length).toBeGreaterThanOrEqual(10)
  const named = expressions.flatMap((expr) => expr.match(/\b(tidings|process|nodejs)_\w+/g) ?? [])
  expect(named.length).toBeGreaterThanOrEqual(expressions.length - 1)
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
  const guide = readFileSync(join(root, 'docs/metrics.md'), 'utf8')
  const ours = [...declared.keys()].filter((name) => name.startsWith('tidings_'))
  expect(ours.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
  // The gateway is another process: its own tests look at them.
  const told = [...guide.matchAll(/`(tidings_(?!gateway_)\w+)`/g)].map(([, name = '']) => name)
  expect(told.filter((it) => !declared.has(it))).toEqual([])
})

test('a transaction that is undone or repeated counts nothing, or once', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const before = sumOf(await scrape(), 'tidings_events_total', { result: 'processed' })
  // Fails at the commit, after all work of the transaction.
  await sql`create sequence once`.execute(h.admin)
  await sql
    .raw(`create function refuse_once() returns trigger language plpgsql as $$ begin
      if new.transaction_id = 'again' and nextval('once') = 1 then raise exception 'try again' using errcode = '40001'; end if;
      if new.transaction_id = 'never' then raise exception 'no' using errcode = 'P0001'; end if;
      return new; end $$`)
    .execute(h.admin)
  await sql
    .raw(`create constraint trigger refuse_once after insert on event_key deferrable initially deferred
      for each row execute function refuse_once()`)
    .execute(h.admin)
  await sql.raw('grant usage on sequence once to public').execute(h.admin)
  const send = (transactionId: string) => env.post('/v1/events/trigger', { name: 'hello', to: 'a', transactionId })
  expect((await send('again')).status).toBe(201)
  expect((await send('never')).status).toBe(500)
  expect(sumOf(await scrape(), 'tidings_events_total', { result: 'processed' })).toBe(before + 1)
  await h.drain()
})

test('what was given up shows: messages as dead letters, tasks as quarantined', async () => {
  const env = await h.environment()
  // The backlog is remembered for two seconds: the test before must not be seen here.
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  const before = await scrape()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, emailWebhook(receiver.url))
  receiver.answer = { status: 401 }
  await env.post('/v1/events/trigger', { name: 'hello', to: { subscriberId: 'a', email: 'a@example.org' } })
  await h.settled()
  await sql`insert into pgboss.job (name, data, source_name) values ('dead-letters', '{}', 'expand-events')`.execute(
    h.admin,
  )
  for (let waited = 0; waited < 5_000; waited += 100) {
    // A message is counted a moment after it can be seen.
    const now = await scrape()
    const dead = sumOf(now, 'tidings_messages_total', { outcome: 'dead' })
    if (
      sumOf(now, 'tidings_quarantined_tasks') > 0 &&
      dead > sumOf(before, 'tidings_messages_total', { outcome: 'dead' })
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const after = await scrape()
  expect((await env.get('/v1/dead-letters')).body.data).toHaveLength(1)
  for (const [name, labels] of [
    ['tidings_dead_letters', {}],
    ['tidings_messages_total', { channel: 'email', provider: 'email-webhook', outcome: 'dead' }],
    ['tidings_quarantined_tasks', { queue: 'expand-events' }],
  ] as const) {
    expect(sumOf(after, name, labels) - sumOf(before, name, labels), name).toBe(1)
  }
})

// Last: the second node has a worker too, which takes from the same queues and counts for itself.
test('METRICS_TOKEN closes the page to whoever does not bring it', async () => {
  const { url } = await h.node({ METRICS_TOKEN: 'scrape-me-please' })
  const ask = (authorization?: string) =>
    fetch(`${url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
  expect((await ask()).status).toBe(401)
  expect((await ask('Bearer scrape-me')).status).toBe(401)
  expect((await ask(`ApiKey ${(await h.environment()).key}`)).status).toBe(401)
  const reply = await ask('Bearer scrape-me-please')
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
})
