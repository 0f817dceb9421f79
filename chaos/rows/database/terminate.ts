import { setTimeout as sleep } from 'node:timers/promises'
import { expectAtLeast } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { checkHealed, startUnderLoad } from './stage.ts'

/** Every connection of the process is ended every 200 ms for 5 s, whatever it was doing. */
export async function terminates(world: World): Promise<string> {
  const rounds = 25
  const stage = await startUnderLoad(world, { bulk: [10, 30], pauseMs: 20 })
  await sleep(500)
  let ended = 0
  for (let n = 0; n < rounds; n++) {
    const rows = await world.sql(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'tidings%'`)
    ended += rows.length
    await sleep(200)
  }
  const storm = performance.now()
  await sleep(1_000)
  const { seconds, delivered, busy } = await checkHealed(world, stage, 200)
  const healed = (performance.now() - storm) / 1000
  await stage.node.kill()
  expectAtLeast(ended, rounds * 4, 'connections ended')
  expectAtLeast(busy, 10, 'requests answered 503 + Retry-After')
  return `${ended} connections ended in ${rounds} blows: ${busy} × 503 + Retry-After; ${delivered}; all delivered and checked ${healed.toFixed(1)} s after the last blow (${seconds.toFixed(1)} s after the last request)`
}
