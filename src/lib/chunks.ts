import type { Hash, Hmac } from 'node:crypto'

/** The items in their order, in lists of at most `size`. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** The same in lists that weigh at most `most`; one item may weigh more. */
export function chunksByWeight<T>(items: readonly T[], most: number, weigh: (item: T) => number): T[][] {
  const lists: T[][] = []
  let [list, left]: [T[], number] = [[], most]
  for (const item of items) {
    const weight = weigh(item)
    if (list.length > 0 && weight > left) {
      lists.push(list)
      ;[list, left] = [[], most]
    }
    list.push(item)
    left -= weight
  }
  return list.length > 0 ? [...lists, list] : lists
}

const longestTurnMs = 20

/** Between the parts of long work: lets everybody else have their turn when this one has lasted long enough. */
export function createPauses(): () => Promise<void> {
  let turnEnds = performance.now() + longestTurnMs
  return async () => {
    if (performance.now() < turnEnds) return
    await new Promise((resolve) => setImmediate(resolve))
    turnEnds = performance.now() + longestTurnMs
  }
}

// Hashing takes some 7 ms for each.
const sliceLength = 1024 * 1024

/** Adds a text to a hash, which may have millions of characters. */
export async function hashInTurns(hash: Hash | Hmac, text: string): Promise<void> {
  const pause = createPauses()
  for (let at = 0; at < text.length; ) {
    const end = at + sliceLength
    // A pair of surrogates is one character, and its halves are none.
    const next = text.codePointAt(end - 1) === text.charCodeAt(end - 1) ? end : end + 1
    hash.update(text.slice(at, next))
    at = next
    if (at < text.length) await pause()
  }
}
