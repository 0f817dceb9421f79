import { setTimeout as sleep } from 'node:timers/promises'
import { NoReply, type Reply, send, type Tenant } from './http.ts'
import { at, textAt } from './json.ts'
import { emailWebhook } from './outside-stage.ts'
import { times } from './parallel.ts'
import { type Random, seededRandom } from './random.ts'
import { expectEqual, expectThat } from './red.ts'
import type { Book, Try } from './trigger-load.ts'
import type { World } from './world.ts'

/** One single trigger, as its client knows it. */
export type Call = {
  /** In its payload: whatever the event's transactionId is, its rows are known by this. */
  name: string
  workflowId: string
  people: readonly string[]
  /** Null: the service is to choose one. Such a call is never repeated: nobody would know the second from the first. */
  transactionId: string | null
  /** `open`: not answered, or told to come back and not repeated. It may exist once, or not at all. */
  said: 'open' | 'acknowledged' | 'refused'
}

/** `acknowledged`: names. `answers`: how many each node gave that were no 503. */
export type SingleBook = Pick<Book, 'acknowledged' | 'tries'> & { calls: Call[]; answers: Map<string, number> }

export type SingleLoad = {
  book: SingleBook
  inFlight(): number
  hasFailed(): boolean
  /** No new calls; those begun are repeated until they are answered. */
  stop(): Promise<void>
}

type Options = {
  tenant: Tenant
  /** Nodes that run; each request goes to one of them. */
  targets: readonly string[]
  clients: number
  /** Nobody ends the node: then every request is answered. */
  alwaysAnswered: boolean
  /** How long a request is repeated, where a fault takes longer than a minute. */
  settleMs?: number
  /** Between two calls of a client, at most. */
  pauseMs?: number
}

const settleWithinMs = 60_000

export const inboxOnly = 'chaos-inbox-only'
export const inboxAndMail = 'chaos-inbox-and-mail'
/** Those who can get mail; the others have no address, and their e-mail step says so. */
export const hasAddress = (person: string) => person.startsWith('mail-')

export async function makeSingleWorkflows(url: string, { key }: Tenant, webhookUrl: string): Promise<void> {
  const body = { channel: 'email', active: true, ...emailWebhook(webhookUrl) }
  const made = await send(url, 'POST', '/v1/integrations', { key, body })
  expectEqual(made.status, 201, `making an integration: ${made.text}`)
  const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello {{subscriber.firstName}}' } }
  const mail = { name: 'Mail', type: 'email', controlValues: { subject: '{{payload.n}}', body: '<p>Hello</p>' } }
  for (const [workflowId, steps] of [[inboxOnly, [inbox]] as const, [inboxAndMail, [inbox, mail]] as const]) {
    const reply = await send(url, 'POST', '/v2/workflows', { key, body: { workflowId, name: workflowId, steps } })
    expectEqual(reply.status, 201, `making a workflow: ${reply.text}`)
  }
}

