/** Which item a thread works on and since when. The thread writes it; we can read it even when the thread is stuck. */
export type ItemClock = {
  memory: SharedArrayBuffer
  reset(): void
  item(): number
  runningMs(): number
  /** What the thread had used of the processor when it began the item. */
  usedBeforeMs(): number
}

export function createItemClock(): ItemClock {
  const memory = new SharedArrayBuffer(24)
  const startedAt = new BigInt64Array(memory, 0, 1)
  const usedBefore = new BigInt64Array(memory, 8, 1)
  const inProgress = new Int32Array(memory, 16, 1)
  return {
    memory,
    reset: () => void Atomics.store(inProgress, 0, -1),
    item: () => Atomics.load(inProgress, 0),
    runningMs() {
      if (Atomics.load(inProgress, 0) === -1) return 0 // the thread is still starting, or reading the page
      return Number(process.hrtime.bigint() - Atomics.load(startedAt, 0)) / 1e6
    },
    usedBeforeMs: () => Number(Atomics.load(usedBefore, 0)) / 1000,
  }
}
