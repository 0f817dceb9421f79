/**
 * Loaded before the program (`shiftedClock` below): the clock of the process is wrong by CHAOS_CLOCK_SHIFT_MS. Whatever
 * asks for the date gets the wrong one, in our code and in that of others; the monotonic clock and the timers are right,
 * as on a machine whose clock was set wrong.
 */
import { pathToFileURL } from 'node:url'

/** Settings of a node whose clock is ahead by this much. */
export function shiftedClock(ms: number): Record<string, string> {
  return { CHAOS_CLOCK_SHIFT_MS: String(ms), NODE_OPTIONS: `--import=${pathToFileURL(import.meta.filename).href}` }
}

const shiftMs = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? 0)

if (shiftMs !== 0) {
  const RealDate = Date
  const now = () => RealDate.now() + shiftMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
