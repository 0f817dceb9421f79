import { LRUCache } from 'lru-cache'

// A key revoked or a session ended on one node must be over on every node within 5 s, and an open dashboard must show it
// by then: it asks every 2 s (dashboard/src/lib/session.ts), so both together stay well below.
export const rememberMs = 2_000
const rememberMost = 10_000

export type Remembered<T> = { (id: string): Promise<T>; forget(id: string): void }

/** Calls `ask` at most once per id and `rememberMs`. Failures are not remembered. */
export function rememberBriefly<T>(ask: (id: string) => Promise<T>): Remembered<T> {
  // Not LRUCache's own `fetch`: its time runs from the answer, not from the question.
  const remembered = new LRUCache<string, Promise<T>>({ max: rememberMost, ttl: rememberMs })

  const lookUp = (id: string): Promise<T> => {
    const known = remembered.get(id)
    if (known) return known
    const found = ask(id)
    remembered.set(id, found)
    found.catch(() => remembered.delete(id))
    return found
  }
  return Object.assign(lookUp, { forget: (id: string) => void remembered.delete(id) })
}
