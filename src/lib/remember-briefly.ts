// What ends on one node (a key revoked, a session signed out) must be over on every node within 5 s: what is older than
// this is asked again.
const rememberMs = 3_000
const rememberMost = 10_000

export type Remembered<T> = { (id: string): Promise<T>; forget(id: string): void }

/** Asks once in a while, however often it is called. A question that failed is not remembered. */
export function rememberBriefly<T>(ask: (id: string) => Promise<T>): Remembered<T> {
  const remembered = new Map<string, { until: number; found: Promise<T> }>()

  const lookUp = (id: string): Promise<T> => {
    const now = performance.now()
    const known = remembered.get(id)
    if (known && known.until > now) return known.found
    if (remembered.size >= rememberMost) remembered.clear()
    const found = ask(id)
    remembered.set(id, { until: now + rememberMs, found })
    found.catch(() => remembered.delete(id))
    return found
  }
  return Object.assign(lookUp, { forget: (id: string) => void remembered.delete(id) })
}
