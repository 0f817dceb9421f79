import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * The longest time in ms for which this process, and so every server in it, answered nobody while `work` ran. Counted
 * only as far as this thread used the processor: on a busy machine others hold it up too.
 */
export async function longestBlock<T>(work: () => Promise<T>): Promise<{ blockedMs: number; result: T }> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  let [last, longestMs] = [usedMs(), 0]
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, usedMs() - last)
    last = usedMs()
  }, 5)
  delay.enable()
  try {
    const result = await work()
    return { blockedMs: Math.min(longestMs, delay.max / 1e6), result }
  } finally {
    delay.disable()
    clearInterval(timer)
  }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
