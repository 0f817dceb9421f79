import type { MixedLoad } from './mixed-load.ts'

/** What the clients met since a fault. */
export type Measured = {
  /** From the fault until the end of the longest time in which nobody was acknowledged. */
  firstMs: number
  /** 503 + Retry-After. */
  refused: number
  acknowledged: number
  /** Of a call that has ended. */
  longestMs: number
}

export function measureSince(load: MixedLoad, since: number): Measured {
  const ended = load.tries().flatMap((it) => (it.ended !== null && it.ended > since ? { ...it, ended: it.ended } : []))
  const answered = ended.filter((it) => it.outcome === 'answered').map((it) => it.ended)
  const moments = [since, ...answered.toSorted((a, b) => a - b)]
  const gaps = moments.slice(1).map((at, n) => ({ at, ms: at - (moments[n] ?? at) }))
  const longest = gaps.toSorted((a, b) => b.ms - a.ms)[0]
  return {
    firstMs: (longest?.at ?? Number.POSITIVE_INFINITY) - since,
    refused: ended.filter((it) => it.outcome === 'busy').length,
    acknowledged: answered.length,
    longestMs: Math.max(0, ...ended.map((it) => it.ended - it.started)),
  }
}
