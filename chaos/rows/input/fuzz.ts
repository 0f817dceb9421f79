import { Ajv, type ValidateFunction } from 'ajv'
import type { Client } from '../../../test/harness.ts'
import { hostileNumbers } from '../../hostile/hostile.ts'
import { hostileText, hostileValue, type Op, spoil, validValue } from '../../hostile/openapi-fuzz.ts'
import { watchDelayMs } from '../../lib/event-loop.ts'
import { clientOf, send } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { patient } from '../../lib/patience.ts'
import { collectFaults, expectAtLeast, type Faults, shorten } from '../../lib/red.ts'
import { arrange, checkRefusal, type InputStage, withoutVendor } from './stage.ts'

type Request = { method: string; url: string; body?: unknown; raw?: string; headers: Record<string, string> }
type Known = {
  op: Op
  path: string
  body: unknown
  /** The token, where one opens the operation. */
  headers: Record<string, string>
  fits: ValidateFunction | null
  status: number
}

// CHAOS_FUZZ=1000000 CHAOS_FUZZ_MINUTES=60 npm run chaos -- "input/schema fuzz": as many as one has time for.
const wanted = Number(process.env.CHAOS_FUZZ ?? 6_000)
const minutes = Number(process.env.CHAOS_FUZZ_MINUTES ?? Number.POSITIVE_INFINITY)
const perRound = 6_000
const mostDelayMs = 250

/**
 * Every operation of our own description, with values it allows and values it does not, by all kinds of callers. Nothing
 * is a 5xx, the event loop never stands still, and memory does not grow with the number of requests.
 */
