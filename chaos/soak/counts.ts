/** One small number for each of a million events, in a few bytes each: what runs for hours must stay as small as it was. */
export type Counts = {
  get(n: number): number
  set(n: number, value: number): void
  add(n: number): void
}

const firstSize = 4_096

/** `bytes`: 1 counts to 255 and stays there, 4 holds what is needed to know a key again. */
export function makeCounts(bytes: 1 | 4 = 1): Counts {
  const make = (size: number) => (bytes === 1 ? new Uint8Array(size) : new Uint32Array(size))
  const most = bytes === 1 ? 255 : 2 ** 32 - 1
  let values = make(firstSize)
  const set = (n: number, value: number) => {
    if (n >= values.length) {
      const larger = make(Math.max(n + 1, values.length * 2))
      larger.set(values)
      values = larger
    }
    values[n] = Math.min(most, value)
  }
  const get = (n: number) => values[n] ?? 0
  return { get, set, add: (n) => set(n, get(n) + 1) }
}

/** FNV-1a, never 0: 0 says that there is none yet. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0 || 1
}
