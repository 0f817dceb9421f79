import { Ajv, type ValidateFunction } from 'ajv'
import { hostileNumbers } from '../../hostile/hostile.ts'
import { hostileText, hostileValue, type Op, spoil, validValue } from '../../hostile/openapi-fuzz.ts'
import { send } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, shorten } from '../../lib/red.ts'
import { arrange, checkRefusal, type InputStage } from './stage.ts'

type Request = { method: string; url: string; body?: unknown; raw?: string; headers: Record<string, string> }
type Known = { op: Op; path: string; body: unknown; fits: ValidateFunction | null; status: number }

/** Every operation of our own description, with values it allows and values it does not. */
export async function schemaFuzz(stage: InputStage): Promise<string> {
  const { world, node, tenant, client, operations, description } = stage
  const { random } = world
  const perOperation = world.small ? 30 : Math.ceil(6_000 / operations.length)
  const faults = collectFaults()
  const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false })
  const successes = new Map(operations.map((op) => [op.operation.operationId, 0]))
  const statuses = new Map<number, number>()
  let slowest = { ms: 0, what: '' }

  const known: Known[] = []
  for (const op of operations) {
    const { path, body } = await arrange(client, op)
    const [status = '200'] = Object.keys(op.operation.responses)
    const schema = op.operation.responses[status]?.content?.['application/json']?.schema
    const fits = schema ? ajv.compile({ ...Object(schema), components: description.components }) : null
    known.push({ op, path, body, fits, status: Number(status) })
  }
  const jobs = random.shuffle([
    ...known.flatMap((it) => times(perOperation, (turn) => ({ it, turn, edge: '' }))),
    ...known.flatMap((it) => integerEdges(it.op).map((edge) => ({ it, turn: -1, edge }))),
  ])
  await inParallel(jobs, 12, async ({ it, turn, edge }) => {
    // Deleting uses things up; now and then there is something new to act on.
    if (turn % 12 === 0) Object.assign(it, await arrange(client, it.op))
    const request = edge || turn % 12 === 0 ? asArranged(it, edge) : fuzzed(it, stage)
    const { method, url, ...sent } = request
    const reply = await send(node.url, method, url, { key: tenant.key, ...sent })
    const what = shorten(`${method} ${url} ${JSON.stringify(sent)}`, 300)
    checkRefusal(reply, what, faults)
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    if (reply.status === it.status) {
      successes.set(it.op.operation.operationId, (successes.get(it.op.operation.operationId) ?? 0) + 1)
      if (it.fits && !it.fits(reply.body))
        faults.add(`${what}: the reply breaks its own schema: ${ajv.errorsText(it.fits.errors)}`)
    }
    if (reply.ms > slowest.ms) slowest = { ms: reply.ms, what }
  })
  if (slowest.ms > 5_000) faults.add(`${slowest.what} took ${Math.round(slowest.ms)} ms`)
  // These nodes run as in production, where the development mailbox of its fixture sends nothing.
  successes.delete('integrations-test')
  for (const [name, count] of successes)
    if (count < 2) faults.add(`${name} succeeded ${count} times: the fuzz does not reach it`)
  faults.end()
  expectAtLeast(jobs.length, world.small ? 500 : 3_000, 'requests')
  const accepted = [...successes.values()].reduce((sum, count) => sum + count, 0)
  expectAtLeast(accepted, jobs.length / 10, 'accepted requests')
  const told = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`)
  return `${jobs.length} requests to ${operations.length} operations: ${told.join(' ')}; slowest ${Math.round(slowest.ms)} ms`
}

function asArranged({ op, path, body }: Known, query: string): Request {
  return { method: op.method, url: path + query, headers: {}, ...(body === undefined ? {} : { body }) }
}

/** Every number of a query at every edge: these are few enough to leave none to chance. */
function integerEdges({ operation }: Op): string[] {
  const integers = operation.parameters.filter((it) => it.in === 'query' && at(it.schema, 'type') === 'integer')
  return integers.flatMap(({ name }) => hostileNumbers.map((number) => `?${name}=${number}`))
}

function fuzzed(known: Known, stage: InputStage): Request {
  const { op, path, body } = known
  const { random } = stage.world
  const { schemas } = stage.description.components
  const schema = op.operation.requestBody?.content['application/json']?.schema
  const which = random.pick(['nothing', 'nothing', 'body', 'body', 'body', 'query', 'query', 'path', 'headers', 'raw'])
  const base = schema === undefined ? undefined : random.chance(0.5) ? validValue(schema, schemas, random) : body
  return {
    method: op.method,
    url: (which === 'path' ? hostilePath(op, stage) : path) + query(op, stage, which === 'query'),
    headers:
      which === 'headers'
        ? hostileHeaders(stage)
        : random.chance(0.2)
          ? { 'idempotency-key': `f${random.integer(1, 200)}` }
          : {},
    ...(op.method === 'GET' || (schema === undefined && which !== 'body')
      ? {}
      : which === 'raw'
        ? {
            raw: random.pick([
              '',
              '{',
              '[]',
              'null',
              '"x"',
              '1e999',
              '{"a":1,"a":2}',
              '\ufeff{}',
              'NaN',
              '{"key":1e400}',
              `[${'1,'.repeat(50_000)}1]`,
            ]),
          }
        : { body: which === 'body' ? spoil(base ?? {}, random) : base }),
  }
}

function query(op: Op, { world: { random }, description }: InputStage, isSpoilt: boolean): string {
  const parameters = op.operation.parameters.filter((parameter) => parameter.in === 'query')
  const pairs = parameters.flatMap(({ name, schema }) => {
    if (!random.chance(isSpoilt ? 0.6 : 0.25)) return []
    const value =
      isSpoilt && random.chance(0.6)
        ? random.pick([hostileText(random), (JSON.stringify(hostileValue(random)) ?? '').slice(0, 2_000)])
        : validValue(schema, description.components.schemas, random)
    const pair = `${name}${random.chance(0.05) ? '[]' : ''}=${encodeURIComponent(String(value))}`
    return random.chance(0.05) ? [pair, pair] : [pair]
  })
  if (isSpoilt && random.chance(0.3))
    pairs.push(
      random.pick([
        '=',
        '&&',
        '%',
        '%zz=1',
        'a=%E0%A4%A',
        'unknown=1',
        'limit',
        'limit=',
        `x=${'y'.repeat(6_000)}`,
        '__proto__=1',
      ]),
    )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function hostilePath(op: Op, { world: { random } }: InputStage): string {
  const raw = [
    '%zz',
    '%',
    '%ff',
    '%c0%af',
    '..',
    '.',
    ';',
    '%2F',
    '%2e%2e',
    'x'.repeat(3_060),
    'x'.repeat(3_061),
    'x'.repeat(9_000),
    '00000000-0000-7000-8000-000000000000',
    'null',
  ]
  return op.path.replaceAll(/\{\w+\}/g, () =>
    random.chance(0.4) ? random.pick(raw) : encodeURIComponent(hostileText(random)).slice(0, 9_000),
  )
}

function hostileHeaders({ world: { random } }: InputStage): Record<string, string> {
  const choices: Record<string, readonly string[]> = {
    'content-type': [
      'text/plain',
      'application/json; charset=utf-16',
      'application/problem+json',
      'multipart/form-data',
      '*/*',
      ';',
      'application/jsonx',
    ],
    'content-encoding': ['gzip', 'br', 'deflate', 'zstd', 'identity', 'gzip, br'],
    'idempotency-key': ['', 'x'.repeat(256), 'a b', 'é', 'ok'],
    'x-request-id': ['', 'x'.repeat(500), '../..', '{}'],
    accept: ['text/html', 'x', ''],
    'accept-encoding': ['gzip', '*;q=0'],
    'if-none-match': ['*'],
    range: ['bytes=0-1'],
    cookie: ['a=b; __proto__=c'],
    expect: ['bogus'],
    'x-http-method-override': ['DELETE'],
    'x-forwarded-host': ['evil.example'],
  }
  const names = random.shuffle(Object.keys(choices)).slice(0, random.integer(1, 3))
  return Object.fromEntries(names.map((name) => [name, random.pick(choices[name] ?? [''])]))
}
