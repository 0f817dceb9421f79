import type { Ctx } from '../context.ts'
import type { Alarm } from './alarm.ts'

/**
 * Periodic work. `run` does one batch and returns how many it did; above 0 it is called again at once, else after
 * `everyMs`. By `rest` it says when it is to be called instead: in this many milliseconds, in `restMs` at most.
 */
export type Loop = {
  name: string
  everyMs: number
  restMs?: number
  /** Ends its pauses early. */
  alarm?(ctx: Ctx): Alarm
  run(ctx: Ctx, rest?: (ms?: number) => void): Promise<number>
}

export function defineLoop(loop: Loop): Loop {
  return loop
}
