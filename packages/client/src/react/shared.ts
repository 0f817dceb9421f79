/** Values that components share by key. */
export type Shared<T> = {
  /** Returns the value of the key, which the first caller creates. Call `release` once for each `acquire`. */
  acquire(key: string): T
  /** Returns the value of the key if it exists. */
  peek(key: string): T | undefined
  release(key: string): void
}

/**
 * Creates values on demand and shares them. A value is closed after its last user released it, but not within the same
 * turn: React unmounts and mounts a component in one turn, in StrictMode and when a page changes.
 */
export function createShared<T>(create: (key: string) => T, close: (value: T) => void): Shared<T> {
  const entries = new Map<string, { value: T; users: number }>()
  return {
    acquire(key) {
      const entry = entries.get(key) ?? { value: create(key), users: 0 }
      entries.set(key, entry)
      entry.users++
      return entry.value
    },
    peek: (key) => entries.get(key)?.value,
    release(key) {
      const entry = entries.get(key)
      if (!entry) return
      entry.users--
      setTimeout(() => {
        if (entry.users > 0 || entries.get(key) !== entry) return
        entries.delete(key)
        close(entry.value)
      })
    },
  }
}
