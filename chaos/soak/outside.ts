import { send } from '../lib/http.ts'
import { at, listAt } from '../lib/json.ts'
import type { World } from '../lib/world.ts'
import { type Book, type Faults, said } from './book.ts'
import { type Kind, nameOf, readName } from './kinds.ts'
import type { Outside, Providers } from './providers.ts'
import { readRows } from './read-rows.ts'
import type { Tenants } from './setup.ts'

export type OutsideTally = {
  kind: Kind
  requests: number
  arrived: number
  /** Effects beyond the first of the same event. */
  doubles: number
  /** Tries recorded as unknown. */
  unknown: number
  /** Messages that say `delivery_unknown`. */
  marked: number
  /** Not at the provider, and the message says why. */
  explained: number
  lost: number
}

type Given = {
  world: World
  book: Book
  tenants: Tenants
  providers: Providers
  url: string
  kind: Outside
  faults: Faults
}

type Message = {
  name: string
  attempts: number
  delivery: string | null
  status: string
  errorId: string | null
}

/**
 * T1 (mail): no double effect. T2 and T3 (post, text): no more doubles than tries recorded as unknown, message by message,
 * each marked. Nothing is missing unless its message says why, and no call was made without an attempt's row.
 */
export async function judgeOutside(given: Given): Promise<OutsideTally> {
  const { world, book, tenants, providers, kind, faults } = given
  const { environmentId } = tenants[kind]
  const seen = providers.seen[kind]
  const unknown = await readUnknown(world, environmentId)
  const tally: OutsideTally = {
    ...{ kind, requests: seen.total, arrived: 0, doubles: 0 },
    ...{ unknown: [...unknown.values()].reduce((sum, count) => sum + count, 0), marked: 0, explained: 0, lost: 0 },
  }
  const text = `select transaction_id as name, attempts, delivery, status, error_id as "errorId"
    from message where environment_id = $1`
  const doubtful: string[] = []
  await readRows<Message>(world, text, [environmentId], (message) => {
    const n = readName(message.name)?.n ?? 0
    const [requests, effects] = [seen.requests.get(n), seen.effects.get(n)]
    const isMarked = message.status === 'warning' && message.errorId === 'delivery_unknown'
    if (isMarked) {
      tally.marked++
      doubtful.push(message.name)
    }
    if (effects > 0) tally.arrived++
    else if (saysWhy(message)) tally.explained++
    else {
      tally.lost++
      faults.add(`LOST: ${message.name} did not arrive; its message says ${JSON.stringify(message)}`)
    }
    if (requests > message.attempts)
      faults.add(`NO INTENT: ${message.name}: ${requests} calls, ${message.attempts} tries`)
    if (effects < 2) return
    tally.doubles += effects - 1
    const doubts = unknown.get(message.name) ?? 0
    if (kind === 'mail') faults.add(`DOUBLED: ${message.name} arrived ${effects} times`)
    else if (effects - 1 > doubts)
      faults.add(`DOUBLED: ${message.name} arrived ${effects} times, ${doubts} tries unknown`)
    else if (!isMarked)
      faults.add(`HIDDEN DOUBLE: ${message.name} arrived ${effects} times: ${JSON.stringify(message)}`)
  })
  for (let n = 0; n < book.next[kind]; n++)
    if (seen.effects.get(n) > 0 && book.state[kind].get(n) === said.nothing)
      faults.add(`${nameOf(kind, n)} was not asked for`)
  await judgeShown(given, doubtful.slice(-shown))
  return tally
}

const saysWhy = ({ delivery, errorId }: Message) => delivery !== 'open' && delivery !== 'sent' && errorId !== null

async function readUnknown(world: World, environmentId: string): Promise<Map<string, number>> {
  const rows = await world.sql<{ name: string; count: number }>(
    `select m.transaction_id as name, count(*)::int from attempt a
     join message m on m.environment_id = a.environment_id and m.id = a.message_id
     where a.environment_id = $1 and a.outcome = 'unknown' group by 1`,
    [environmentId],
  )
  return new Map(rows.map(({ name, count }) => [name, count]))
}

const shown = 20

/** The doubtful ones are seen by whoever asks the API, not only in the table. */
async function judgeShown({ url, tenants, kind, faults }: Given, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const reply = await send(url, 'GET', `/v1/messages?transactionId=${name}`, { key: tenants[kind].key })
    const [told] = listAt(reply.body, 'data')
    if (at(told, 'errorId') !== 'delivery_unknown')
      faults.add(`the API does not say that ${name} is doubtful: ${reply.text.slice(0, 300)}`)
  }
}