export async function schemaFuzz(stage: InputStage): Promise<string> {
  const { world, node, operations } = stage
  const faults = collectFaults()
  const counts: Counts = {
    successes: new Map(operations.map((op) => [op.operation.operationId, 0])),
    statuses: new Map(),
    slowest: { ms: 0, what: '' },
    requests: 0,
  }
  const rounds = world.small ? 1 : Math.ceil(wanted / perRound)
  const memoryMb: number[] = []
  const size = world.small ? 30 * operations.length : Math.min(perRound, wanted)
  // A tenant each: what a tenant may have is bounded. Some at a time: what a tenant may have under way is bounded too.
  const until = performance.now() + minutes * 60_000
  const fuzzing = inParallel(times(rounds, Number), 3, async (round) => {
    if (faults.count() > 100 || performance.now() > until) return
    const tenant = round === 0 ? stage.tenant : await world.tenant({ reach: 'organization' })
    await fuzzRound({ ...stage, tenant, client: clientOf(node.url, tenant) }, size, counts, faults)
    memoryMb.push(node.memoryMb('VmRSS'))
    if (rounds > 1) console.log(`    ${counts.requests} requests, ${memoryMb.at(-1)} MB, ${faults.count()} faults`)
  })
  const delayMs = await watchDelayMs(node.url, fuzzing)
  const { slowest, successes } = counts
  if (slowest.ms > patient(5_000)) faults.add(`${slowest.what} took ${Math.round(slowest.ms)} ms`)
  if (delayMs > patient(mostDelayMs)) faults.add(`the event loop stood still for ${delayMs} ms`)
  checkMemory(memoryMb, faults)
  // These nodes run as in production, where the development mailbox of its fixture sends nothing.
  successes.delete('integrations-test')
  // And no vendor is here.
  for (const op of operations) if (withoutVendor(op) !== undefined) successes.delete(op.operation.operationId)
  for (const [name, count] of successes)
    if (count < (world.small ? 1 : 3)) faults.add(`${name} succeeded ${count} times: the fuzz does not reach it`)
  faults.end()
  expectAtLeast(counts.requests, world.small ? 500 : 3_000, 'requests')
  const accepted = [...successes.values()].reduce((sum, count) => sum + count, 0)
  expectAtLeast(accepted, counts.requests / 10, 'accepted requests')
  const told = [...counts.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`)
  return (
    `${counts.requests} requests to ${operations.length} operations: ${told.join(' ')}; ` +
    `slowest ${Math.round(slowest.ms)} ms, loop at most ${delayMs} ms, memory ${memoryMb[0]} to ${memoryMb.at(-1)} MB`
  )
}

type Counts = {
  successes: Map<string, number>
  statuses: Map<number, number>
  slowest: { ms: number; what: string }
  requests: number
}

async function fuzzRound(stage: InputStage, size: number, counts: Counts, faults: Faults): Promise<void> {
  const { world, node, client, operations, description } = stage
  const { successes, statuses } = counts
  const { random } = world
  const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false })
  const callers = await makeCallers(stage)
  const known: Known[] = []
  for (const op of operations) {
    const { path, body, headers = {} } = await arrange(client, op)
    const [status = '200'] = Object.keys(op.operation.responses)
    const schema = op.operation.responses[status]?.content?.['application/json']?.schema
    const fits = schema ? ajv.compile({ ...Object(schema), components: description.components }) : null
    known.push({ op, path, body, headers, fits, status: Number(status) })
  }
  const perOperation = Math.ceil(size / operations.length)
  const jobs = random.shuffle([
    ...known.flatMap((it) => times(perOperation, (turn) => ({ it, turn, edge: '' }))),
    ...known.flatMap((it) => integerEdges(it.op).map((edge) => ({ it, turn: -1, edge }))),
  ])
  await inParallel(jobs, 12, async ({ it: shared, turn, edge }) => {
    // Deleting uses things up; now and then there is something new to act on. And some calls of each operation have
    // their things to themselves and nothing spoilt: that the fuzz reaches the operation is not left to chance.
    const isGood = turn % 12 === 0
    const fresh = turn % 6 === 0 ? { headers: {}, ...(await arrangeAnew(client, shared.op)) } : {}
    const it = isGood ? { ...shared, ...fresh } : Object.assign(shared, fresh)
    const request = edge || isGood ? asArranged(it, edge) : fuzzed(it, stage)
    const { method, url, ...sent } = request
    const caller = isGood || random.chance(0.85) ? callers.owner : random.pick(callers.others)
    const own = caller === callers.owner ? it.headers : {}
    const headers = { ...caller.headers, ...own, ...sent.headers }
    const reply = await send(node.url, method, url, { ...sent, headers, key: caller.key })
    const what = shorten(`${caller.name}: ${method} ${url} ${JSON.stringify(sent)}`, 300)
    checkRefusal(reply, what, faults)
    if (caller.isStranger && reply.status < 400) faults.add(`${what} → ${reply.status} for a stranger`)
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    counts.requests++
    if (reply.status === it.status && addresses(it.op, url)) {
      successes.set(it.op.operation.operationId, (successes.get(it.op.operation.operationId) ?? 0) + 1)
      if (it.fits && !it.fits(reply.body))
        faults.add(`${what}: the reply breaks its own schema: ${ajv.errorsText(it.fits.errors)}`)
    }
    if (reply.ms > counts.slowest.ms) counts.slowest = { ms: reply.ms, what }
  })
}

/** The fuzz may just have chosen that nobody of this organization uses a password; then nobody new could join it. */
async function arrangeAnew(client: Client, op: Op) {
  try {
    return await arrange(client, op)
  } catch {
    await client.patch('/v1/organization', { passwords: 'allowed', requireTwoFactor: false })
    return arrange(client, op)
  }
}

type Caller = { name: string; key: string | null; headers: Record<string, string>; isStranger: boolean }

/** Everybody who can knock: with the key, with a session, with somebody else's key, with none that is valid. */
async function makeCallers({ world, node, tenant }: InputStage): Promise<{ owner: Caller; others: Caller[] }> {
  const neighbour = await world.tenant()
  const signIn = { key: null, headers: { 'x-tidings-session': '1' }, body: { key: tenant.key } }
  const session = await send(node.url, 'POST', '/session', signIn)
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
  const by = (name: string, key: string | null, isStranger: boolean, headers = {}): Caller => {
    return { name, key, headers, isStranger }
  }
  return {
    owner: by('owner', tenant.key, false),
    others: [
      by('session', null, false, { cookie, 'x-tidings-session': '1' }),
      by('neighbour', neighbour.key, false),
      by('nobody', null, true),
      by('a spoilt key', `${tenant.key.slice(0, -3)}xyz`, true),
      by('an empty session', null, true, { cookie: 'tidings_session=', 'x-tidings-session': '1' }),
    ],
  }
}

/** What was in use after the first tenth, when all caches are full, may grow by half in the nine that follow. */
function checkMemory(memoryMb: readonly number[], faults: Faults): void {
  if (memoryMb.length < 10) return
  const early = memoryMb[Math.floor(memoryMb.length / 10)] ?? 0
  const late = memoryMb.at(-1) ?? 0
  if (late > early * 1.5) faults.add(`memory grew from ${early} to ${late} MB`)
}

/** Where the last id is empty, the address is another operation's, as a slash at the end of an inbox call means nothing. */
function addresses(op: Op, url: string): boolean {
  return !op.path.endsWith('}') || !/\/(\?|$)/.test(url)
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
