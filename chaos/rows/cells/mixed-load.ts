import { setTimeout as sleep } from 'node:timers/promises'
import { NoReply, type Reply, send, type Tenant } from '../../lib/http.ts'
import { at, listAt } from '../../lib/json.ts'
import { emailWebhook, smtp } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import { patient } from '../../lib/patience.ts'
import { type Random, seededRandom } from '../../lib/random.ts'
import { expectAtLeast, expectEqual, expectThat, shorten } from '../../lib/red.ts'
import type { Providers } from './stage.ts'

/** What becomes of an event: an inbox message, a mail by either provider, a mail after a delay, a place in a digest. */
export const kinds = ['inbox', 'keyed', 'keyless', 'later', 'digest'] as const
export type Kind = (typeof kinds)[number] | 'long'

/** One request, as the client saw it. `status` null: no reply. */
export type Call = { started: number; ms: number; status: number | null; told?: string }
export type Sent = { about: string; kind: Kind; person: string; acknowledged: boolean }
export type MovedBook = { events: Map<string, Sent>; calls: Call[] }

export type MixedLoad = {
  book: MovedBook
  acknowledged(): number
  hasFailed(): boolean
  stop(): Promise<void>
}

const waitSeconds = 5
const settleWithinMs = 90_000
const digestPeople = 12

export async function equipTenant(url: string, { key }: Tenant, providers: Providers, longSeconds = 30): Promise<void> {
  const make = async (path: string, body: unknown) => {
    const made = await send(url, 'POST', path, { key, body })
    expectEqual(made.status, 201, `${path}: ${made.text}`)
  }
  const integration = (identifier: string, values: Record<string, unknown>) =>
    make('/v1/integrations', { channel: 'email', active: true, identifier, ...values })
  await integration('keyless', smtp(providers.keylessPort))
  await integration('keyed', emailWebhook(providers.keyedUrl))
  const wait = (type: string, amount = waitSeconds) => ({
    name: 'Wait',
    type,
    controlValues: { amount, unit: 'seconds' },
  })
  const inbox = (body: string) => ({ name: 'Inbox', type: 'in_app', controlValues: { body } })
  const mail = { name: 'Mail', type: 'email', controlValues: { subject: '{{payload.n}}', body: '<p>Hello</p>' } }
  const workflows = {
    inbox: [inbox('{{payload.n}}')],
    keyed: [mail],
    keyless: [mail],
    later: [wait('delay'), mail],
    long: [wait('delay', longSeconds), mail],
    digest: [wait('digest'), inbox('{{step.eventCount}}')],
  }
  for (const [workflowId, steps] of Object.entries(workflows))
    await make('/v2/workflows', { workflowId, name: workflowId, steps })
}

type Options = {
  url: string
  tenant: Tenant
  random: Random
  clients?: number
  /** Between two requests of a client. */
  pauseMs?: number
}

// Rows share the providers, which know events by their names.
let loads = 0

/** Clients that trigger single events and bulks, each request under a key of its own, repeated until it is answered. */
export function startMixedLoad({ url, tenant, random, clients = 4, pauseMs = 60 }: Options): MixedLoad {
  const prefix = `load${++loads}`
  const book: MovedBook = { events: new Map(), calls: [] }
  let stopped = false
  let failure: unknown
  const isStopped = () => stopped || failure !== undefined
  const running = times(clients, async (index) => {
    const own = seededRandom(random.integer(0, 2 ** 31))
    try {
      for (let n = 0; !isStopped(); n++) {
        const name = `${prefix}-${index}-${n}`
        const events = times(own.chance(0.5) ? 1 : own.integer(2, 4), (i) => makeEvent(own, `${name}-${i}`))
        for (const sent of events) book.events.set(sent.about, sent)
        await sendUntilAnswered(book, { url, key: tenant.key }, name, events)
        await sleep(own.integer(0, 2 * pauseMs))
      }
    } catch (error) {
      failure ??= error
    }
  })
  return {
    book,
    acknowledged: () => [...book.events.values()].filter((event) => event.acknowledged).length,
    hasFailed: () => failure !== undefined,
    async stop() {
      stopped = true
      await Promise.all(running)
      if (failure !== undefined) throw failure
    },
  }
}

