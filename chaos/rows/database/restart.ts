import { setTimeout as sleep } from 'node:timers/promises'
import { startPrivateServer } from '../../../test/postgres/private-server.ts'
import { openPostgres } from '../../lib/postgres.ts'
import { expectAtLeast, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { checkHealed, checkLives, healWithinMs, startUnderLoad, type UnderLoad } from './stage.ts'

/** PostgreSQL is shut down without a checkpoint and started again, under load. The process must live through all of it. */
export async function restarts(outer: World): Promise<string> {
  const rounds = outer.small ? 2 : 7
  const server = await startPrivateServer()
  const world = await outer.elsewhere(await openPostgres(async () => server))
  const stage = await startUnderLoad(world, { bulk: [5, 20], pauseMs: 150 })
  let [slowestHeal, longestGap] = [0, 0]
  for (let n = 0; n < rounds; n++) {
    await sleep(world.random.integer(1_000, 2_500))
    const began = performance.now()
    await server.restart()
    const up = performance.now()
    longestGap = Math.max(longestGap, up - began)
    await untilAccepted(stage, up)
    slowestHeal = Math.max(slowestHeal, performance.now() - up)
  }
  const { seconds, delivered, busy, cut } = await checkHealed(world, stage, outer.small ? 100 : 500)
  await world.close()
  expectAtLeast(busy, rounds, 'requests answered 503 + Retry-After')
  return `${rounds} immediate restarts (gap ≤ ${(longestGap / 1000).toFixed(1)} s): ${busy} × 503 + Retry-After, ${cut} without reply; accepting again ≤ ${(slowestHeal / 1000).toFixed(1)} s after; ${delivered}; drained in ${seconds.toFixed(1)} s`
}

/** The clients go on by themselves: healed is when one of them is acknowledged again. */
async function untilAccepted({ node, load }: UnderLoad, since: number): Promise<void> {
  const { acknowledged } = load.book
  for (const before = acknowledged.size; acknowledged.size === before; await sleep(20)) {
    checkLives(node)
    expectThat(performance.now() - since < healWithinMs, `accepts nothing ${healWithinMs / 1000} s after the restart`)
  }
}
