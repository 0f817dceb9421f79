import { setTimeout as sleep } from 'node:timers/promises'
import { NoReply, type Reply, send, type Tenant } from './http.ts'
import { at, listAt } from './json.ts'
import { times } from './parallel.ts'
import { type Random, seededRandom } from './random.ts'
import { expectAtLeast, expectEqual, expectThat } from './red.ts'
import type { World } from './world.ts'

/** One try at a request; `ended` is null while it is in flight. */
export type Try = { started: number; ended: number | null; outcome: 'answered' | 'no reply' | 'busy' | null }

/** What the clients know: the only truth the oracle believes. */
export type Book = {
  /** Whom each event is for, by transactionId, whether or not it was acknowledged. */
  sent: Map<string, readonly string[]>
  acknowledged: Set<string>
  tries: Try[]
}

export type Load = {
  book: Book
  inFlight(): number
  /** A client met what it must never meet; `stop` tells. */
  hasFailed(): boolean
  /** No new requests; those begun are repeated until they are answered. */
  stop(): Promise<void>
}

/** What is looked at while it runs. */
type Watched<What extends keyof Book> = { book: Pick<Book, What>; hasFailed(): boolean }

type Options = {
  tenant: Tenant
  /** Where the node is now; null while there is none. */
  target: { url: string | null }
  clients: number
  bulk: readonly [min: number, max: number]
  /** Between two requests of a client. */
  pauseMs?: number
  workflowId: string
  /** How long a request is repeated, where a fault takes longer than a minute. */
  settleMs?: number
}

const settleWithinMs = 60_000

export const workflowId = 'chaos-inbox'

/**
 * Settings of nodes whose events to one person end when they are accepted; those to two and three go through the queue.
 * So a row breaks both ways, also within one bulk.
 */
export const bothWays = { AT_ONCE_PEOPLE: '1' }
/** Settings of nodes that leave every event to the workers. */
export const onlyQueued = { AT_ONCE_PEOPLE: '0' }

export async function makeWorkflow(url: string, tenant: Tenant): Promise<void> {
  const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello {{subscriber.firstName}}' } }]
  const body = { workflowId, name: workflowId, steps }
  const made = await send(url, 'POST', '/v2/workflows', { key: tenant.key, body })
  expectEqual(made.status, 201, `making a workflow: ${made.text}`)
}

/** Clients that trigger in bulk, each request under a key of its own, repeated with that key until it is answered. */
export function startLoad(world: World, options: Options): Load {
  const book: Book = { sent: new Map(), acknowledged: new Set(), tries: [] }
  let stopped = false
  let failure: unknown
  const isStopped = () => stopped || failure !== undefined
  const clients = times(options.clients, (index) => {
    const random = seededRandom(world.random.integer(0, 2 ** 31))
    return runClient(book, options, { index, random, isStopped }).catch((error: unknown) => {
      failure ??= error
    })
  })
  return {
    book,
    inFlight: () => book.tries.filter((it) => it.ended === null).length,
    hasFailed: () => failure !== undefined,
    async stop() {
      stopped = true
      await Promise.all(clients)
      if (failure !== undefined) throw failure
    },
  }
}

/** Waits for the next moment with a request in flight: on a fast machine most moments have none. */
export async function untilInFlight(load: Pick<Load, 'inFlight'>): Promise<void> {
  for (const began = performance.now(); load.inFlight() === 0 && performance.now() - began < 2_000; ) await sleep(1)
}

/** Until the node that runs now has answered: one that is always killed before would prove nothing. */
export async function untilAnswered(load: Watched<'tries'>, since: number): Promise<void> {
  const isAnswer = (it: Try) => it.outcome === 'answered' && it.started >= since
  for (const began = performance.now(); performance.now() - began < settleWithinMs && !load.hasFailed(); ) {
    if (load.book.tries.some(isAnswer)) return
    await sleep(5)
  }
}

