const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The delay after the first failure, the second, and so on; the last one repeats until the message expires. */
const delaysMs = [second, 5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 5 * hour] as const

/** Limits what a vendor may ask for: a millisecond or a year is not taken. */
const [shortestMs, longestMs] = [second, hour]

/** Full jitter, so that messages that failed together do not retry together. `afterMs`: what the vendor asked for. */
export function retryDelayMs(failures: number, afterMs: number | undefined, random: () => number): number {
  const step = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? second
  const jittered = Math.ceil(random() * step)
  return afterMs === undefined ? jittered : Math.max(jittered, pauseMs(afterMs))
}

/** How long an integration pauses after a 429, with or without Retry-After. */
export function pauseMs(afterMs: number | undefined): number {
  const asked = afterMs !== undefined && Number.isFinite(afterMs) ? afterMs : 5 * second
  return Math.min(Math.max(asked, shortestMs), longestMs)
}
