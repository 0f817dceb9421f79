import { setTimeout as sleep } from 'node:timers/promises'
import { at, listAt } from '../lib/json.ts'
import { times } from '../lib/parallel.ts'
import { type Random, seededRandom } from '../lib/random.ts'
import { shorten } from '../lib/red.ts'
import { acknowledge, cancel, said } from './book.ts'
import { type Stage, sendUntilAnswered } from './calls.ts'
import { eventOf, type Kind, nameOf, placeOf, type Way, waitSeconds, ways } from './kinds.ts'
import { startPace } from './pace.ts'
import { startReaders } from './readers.ts'

export type Load = {
  /** No new calls; those begun are repeated until they are answered. */
  stop(): Promise<void>
}

/** One call: so many events of a kind from a number on. */
type Call = { kind: Kind; first: number; count: number }

const clients = 24
const shareGivenUp = 0.03
const shareRepeated = 0.03
const shareCancelled = 0.2
const shareWithKey = 0.5

/** Clients that trigger, repeat, cancel and read, at a pace. */
export function startLoad(stage: Stage, perSecond: number): Load {
  const pace = startPace(perSecond)
  let isOver = false
  const seeds = times(clients, () => stage.random.integer(0, 2 ** 31))
  const lanes = seeds.map((seed) => runClient(stage, seededRandom(seed), pace, () => isOver))
  const readers = startReaders(stage, () => isOver)
  return {
    async stop() {
      isOver = true
      pace.stop()
      await Promise.all([...lanes, readers])
    },
  }
}

async function runClient(
  stage: Stage,
  random: Random,
  pace: { take(events: number): Promise<void> },
  isOver: () => boolean,
): Promise<void> {
  const { book } = stage
  const choose = chooser(random)
  while (true) {
    const { kind, bulk } = choose()
    const count = random.integer(...bulk)
    await pace.take(count)
    if (isOver()) return
    const call = { kind, first: book.next[kind], count }
    book.next[kind] += count
    for (let n = call.first; n < call.first + count; n++) book.state[kind].set(n, said.sent)
    const isAcknowledged = await trigger(stage, random, call, {
      key: random.chance(shareWithKey) ? nameOf(kind, call.first) : null,
      givesUp: random.chance(shareGivenUp),
    })
    if (!isAcknowledged) continue
    for (let n = call.first; n < call.first + count; n++) acknowledge(book, kind, n)
    // The same events once more, as somebody who did not see the answer.
    if (random.chance(shareRepeated)) {
      book.repeated += count
      await trigger(stage, random, call, { key: null, givesUp: true })
    }
    if (kind === 'delay' && random.chance(shareCancelled)) await cancelOne(stage, random, call.first)
  }
}

/** By how many events each way brings, not by how many calls. */
function chooser(random: Random): () => Way {
  const weights = ways.map(({ share, bulk: [min, max] }) => share / ((min + max) / 2))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return () => {
    let left = random.next() * total
    const found = ways.find((_, n) => {
      left -= weights[n] ?? 0
      return left < 0
    })
    return found ?? (ways[0] as Way)
  }
}

type How = { key: string | null; givesUp: boolean }

async function trigger(stage: Stage, random: Random, { kind, first, count }: Call, how: How): Promise<boolean> {
  const events = times(count, (i) => eventOf(kind, first + i))
  const isSingle = count === 1
  const sent = {
    key: stage.tenants[placeOf(kind)].key,
    ...(how.key !== null && { headers: { 'idempotency-key': how.key } }),
    body: isSingle ? events[0] : { events },
  }
  const path = isSingle ? '/v1/events/trigger' : '/v1/events/trigger/bulk'
  const reply = await sendUntilAnswered(stage, random, ['POST', path, sent], how.givesUp)
  if (!reply) return false
  const results = isSingle ? [reply.body] : listAt(reply.body)
  const isWell = results.length === count && results.every((it) => at(it, 'status') === 'processed')
  if (reply.status === 201 && isWell) return true
  stage.book.faults.add(
    `${nameOf(kind, first)} × ${count}: ${reply.from} answered ${reply.status} ${shorten(reply.text)}`,
  )
  return false
}

/** Soon after it was triggered: it waits, or is about to. */
async function cancelOne(stage: Stage, random: Random, n: number): Promise<void> {
  const { book, tenants } = stage
  await sleep(random.integer(0, (waitSeconds * 1000) / 10))
  book.cancels.set(n, cancel.asked)
  const path = `/v1/events/trigger/${nameOf('delay', n)}`
  const reply = await sendUntilAnswered(stage, random, ['DELETE', path, { key: tenants.inbox.key }], false)
  if (reply && reply.status !== 200)
    book.faults.add(`DELETE ${path}: ${reply.from} answered ${reply.status} ${shorten(reply.text)}`)
  // 0: it was too late, or the call before this one did it and could not say so.
  if (Number(at(reply?.body, 'canceled') ?? 0) < 1) return
  book.cancels.set(n, cancel.stopped)
  book.cancelled++
}
