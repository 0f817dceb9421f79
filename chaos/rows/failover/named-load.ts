import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Tenant } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { times } from '../../lib/parallel.ts'
import { type Random, seededRandom } from '../../lib/random.ts'
import { expectEqual, expectThat } from '../../lib/red.ts'
import type { Try } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'

export type NamedBook = { sent: string[]; acknowledged: Set<string>; tries: Try[] }

export type NamedLoad = { book: NamedBook; hasFailed(): boolean; stop(): Promise<void> }

type Options = {
  tenant: Tenant
  /** Nobody ends these: every request is answered. */
  targets: readonly string[]
  prefix: string
  clients: number
  pauseMs: number
  settleMs: number
  /** What is triggered under this name, which is its transactionId. */
  make(name: string, random: Random): Record<string, unknown>
}

/** Clients that trigger one event at a time, and repeat it with its transactionId and its key until it is acknowledged. */
export function startNamedLoad(world: World, options: Options): NamedLoad {
  const book: NamedBook = { sent: [], acknowledged: new Set(), tries: [] }
  let stopped = false
  let failure: unknown
  const run = async (index: number, random: Random) => {
    for (let n = 0; !stopped && failure === undefined; n++) {
      const name = `${options.prefix}-${index}-${n}`
      const body = { ...options.make(name, random), transactionId: name }
      book.sent.push(name)
      await sendUntilAcknowledged(book, options, name, body, random)
      await sleep(random.integer(0, options.pauseMs))
    }
  }
  const clients = times(options.clients, (index) =>
    run(index, seededRandom(world.random.integer(0, 2 ** 31))).catch((error: unknown) => {
      failure ??= error
    }),
  )
  return {
    book,
    hasFailed: () => failure !== undefined,
    async stop() {
      stopped = true
      await Promise.all(clients)
      if (failure !== undefined) throw failure
    },
  }
}

async function sendUntilAcknowledged(
  book: NamedBook,
  { tenant, targets, settleMs }: Options,
  name: string,
  body: object,
  random: Random,
): Promise<void> {
  const headers = { 'idempotency-key': name }
  for (const began = performance.now(); ; await sleep(random.integer(100, 400))) {
    const attempt: Try = { started: performance.now(), ended: null, outcome: null }
    book.tries.push(attempt)
    const url = random.pick(targets)
    const reply = await send(url, 'POST', '/v1/events/trigger', { key: tenant.key, headers, body })
    attempt.ended = performance.now()
    const isBusy = reply.status === 503 || (reply.status === 409 && at(reply.body, 'code') === 'request_in_flight')
    attempt.outcome = isBusy ? 'busy' : 'answered'
    if (!isBusy) {
      expectEqual(reply.status, 201, `a trigger: ${reply.text}`)
      expectEqual(at(reply.body, 'status'), 'processed', `the result of a trigger: ${reply.text}`)
      book.acknowledged.add(name)
      return
    }
    expectThat(reply.headers.has('retry-after'), `${reply.status} without Retry-After: ${reply.text}`)
    const ms = performance.now() - began
    expectThat(ms < settleMs, `${name} was not acknowledged within ${(ms / 1000).toFixed(0)} s`)
  }
}
