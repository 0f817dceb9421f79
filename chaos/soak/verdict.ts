import { setTimeout as sleep } from 'node:timers/promises'
import { patient } from '../lib/patience.ts'
import type { World } from '../lib/world.ts'
import { checkConservation } from '../oracles/delivery.ts'
import { type Book, cancel, countFaults, type Faults, ofEachKind, said } from './book.ts'
import { type Counts, makeCounts } from './counts.ts'
import { judgeDigests } from './digests.ts'
import { expectedOf, type Kind, kinds, nameOf, placeOf, places, readName } from './kinds.ts'
import { judgeOutside, type OutsideTally } from './outside.ts'
import type { Providers } from './providers.ts'
import { readRows } from './read-rows.ts'
import type { Tenants } from './setup.ts'

export type Judged = {
  quietSeconds: number
  /** Of each kind: acknowledged, and not acknowledged but accepted. */
  kinds: Record<Kind, { acknowledged: number; unclear: number; lost: number; doubled: number }>
  outside: OutsideTally[]
  digests: string
  faults: Faults
}

type Given = { world: World; book: Book; tenants: Tenants; providers: Providers; url: string }

const quietWithinMs = 600_000
const conserveWithinMs = 600_000

/** After the last call: all that was begun comes to its end, and the books of clients and providers are held against the rows. */
export async function judge(given: Given): Promise<Judged> {
  const { world, book, tenants } = given
  const faults = countFaults()
  const quietSeconds = await untilQuiet(world, faults)
  const rows = await countRows(world, tenants)
  const tallies = ofEachKind((kind) => judgeKind(book, kind, rows, faults))
  const outside: OutsideTally[] = []
  for (const kind of ['mail', 'post', 'text'] as const) outside.push(await judgeOutside({ ...given, kind, faults }))
  const digests = await judgeDigests(world, tenants.inbox, faults)
  const dead = await world.sql("select 1 from pgboss.job where name = 'dead-letters'")
  if (dead.length > 0) faults.add(`${dead.length} dead letters`)
  await checkConservation(world, conserveWithinMs).catch((error: Error) => faults.add(error.message))
  return { quietSeconds, kinds: tallies, outside, digests, faults }
}

/** Until no event, step or message waits any more. */
async function untilQuiet(world: World, faults: Faults): Promise<number> {
  for (const began = performance.now(); ; await sleep(2_000)) {
    const [row] = await world.sql<{ events: number; steps: number; messages: number }>(
      `select (select count(*) from event where state = 'accepted')::int as events,
        (select count(*) from job where status in ('delayed', 'pending', 'queued'))::int as steps,
        (select count(*) from message where delivery = 'open')::int as messages`,
    )
    const ms = performance.now() - began
    if (row && row.events + row.steps + row.messages === 0) return ms / 1000
    if (ms < patient(quietWithinMs)) continue
    faults.add(`STUCK: ${(ms / 1000).toFixed(0)} s after the last call there wait ${JSON.stringify(row)}`)
    return ms / 1000
  }
}

type Rows = Record<'event' | 'notification' | 'message', Record<Kind, Counts>>

async function countRows(world: World, tenants: Tenants): Promise<Rows> {
  const make = () => ofEachKind(() => makeCounts())
  const rows: Rows = { event: make(), notification: make(), message: make() }
  for (const table of ['event', 'notification', 'message'] as const) {
    for (const place of places) {
      const text = `select transaction_id as name from ${table} where environment_id = $1`
      await readRows<{ name: string }>(world, text, [tenants[place].environmentId], ({ name }) => {
        const found = readName(name)
        if (found && placeOf(found.kind) === place) rows[table][found.kind].add(found.n)
      })
    }
  }
  return rows
}

/** T0: acknowledged is exactly once; not acknowledged is whole or absent. */
function judgeKind(book: Book, kind: Kind, rows: Rows, faults: Faults) {
  const expected = expectedOf(kind)
  const tally = { acknowledged: 0, unclear: 0, lost: 0, doubled: 0 }
  for (let n = 0; n < book.next[kind]; n++) {
    const isAcknowledged = book.state[kind].get(n) === said.acknowledged
    const [event, notifications, messages] = [rows.event, rows.notification, rows.message].map((it) => it[kind].get(n))
    if (isAcknowledged) tally.acknowledged++
    else if (event) tally.unclear++
    const isThere = isAcknowledged || (event ?? 0) > 0
    const [least, most] = isThere ? boundsOf(book, kind, n) : [nothing, nothing]
    const seen = { event: event ?? 0, notifications: notifications ?? 0, messages: messages ?? 0 }
    // A digest lies under the name of one of its events.
    if (kind === 'digest') seen.messages = 0
    const isLost =
      seen.event < least.event || seen.notifications < least.notifications || seen.messages < least.messages
    const isDoubled =
      seen.event > most.event || seen.notifications > most.notifications || seen.messages > most.messages
    if (isLost) tally.lost++
    if (isDoubled) tally.doubled++
    if (isLost || isDoubled) {
      const what = isAcknowledged ? 'acknowledged' : event ? 'accepted' : 'never acknowledged'
      faults.add(
        `${isLost ? 'LOST' : 'DOUBLED'}: ${nameOf(kind, n)} (${what}): ${JSON.stringify(seen)}, expected ${JSON.stringify({ event: 1, ...expected })}`,
      )
    }
  }
  return tally
}

type Seen = { event: number; notifications: number; messages: number }
const nothing: Seen = { event: 0, notifications: 0, messages: 0 }

function boundsOf(book: Book, kind: Kind, n: number): [least: Seen, most: Seen] {
  const whole = { event: 1, ...expectedOf(kind) }
  const cancelled = kind === 'delay' ? book.cancels.get(n) : cancel.none
  if (cancelled === cancel.none) return [whole, whole]
  // Stopped before anybody was reached there is no notification; whoever heard of a stop gets no message.
  const least = { ...nothing, event: 1 }
  return [least, cancelled === cancel.stopped ? { ...whole, messages: 0 } : whole]
}

export const sumOf = (judged: Judged, what: 'acknowledged' | 'unclear' | 'lost' | 'doubled') =>
  kinds.reduce((sum, kind) => sum + judged.kinds[kind][what], 0)
