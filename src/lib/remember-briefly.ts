import { LRUCache } from 'lru-cache'

// What ends on one node (a key revoked, a session signed out) must be over on every node within 5 s: what is older than
// this is asked again.
const rememberMs = 3_000
const rememberMost = 10_000

export type Remembered<T> = { (id: string): Promise<T>; forget(id: string): void }

/** Asks once in a while, however often it is called. A question that failed is not remembered. */
export function rememberBriefly<T>(ask: (id: string) => Promise<T>): Remembered<T> {
  // Not its own `fetch`: that counts from the answer, and what was true when it was asked may have ended meanwhile.
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
