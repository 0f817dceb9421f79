import { existsSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

const clockTickMs = 10

/** What the host of a virtual machine took from it: `steal` in the first line of /proc/stat, of all cores together; always 0 where there is no such file. */
export function stolenMs(): number {
  if (!existsSync('/proc/stat')) return 0
  const [, , , , , , , , steal = '0'] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/) ?? []
  return Number(steal) * clockTickMs
}

/** A thread that does nothing, and tells when it was held up: nobody's work did that but the machine's. */
const idle = `
  const { parentPort } = require('node:worker_threads')
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    if (now - last > 30) parentPort.postMessage(now - last - 10)
    last = now
  }, 10)`

const pauses: { at: number; ms: number }[] = []
let thread: Worker | undefined

/** The longest time since `since` (of `performance.now()`) in which a thread that does nothing was held up. */
export function longestPauseMs(since: number): number {
  if (!thread) {
    thread = new Worker(idle, { eval: true })
    thread.unref()
    thread.on('message', (ms: number) => pauses.push({ at: performance.now(), ms }))
  }
  return Math.max(0, ...pauses.filter(({ at }) => at >= since).map(({ ms }) => ms))
}