/** So many events of one kind in a row, noted like those of the clients. */
export async function triggerMany(load: MixedLoad, url: string, { key }: Tenant, kind: Kind, count: number) {
  for (let from = 0; from < count; from += 100) {
    const events = times(Math.min(100, count - from), (i): Sent => {
      const about = `${kind}-${from + i}`
      return { about, kind, person: `person-${(from + i) % 40}`, acknowledged: false }
    })
    for (const sent of events) load.book.events.set(sent.about, sent)
    await sendUntilAnswered(load.book, { url, key }, `${kind}-${from}`, events)
  }
}

/** Goes on until this many more events are acknowledged. */
export async function untilMore(load: MixedLoad, more: number): Promise<void> {
  const [began, before] = [performance.now(), load.acknowledged()]
  while (!load.hasFailed() && load.acknowledged() < before + more && performance.now() - began < patient(60_000))
    await sleep(50)
  if (!load.hasFailed()) expectAtLeast(load.acknowledged() - before, more, 'acknowledged events')
}

function makeEvent(random: Random, about: string): Sent {
  const kind = random.pick(kinds)
  return { about, kind, person: personOf(random, kind), acknowledged: false }
}

function personOf(random: Random, kind: Kind): string {
  return kind === 'digest' ? `gathered-${random.integer(0, digestPeople - 1)}` : `person-${random.integer(0, 40)}`
}

const toTrigger = ({ about, kind, person }: Sent) => ({
  name: kind,
  transactionId: about,
  to: { subscriberId: person, email: `${person}@example.org` },
  payload: { n: about },
  overrides: { email: { integrationIdentifier: kind === 'keyed' ? 'keyed' : 'keyless' } },
})

async function sendUntilAnswered(
  book: MovedBook,
  { url, key }: { url: string; key: string },
  name: string,
  events: readonly Sent[],
): Promise<void> {
  const deadline = performance.now() + patient(settleWithinMs)
  const [single] = events.length === 1 ? events : []
  const path = single ? '/v1/events/trigger' : '/v1/events/trigger/bulk'
  const body = single ? toTrigger(single) : { events: events.map(toTrigger) }
  for (;;) {
    expectThat(performance.now() < deadline, `${name} got no answer within ${settleWithinMs / 1000} s`)
    const started = performance.now()
    const reply = await send(url, 'POST', path, { key, headers: { 'idempotency-key': name }, body }).catch(noReply)
    const told = reply && reply.status !== 201 ? String(at(reply.body, 'code') ?? shorten(reply.text, 100)) : ''
    book.calls.push({ started, ms: performance.now() - started, status: reply?.status ?? null, told })
    if (reply && !mayBeRepeated(reply)) return acknowledge(events, reply)
    await sleep(reply ? 200 : 100)
  }
}

function mayBeRepeated(reply: Reply): boolean {
  const isBusy = reply.status === 503 || (reply.status === 409 && at(reply.body, 'code') === 'request_in_flight')
  if (isBusy) expectThat(reply.headers.has('retry-after'), `${reply.status} without Retry-After: ${reply.text}`)
  return isBusy
}

function acknowledge(events: readonly Sent[], reply: Reply): void {
  expectEqual(reply.status, 201, `a trigger: ${reply.text}`)
  const results = events.length === 1 ? [at(reply.body, 'data') ?? reply.body] : listAt(reply.body)
  expectEqual(results.length, events.length, 'results of a trigger')
  for (const [i, event] of events.entries()) {
    expectEqual(at(results[i], 'status'), 'processed', `the result of an event: ${JSON.stringify(results[i])}`)
    event.acknowledged = true
  }
}

export function noReply(error: unknown): null {
  if (error instanceof NoReply) return null
  throw error
}

/** Calls that were not answered as they should have been, by how. */
export function failedCalls({ calls }: MovedBook): string {
  const failed = calls.filter(({ status }) => status !== 201)
  const groups = Map.groupBy(failed, ({ status, told }) => (status === null ? 'no reply' : `${status} ${told}`))
  const longest = (some: readonly Call[]) => Math.max(...some.map(({ ms }) => ms)).toFixed(0)
  return [...groups].map(([how, some]) => `${some.length} × ${how} (after ${longest(some)} ms at most)`).join(', ')
}

export function longestMs({ calls }: MovedBook): number {
  return calls.reduce((most, { ms }) => Math.max(most, ms), 0)
}