/** Goes on until this many events are acknowledged: on a slow machine a few rounds are over before that. */
export async function untilAcknowledged(load: Watched<'acknowledged'>, least: number): Promise<void> {
  const began = performance.now()
  while (load.book.acknowledged.size < least && performance.now() - began < settleWithinMs) {
    if (load.hasFailed()) return
    await sleep(50)
  }
  expectAtLeast(load.book.acknowledged.size, least, 'acknowledged events')
}

type Client = { index: number; random: Random; isStopped(): boolean }

async function runClient(book: Book, options: Options, { index, random, isStopped }: Client): Promise<void> {
  for (let n = 0; !isStopped(); n++) {
    const name = `${index}-${n}`
    const events = times(random.integer(...options.bulk), (i) => makeEvent(options, random, `${name}-${i}`))
    for (const { transactionId, to } of events) book.sent.set(transactionId, to.map(idOf))
    const reply = await sendUntilAnswered(book, options, { name, events, random })
    if (reply) acknowledge(book, events, reply)
    if (options.pauseMs) await sleep(options.pauseMs)
  }
}

type Given = string | { subscriberId: string; firstName: string }
type Event = { name: string; transactionId: string; to: Given[]; payload: object }

/** One to three people: some come up again and again, some are new with this event and given inline. */
function makeEvent(options: Options, random: Random, transactionId: string): Event {
  const known = random.shuffle(times(60, (i) => `known-${i}`))
  const to = known.slice(0, random.integer(1, 3)).map((subscriberId, i): Given => {
    if (random.chance(0.2)) return { subscriberId: `new-${transactionId}-${i}`, firstName: 'New' }
    return random.chance(0.5) ? subscriberId : { subscriberId, firstName: transactionId }
  })
  return { name: options.workflowId, transactionId, to, payload: { n: transactionId } }
}

const idOf = (given: Given) => (typeof given === 'string' ? given : given.subscriberId)

/** Null: given up after a fault, as some clients do. */
async function sendUntilAnswered(
  book: Book,
  { target, tenant, settleMs = settleWithinMs }: Options,
  { name, events, random }: { name: string; events: Event[]; random: Random },
): Promise<Reply | null> {
  const givesUp = random.chance(0.1)
  // Counted anew for each node: while there is none, nobody can answer.
  let [node, deadline] = [target.url, performance.now() + settleMs]
  while (true) {
    if (target.url === null) {
      await sleep(20)
      continue
    }
    if (node !== target.url) [node, deadline] = [target.url, performance.now() + settleMs]
    expectThat(performance.now() < deadline, `a client got no answer of one node within ${settleMs / 1000} s`)
    const attempt: Try = { started: performance.now(), ended: null, outcome: null }
    book.tries.push(attempt)
    const sent = { key: tenant.key, headers: { 'idempotency-key': name }, body: { events } }
    const reply = await send(target.url, 'POST', '/v1/events/trigger/bulk', sent).catch(noReply)
    attempt.ended = performance.now()
    attempt.outcome = !reply ? 'no reply' : mayBeRepeated(reply) ? 'busy' : 'answered'
    if (reply && attempt.outcome === 'answered') return reply
    if (givesUp) return null
    await sleep(reply ? 300 : 100)
  }
}

function mayBeRepeated(reply: Reply): boolean {
  const isBusy = reply.status === 503 || (reply.status === 409 && at(reply.body, 'code') === 'request_in_flight')
  if (isBusy) expectThat(reply.headers.has('retry-after'), `${reply.status} without Retry-After: ${reply.text}`)
  return isBusy
}

function acknowledge(book: Book, events: readonly Event[], reply: Reply): void {
  expectEqual(reply.status, 201, `a bulk trigger: ${reply.text}`)
  const results = listAt(reply.body)
  expectEqual(results.length, events.length, 'results of a bulk trigger')
  for (const [i, { transactionId }] of events.entries()) {
    expectEqual(at(results[i], 'status'), 'processed', `the result of an event: ${JSON.stringify(results[i])}`)
    book.acknowledged.add(transactionId)
  }
}

function noReply(error: unknown): null {
  if (error instanceof NoReply) return null
  throw error
}
