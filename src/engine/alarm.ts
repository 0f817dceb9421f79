/** A pause that ends earlier when an earlier moment becomes known, before it begins or while it lasts. */
export type Alarm = {
  /** Whoever pauses looks now what there is: from here on moments are kept that it may not see. */
  begin(): void
  /** There is something to do at this moment. Call it after the commit: who looks earlier does not see it. */
  ringAt(at: Date): void
  pause(ms: number, stopping: AbortSignal): Promise<void>
}

// However many moments become known, no pause ends earlier than this for them. What is due within it is done together: a
// page of many costs little more than one of few.
export const shortestPauseMs = 20

export function createAlarm(clock: () => Date): Alarm {
  // On the monotonic clock: nobody sets it.
  let earliestMs = Number.POSITIVE_INFINITY
  let changed = nothing

  return {
    begin() {
      earliestMs = Number.POSITIVE_INFINITY
    },
    ringAt(at) {
      const atMs = performance.now() + at.getTime() - clock().getTime()
      if (atMs >= earliestMs) return
      earliestMs = atMs
      changed()
    },
    pause(ms, stopping) {
      if (stopping.aborted) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      const beganMs = performance.now()
      let timer: NodeJS.Timeout | undefined
      const end = () => {
        clearTimeout(timer)
        changed = nothing
        stopping.removeEventListener('abort', end)
        resolve()
      }
      changed = () => {
        clearTimeout(timer)
        const untilMs = Math.min(beganMs + ms, Math.max(earliestMs, beganMs + shortestPauseMs))
        timer = setTimeout(end, Math.max(Math.ceil(untilMs - performance.now()), 0))
      }
      stopping.addEventListener('abort', end)
      changed()
      return promise
    },
  }
}

function nothing(): void {}
