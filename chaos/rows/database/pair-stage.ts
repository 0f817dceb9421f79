import { until } from '../../lib/outside-stage.ts'
import type { World } from '../../lib/world.ts'
import { openPair, type StandbyPair } from '../../simulators/standby-pair.ts'

/**
 * A COMMIT may wait for ten seconds, and before it a call may have waited for five, for a connection or for its turn. The
 * rest is for a busy machine.
 */
export const answerWithinMs = 18_000
/** Whoever needs a row of a COMMIT that waits for its standby waits for that row first: until it is given up. */
export const answerWithLocksWithinMs = 27_000

export const noSynchronousStandby = 'no synchronous standby'

/** A primary with its standby, and the program on it. Whatever happens, none of it outlives the row. */
export async function withPair(
  outer: World,
  work: (world: World, pair: StandbyPair) => Promise<string>,
): Promise<string> {
  const pair = await openPair({ synchronous: outer.misconfigured !== noSynchronousStandby })
  const world = await outer.elsewhere(pair.server)
  try {
    return await work(world, pair)
  } finally {
    await Promise.all(world.nodes.map((node) => node.kill()))
    // First: whoever waits for an answer of it would wait for ever.
    await pair.stop()
    await world.close()
  }
}

/** Until so many COMMITs wait for a standby that does not answer. */
export function untilCommitsWait(pair: StandbyPair, least: number, hasFailed = () => false): Promise<void> {
  return until(async () => hasFailed() || (await pair.waiting()) >= least, 20_000, `${least} COMMITs that wait`)
}