/** Clients that trigger one event at a time, many at the same time, and without keys. */
export function startSingleLoad(world: World, options: Options): SingleLoad {
  const book: SingleBook = { calls: [], acknowledged: new Set(), tries: [], answers: new Map() }
  let stopped = false
  let failure: unknown
  const isStopped = () => stopped || failure !== undefined
  const clients = times(options.clients, (index) => {
    const random = seededRandom(world.random.integer(0, 2 ** 31))
    return runClient({ book, options, random, isStopped }, index).catch((error: unknown) => {
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

// Most have no name: only of those a second one would be seen.
const kinds = ['named', 'nameless', 'nameless', 'nameless', 'twice', 'contested'] as const

/** Until the node gives its next answer: what it has said by then must be true. */
export async function untilNextAnswer({ book, hasFailed }: SingleLoad, url: string): Promise<void> {
  const [before, began] = [book.answers.get(url), performance.now()]
  while (book.answers.get(url) === before && performance.now() - began < 5_000 && !hasFailed()) await sleep(1)
}

type Client = { book: SingleBook; options: Options; random: Random; isStopped(): boolean }

async function runClient(client: Client, index: number): Promise<void> {
  const { book, random, isStopped } = client
  for (let n = 0; !isStopped(); n++) {
    const name = `${index}-${n}`
    const make = (suffix: string, transactionId: string | null): Call => {
      const workflowId = random.pick([inboxOnly, inboxAndMail])
      const call: Call = { name: name + suffix, workflowId, people: pickPeople(random), transactionId, said: 'open' }
      book.calls.push(call)
      return call
    }
    const kind = random.pick(kinds)
    if (kind === 'named') await acknowledge(client, make('', name))
    else if (kind === 'nameless') await triggerOnce(client, make('', null))
    else if (kind === 'twice') {
      const call = make('', name)
      await Promise.all([acknowledge(client, call), acknowledge(client, call)])
    } else await contest(client, make('-a', name), make('-b', name))
    await sleep(random.integer(0, client.options.pauseMs ?? 100))
  }
}

/** One to three people, and now and then more than may end at once. Some come up again and again, some are new. */
function pickPeople(random: Random): string[] {
  const known = random.shuffle(times(40, (i) => `${i % 2 === 0 ? 'mail' : 'bare'}-${i}`))
  const some = known.slice(0, random.chance(0.05) ? 12 : random.integer(1, 3))
  return some.map((person) => (random.chance(0.2) ? `${person}-${random.integer(0, 1_000_000)}` : person))
}

/** An id repeated with the same event is the same event, whoever was first. */
async function acknowledge(client: Client, call: Call): Promise<void> {
  const reply = await sendUntilAnswered(client, call)
  checkAcknowledged(reply, call)
  call.said = 'acknowledged'
  client.book.acknowledged.add(call.name)
}

async function triggerOnce(client: Client, call: Call): Promise<void> {
  const reply = await tryOnce(client, call)
  if (!reply) return
  checkAcknowledged(reply, call)
  call.said = 'acknowledged'
  call.transactionId = textAt(reply.body, 'transactionId')
  client.book.acknowledged.add(call.name)
}

/** Two events with one transactionId at the same time: one of them is accepted, the other one is told so. */
async function contest(client: Client, ...both: [Call, Call]): Promise<void> {
  const replies = await Promise.all(both.map((call) => sendUntilAnswered(client, call)))
  for (const [place, call] of both.entries()) {
    const reply = replies[place] as Reply
    if (reply.status === 409) {
      expectEqual(at(reply.body, 'code'), 'transaction_id_conflict', `a 409: ${reply.text}`)
      call.said = 'refused'
    } else {
      checkAcknowledged(reply, call)
      call.said = 'acknowledged'
      client.book.acknowledged.add(call.name)
    }
  }
  const said = both.map((call) => call.said).sort()
  expectEqual(said, ['acknowledged', 'refused'], `two events with the transactionId ${both[0].transactionId}`)
}

function checkAcknowledged(reply: Reply, { transactionId }: Call): void {
  expectEqual(reply.status, 201, `a trigger: ${reply.text}`)
  expectEqual(at(reply.body, 'status'), 'processed', `the result of a trigger: ${reply.text}`)
  if (transactionId !== null) expectEqual(at(reply.body, 'transactionId'), transactionId, 'the transactionId')
}

async function sendUntilAnswered(client: Client, call: Call): Promise<Reply> {
  for (const began = performance.now(); ; await sleep(client.random.integer(20, 200))) {
    const reply = await tryOnce(client, call)
    if (reply) return reply
    const seconds = (performance.now() - began) / 1000
    expectThat(
      seconds * 1000 < (client.options.settleMs ?? settleWithinMs),
      `a client got no answer within ${seconds.toFixed(0)} s`,
    )
  }
}

/** Null: no reply, or told to come back. */
async function tryOnce({ book, options, random }: Client, call: Call): Promise<Reply | null> {
  while (options.targets.length === 0) await sleep(20)
  const { name, workflowId, people, transactionId } = call
  const to = people.map((subscriberId) => ({
    subscriberId,
    firstName: name,
    ...(hasAddress(subscriberId) && { email: `${subscriberId}@example.org` }),
  }))
  const body = { name: workflowId, to, payload: { n: name }, ...(transactionId !== null && { transactionId }) }
  const attempt: Try = { started: performance.now(), ended: null, outcome: null }
  book.tries.push(attempt)
  const url = random.pick(options.targets)
  const reply = await send(url, 'POST', '/v1/events/trigger', { key: options.tenant.key, body }).catch(
    (error: unknown) => {
      if (error instanceof NoReply && !options.alwaysAnswered) return null
      throw error
    },
  )
  attempt.ended = performance.now()
  attempt.outcome = !reply ? 'no reply' : reply.status === 503 ? 'busy' : 'answered'
  if (attempt.outcome === 'answered') book.answers.set(url, (book.answers.get(url) ?? 0) + 1)
  if (reply?.status !== 503) return reply
  expectThat(reply.headers.has('retry-after'), `503 without Retry-After: ${reply.text}`)
  return null
}
