import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectThat } from '../../lib/red.ts'
import { failedCalls, longestMs, startMixedLoad, untilMore } from './mixed-load.ts'
import { finish, move } from './mover.ts'
import type { CellStage } from './stage.ts'
import { startUnderLoad } from './under-load.ts'
import { judgeMoved } from './verdict.ts'

/** The gateway dies, over and over, while an environment moves; clients repeat what was not answered. */
export async function killedGateway(stage: CellStage): Promise<string> {
  const { world } = stage
  const { tenant, load, watch } = await startUnderLoad(stage, 40)
  const mover = stage.move(tenant.environmentId, '--to', 'cb')
  let kills = 0
  // Once more after it has moved: it starts from what it wrote to disk.
  for (let isMoved = false; !isMoved && !load.hasFailed(); kills++) {
    isMoved = mover.ended() !== null
    await stage.restartGateway()
    await untilMore(load, 10)
    await sleep(world.random.integer(0, 500))
  }
  await finish(mover)
  await load.stop()
  const told = await judgeMoved(stage, 'cb', tenant, load.book)
  const watched = await watch.stop()
  return `${kills} × kill -9 of the gateway during a move; failed calls: ${failedCalls(load.book) || 'none'}; ${told}; ${watched}`
}

/** A gateway that starts with the map of before two moves, and nobody who would tell it better but the cells. */
export async function staleMap(stage: CellStage): Promise<string> {
  const { world, gatewayUrl, gatewayDir } = stage
  const { tenant, load, watch } = await startUnderLoad(stage, 20)
  await move(stage, tenant, 'cb')
  const file = join(gatewayDir, 'gateway-map')
  await untilMore(load, 10)
  await until(() => existsSync(file), 5_000)
  cpSync(file, `${file}.old`)
  await move(stage, tenant, 'ca')
  await move(stage, tenant, 'cc')
  await load.stop()
  const before = failedCalls(load.book)
  expectThat(before === '', `calls failed before the gateway was killed: ${before}`)

  await stage.gateway().kill()
  cpSync(`${file}.old`, file)
  rmSync(`${file}.old`)
  // Nobody listens there.
  await stage.restartGateway({ CONTROL_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  const second = startMixedLoad({ url: gatewayUrl, tenant, random: world.random })
  await untilMore(second, 40)
  await second.stop()
  const failed = failedCalls(second.book)
  const [first] = second.book.calls
  await stage.restartGateway()
  const all = { events: new Map([...load.book.events, ...second.book.events]), calls: [] }
  const told = await judgeMoved(stage, 'cc', tenant, all)
  const watched = await watch.stop()
  expectThat(failed === '', `calls failed with an old map: ${failed}`)
  return `map of two moves ago, control database away: no call failed, the first took ${first?.ms.toFixed(0)} ms, the longest ${longestMs(second.book).toFixed(0)} ms; ${told}; ${watched}`
}

async function until(holds: () => boolean, withinMs: number): Promise<void> {
  for (const began = performance.now(); !holds() && performance.now() - began < withinMs; ) await sleep(50)
}
