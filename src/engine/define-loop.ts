import type { Ctx } from '../context.ts'

/**
 * Periodic work. `run` does one batch and returns how many it did; above 0 it is called again at once, else after
 * `everyMs`. By `rest` it says that it need not be called for longer: for this many milliseconds, `restMs` at most.
 */
export type Loop = {
  name: string
  everyMs: number
  restMs?: number
  run(ctx: Ctx, rest?: (ms?: number) => void): Promise<number>
}

export function defineLoop(loop: Loop): Loop {
  return loop
}
