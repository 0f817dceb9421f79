import { type Counts, makeCounts } from './counts.ts'
import { type Kind, kinds } from './kinds.ts'

/** What a client knows of an event. */
export const said = { nothing: 0, sent: 1, acknowledged: 2 } as const
/** What a client knows of its cancelling. */
export const cancel = { none: 0, asked: 1, stopped: 2 } as const

/** What the clients know: the only truth the oracle believes. A few bytes for each event. */
export type Book = {
  state: Record<Kind, Counts>
  cancels: Counts
  /** The next number of each kind; all below were sent. */
  next: Record<Kind, number>
  acknowledged: number
  /** 503 + Retry-After, or 409 for what is under way. */
  refused: number
  /** Connections that broke, or calls that were given up after 20 s. */
  silent: number
  /** Of the calls that were answered since somebody last looked. */
  callsMs: { count: number; sum: number; most: number }
  repeated: number
  cancelled: number
  reads: number
  preferences: number
  /** What a client must never meet. */
  faults: Faults
}

export type Faults = { add(text: string): void; count(): number; told(): readonly string[] }

const mostTold = 50

/** All are counted, the first ones are kept. */
export function countFaults(): Faults {
  const texts: string[] = []
  let count = 0
  return {
    add(text) {
      count++
      if (texts.length < mostTold && !texts.includes(text)) texts.push(text)
    },
    count: () => count,
    told: () => texts,
  }
}

export const ofEachKind = <T>(make: (kind: Kind) => T) =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<Kind, T>

export function makeBook(): Book {
  return {
    state: ofEachKind(() => makeCounts()),
    cancels: makeCounts(),
    next: ofEachKind(() => 0),
    ...{ acknowledged: 0, refused: 0, silent: 0, repeated: 0, cancelled: 0, reads: 0, preferences: 0 },
    callsMs: { count: 0, sum: 0, most: 0 },
    faults: countFaults(),
  }
}

/** Once for each event, however often it is acknowledged. */
export function acknowledge(book: Book, kind: Kind, n: number): void {
  if (book.state[kind].get(n) === said.acknowledged) return
  book.state[kind].set(n, said.acknowledged)
  book.acknowledged++
}

/** How long the calls took since this was last asked for. */
export function takeCallTimes(book: Book): { mean: number | null; most: number | null } {
  const { count, sum, most } = book.callsMs
  book.callsMs = { count: 0, sum: 0, most: 0 }
  return count === 0 ? { mean: null, most: null } : { mean: Math.round(sum / count), most: Math.round(most) }
}
