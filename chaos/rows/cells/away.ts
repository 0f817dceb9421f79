import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Tenant } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { patient } from '../../lib/patience.ts'
import { expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { noReply } from './mixed-load.ts'
import { type Latency, latencyOf, type Probe, startProbe, tell } from './probe.ts'
import type { Cell, CellStage } from './stage.ts'

// A cell is taken for gone after two probes of a second each that fail.
const noticedWithinMs = 8_000
const fastMs = 500

type Away = { what: string; begin(cell: Cell): Promise<void> | void; end(cell: Cell): Promise<void> }

const killed: Away = {
  what: 'killed',
  begin: (cell) => cell.api.kill(),
  end: (cell) => cell.restartApi(),
}

const hung: Away = {
  what: 'stopped (SIGSTOP)',
  begin: (cell) => void process.kill(cell.api.pid, 'SIGSTOP'),
  end: async (cell) => void process.kill(cell.api.pid, 'SIGCONT'),
}

/** One cell is gone: its own callers are told at once, everybody else notices nothing. */
export const cellDown = (stage: CellStage) => loseCell(stage, killed)

/** One cell takes connections and says nothing: it must not fill the gateway. */
export const cellHung = (stage: CellStage) => loseCell(stage, hung)

async function loseCell(stage: CellStage, away: Away): Promise<string> {
  const { world, gatewayUrl, cells } = stage
  const cell = cells.get('cc') as Cell
  const [near, far] = [await stage.tenant('ca'), await stage.tenant('cb')]
  const probes = [await startProbe(gatewayUrl, near), await startProbe(gatewayUrl, far)]
  const own = await stage.tenant('cc')
  await startProbe(gatewayUrl, own).then((probe) => probe.stop())
  const spanMs = patient(world.small ? 5_000 : 15_000)

  const start = performance.now()
  await sleep(spanMs)
  const lostAt = performance.now()
  // In the larger run more than the gateway lets wait for one cell.
  const flood = startFlood(gatewayUrl, own, world.small ? 100 : 700)
  await away.begin(cell)
  await sleep(patient(noticedWithinMs))
  const told = await askAway(gatewayUrl, own)
  const health = await send(stage.gatewayUrl, 'GET', '/health/ready')
  expectEqual(
    [health.status, at(health.body, 'cells', 'cc', 'state')],
    [200, 'down'],
    'the gateway, asked for its cells',
  )
  await sleep(Math.max(0, spanMs - (performance.now() - lostAt)))
  const backAt = performance.now()
  await away.end(cell)
  const upAt = performance.now()
  await untilAnswered(gatewayUrl, own)
  const seconds = (performance.now() - upAt) / 1000
  const { asked, most } = await flood.stop()
  const memory = stage.gateway().memoryMb('VmHWM')
  for (const probe of probes) await probe.stop()
  const others = probes.map((probe) => judgeOthers(probe, { start, lostAt, backAt }))
  expectThat(memory < 400, `the gateway grew to ${memory} MB`)
  return `cc ${away.what} under ${asked} calls, ${most} at a time: its callers were told within ${told.toFixed(0)} ms, served again ${seconds.toFixed(1)} s after it was back; p50/p99 of others before → meanwhile: ${others.join('; ')}; gateway ${memory} MB at most`
}

/** Whoever asks for the cell that is gone is told at once, and told to come again. */
async function askAway(url: string, { key }: Tenant): Promise<number> {
  let most = 0
  for (let n = 0; n < 20; n++) {
    const reply = await send(url, 'GET', '/v1/environment', { key })
    expectEqual([reply.status, reply.headers.has('retry-after')], [503, true], `a cell that is away: ${reply.text}`)
    most = Math.max(most, reply.ms)
  }
  expectThat(most < patient(fastMs), `a cell that is away was told of after ${most.toFixed(0)} ms`)
  return most
}

/** Callers of the cell that do not give up: so many at a time, each asking again when it was answered. */
function startFlood(url: string, { key }: Tenant, width: number) {
  // Not the connections of all others here: of those there are fewer than the gateway lets wait.
  const agent = new Agent({ keepAlive: true })
  let [stopped, asked] = [false, 0]
  const done = inParallel(
    times(width, (n) => n),
    width,
    async () => {
      while (!stopped) {
        asked++
        await send(url, 'GET', '/v1/environment', { key, agent }).catch(noReply)
        await sleep(500)
      }
    },
  )
  return {
    async stop() {
      stopped = true
      await done
      agent.destroy()
      return { asked, most: width }
    },
  }
}

async function untilAnswered(url: string, { key }: Tenant): Promise<void> {
  for (const began = performance.now(); ; await sleep(100)) {
    const reply = await send(url, 'GET', '/v1/environment', { key }).catch(noReply)
    if (reply?.status === 200) return
    expectThat(performance.now() - began < patient(15_000), `the cell is back and still refused: ${reply?.text}`)
  }
}

/** None failed, and they took no longer: twice, and 100 ms for a busy machine, is what noise makes. */
function judgeOthers(
  { calls }: Probe,
  { start, lostAt, backAt }: Record<'start' | 'lostAt' | 'backAt', number>,
): string {
  const [before, meanwhile] = [latencyOf(calls, start, lostAt), latencyOf(calls, lostAt, backAt)]
  for (const { count, failed } of [before, meanwhile]) {
    expectAtLeast(count, 20, 'calls of others')
    expectEqual(failed, 0, 'failed calls of others')
  }
  const isSame = (one: Latency, two: Latency) => two.p50 < one.p50 * 2 + 50 && two.p99 < one.p99 * 2 + 250
  expectThat(isSame(before, meanwhile), `others took longer: ${tell(before)} before, ${tell(meanwhile)} meanwhile`)
  return `${tell(before)} → ${tell(meanwhile)}`
}
