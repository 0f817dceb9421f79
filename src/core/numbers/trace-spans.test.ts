import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'

const [vendor, collector] = [await startHttpReceiver(), await startHttpReceiver()]
vendor.answer = { status: 200, json: { id: 'x' } }
// The collector's port is not open for messages: spans leave by their own client.
const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collect',
}
const h = useHarness({ ...allowing(vendor.port), ...tracing }, { worker: true })

const to = { subscriberId: 'ada', email: 'ada@example.org' }
let made = 0

/** A caller with its own span. */
function newCaller(flags = '01') {
  made += 1
  const traceId = `${made}`.padStart(32, 'a')
  const spanId = `${made}`.padStart(16, 'c')
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
}

function spansOf(traceId: string): Json[] {
  const sent = collector.requests.flatMap(({ json }) => (json as Json).resourceSpans)
  return sent.flatMap((it) => it.scopeSpans[0].spans).filter((span) => span.traceId === traceId)
}

async function until(count: number, traceId: string): Promise<Json[]> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    const spans = spansOf(traceId)
    if (spans.length >= count) return spans
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`${spansOf(traceId).length} of ${count} spans arrived`)
}

/** The trace as lines, each span under its parent. */
function treeOf(spans: readonly Json[], parentSpanId: string, depth = 0): string[] {
  return spans
    .filter((span) => span.parentSpanId === parentSpanId)
    .toSorted((a, b) => Number(a.startTimeUnixNano) - Number(b.startTimeUnixNano))
    .flatMap((span) => [`${'  '.repeat(depth)}${span.name}`, ...treeOf(spans, span.spanId, depth + 1)])
}

function attributesOf(span: Json): Record<string, string> {
  return Object.fromEntries(span.attributes.map((it: Json) => [it.key, it.value.stringValue ?? it.value.intValue]))
}

test('one trace: caller, accept, expand, advance, deliver and the provider call', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, emailWebhook(vendor.url))
  const caller = newCaller()
  const reply = await env.post('/v1/events/trigger', { name: 'hello', to }, caller.headers)
  expect(reply.status).toBe(201)
  await h.settled()
  const spans = await until(5, caller.traceId)
  const tree = treeOf(spans, caller.spanId, 1)
  console.log([`trace ${caller.traceId}`, `caller ${caller.spanId}`, ...tree].join('\n'))
  expect(tree.map((line) => line.slice(2))).toEqual([
    'accept',
    '  expand',
    '    advance',
    '      deliver',
    '        provider',
  ])
  expect(spans).toHaveLength(5)
  for (const span of spans) {
    expect(Number(span.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(span.startTimeUnixNano))
    expect(Math.abs(Number(span.endTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(60_000)
  }
  const provider = spans.find((span) => span.name === 'provider')
  expect(attributesOf(provider)).toMatchObject({
    'tidings.channel': 'email',
    'tidings.provider': 'email-webhook',
    'tidings.outcome': 'sent',
    'tidings.attempt': '1',
  })
  // Not by its name alone: three letters that are also digits of ids.
  expect(JSON.stringify(spans)).not.toContain(to.email)
  expect(collector.requests[0]).toMatchObject({ url: '/v1/traces', headers: { authorization: 'Bearer collect' } })
  const body = collector.requests[0]?.json as Json
  expect(body.resourceSpans[0].resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'tidings' } },
  ])
})

test('behind a delay the walk goes on under the accepted event, and what it sends hangs under that walk', async () => {
  const env = await h.environment()
  const wait = { name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'seconds' } }
  await makeWorkflow(env, 'hello', { steps: [wait, emailStep] })
  await makeIntegration(env, emailWebhook(vendor.url))
  const caller = newCaller()
  await env.post('/v1/events/trigger/bulk', { events: [{ name: 'hello', to }] }, caller.headers)
  const spans = await until(6, caller.traceId)
  expect(treeOf(spans, caller.spanId)).toEqual([
    'accept',
    '  expand',
    '    advance',
    '  advance',
    '    deliver',
    '      provider',
  ])
})

test('a bulk has one accept for each event; a try that fails says so', async () => {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, emailWebhook(vendor.url))
  const caller = newCaller()
  vendor.answer = { status: 422 }
  const events = [1, 2].map((n) => ({ name: 'hello', to: { subscriberId: `p${n}`, email: `p${n}@example.org` } }))
  await env.post('/v1/events/trigger/bulk', { events }, caller.headers)
  const spans = await until(10, caller.traceId)
  vendor.answer = { status: 200, json: { id: 'x' } }
  expect(treeOf(spans, caller.spanId).filter((line) => line === 'accept')).toHaveLength(2)
  expect(spans.filter((span) => span.status).map((span) => [span.name, span.status.code])).toEqual(
    expect.arrayContaining([
      ['deliver', 2],
      ['provider', 2],
    ]),
  )
})

test('who does not ask for it, or not rightly, has no trace; who is not sampled is not recorded', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const unsampled = newCaller('00')
  const tries: Record<string, string>[] = [{}, { traceparent: 'nonsense' }, unsampled.headers]
  for (const headers of tries) {
    expect((await env.post('/v1/events/trigger', { name: 'hello', to: 'ada' }, headers)).status).toBe(201)
  }
  await h.drain()
  const { rows } = await sql<{ trace: string | null }>`
    select trace from event where environment_id = ${env.environmentId} order by id`.execute(h.admin)
  expect(rows.map((row) => row.trace)).toEqual([null, null, expect.stringMatching(`^00-${unsampled.traceId}-.*-00$`)])
  const traced = newCaller()
  await env.post('/v1/events/trigger', { name: 'hello', to: 'ada' }, traced.headers)
  await until(3, traced.traceId)
  expect(spansOf(unsampled.traceId)).toEqual([])
})

test('a collector that is away or refuses holds nothing up, and what is lost is counted', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  collector.answer = { status: 503 }
  const caller = newCaller()
  await env.post('/v1/events/trigger', { name: 'hello', to: 'ada' }, caller.headers)
  await h.drain()
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    const { text } = await h.send('GET', '/metrics')
    if (/^tidings_spans_total\{result="dropped"\} [3-9]/m.test(text)) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  collector.answer = {}
  expect((await h.send('GET', '/metrics')).text).toMatch(/^tidings_spans_total\{result="dropped"\} [3-9]/m)
  expect((await env.get('/v1/messages')).body.data).toHaveLength(1)
})

// Last, because its node also takes work and makes no spans for it.
test('a node that does not collect keeps the caller’s own context for those that do', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const caller = newCaller()
  const { url } = await h.node({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  const headers = { authorization: `ApiKey ${env.key}`, 'content-type': 'application/json', ...caller.headers }
  const reply = await fetch(`${url}/v1/events/trigger`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'hello', to: 'ada' }),
  })
  expect(reply.status).toBe(201)
  const { rows } = await sql<{ trace: string }>`
    select trace from event where environment_id = ${env.environmentId}`.execute(h.admin)
  expect(rows[0]?.trace).toBe(caller.headers.traceparent)
})
