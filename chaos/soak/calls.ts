import { setTimeout as sleep } from 'node:timers/promises'
import { NoReply, type Reply, type Sent, send } from '../lib/http.ts'
import { at } from '../lib/json.ts'
import type { Random } from '../lib/random.ts'
import type { Book } from './book.ts'
import type { Fleet } from './fleet.ts'
import type { Tenants } from './setup.ts'

export type Stage = { book: Book; fleet: Fleet; tenants: Tenants; random: Random }

// A failover takes half a minute, and on a busy machine some time more.
const settleWithinMs = 240_000

export type Answer = Reply & { from: string }

/** Null: given up, as some clients do. */
export async function sendUntilAnswered(
  { book, fleet }: Stage,
  random: Random,
  [method, path, sent]: [method: string, path: string, sent: Sent],
  givesUp: boolean,
): Promise<Answer | null> {
  for (const began = performance.now(); ; await sleep(random.integer(200, 600))) {
    if (performance.now() - began > settleWithinMs) {
      book.faults.add(`${method} ${path} was not answered within ${settleWithinMs / 1000} s`)
      return null
    }
    const ready = fleet.ready()
    if (ready.length === 0) continue
    const { name, version, node } = random.pick(ready)
    const reply = node ? await send(node.url, method, path, sent).catch(noReply) : null
    const isBusy = reply?.status === 503 || (reply?.status === 409 && at(reply.body, 'code') === 'request_in_flight')
    if (reply) countCall(book, reply.ms)
    if (reply && !isBusy) return { ...reply, from: `${name} (${version})` }
    if (!reply) book.silent++
    else book.refused++
    if (reply && !reply.headers.has('retry-after')) book.faults.add(`${reply.status} without Retry-After by ${name}`)
    if (givesUp) return null
  }
}

function countCall({ callsMs }: Book, ms: number): void {
  callsMs.count++
  callsMs.sum += ms
  callsMs.most = Math.max(callsMs.most, ms)
}

function noReply(error: unknown): null {
  if (error instanceof NoReply) return null
  throw error
}
