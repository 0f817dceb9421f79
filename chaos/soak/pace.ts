import { setTimeout as sleep } from 'node:timers/promises'

const tickMs = 50
// What a fault held up is caught up with, but not all at once.
const fastest = 1.5

/** Lets so many events a second go, over the whole of the run: who was held up may be faster for a while. */
export function startPace(perSecond: number): { take(events: number): Promise<void>; stop(): void } {
  const began = performance.now()
  let [granted, taken, isOver] = [0, 0, false]
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond
    // What nobody takes now is not given later all at once either.
    const most = Math.max(granted, taken) + (perSecond * fastest * tickMs) / 1000
    if (granted - taken < perSecond) granted = Math.min(due, most)
  }, tickMs)
  return {
    async take(events) {
      while (granted - taken <= 0 && !isOver) await sleep(tickMs)
      taken += events
    },
    stop() {
      isOver = true
      clearInterval(timer)
    },
  }
}
