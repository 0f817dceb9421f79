import type { Ctx } from '../context.ts'

/** Work that comes round by the clock. `run` does one batch and says how many it did; it is called again while there is work. */
export type Loop = { name: string; everyMs: number; run(ctx: Ctx): Promise<number> }

export function defineLoop(loop: Loop): Loop {
  return loop
}
