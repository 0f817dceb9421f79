import type { Ctx } from '../context.ts'

/** Periodic work. `run` does one batch and returns how many it did; above 0 it is called again at once. */
export type Loop = { name: string; everyMs: number; run(ctx: Ctx): Promise<number> }

export function defineLoop(loop: Loop): Loop {
  return loop
}
