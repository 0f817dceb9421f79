import { setTimeout as sleep } from 'node:timers/promises'
import { startPrivateServer } from '../../../test/postgres/private-server.ts'
import { allowing, until, untilSettled } from '../../lib/outside-stage.ts'
import { openPostgres } from '../../lib/postgres.ts'
import { expectAtLeast } from '../../lib/red.ts'
import { makeSingleWorkflows, type SingleLoad, startSingleLoad } from '../../lib/single-load.ts'
import { untilAcknowledged } from '../../lib/trigger-load.ts'
import type { World } from '../../lib/world.ts'
import { checkSingles, readAtOnce } from '../../oracles/at-once.ts'
import { checkConservation } from '../../oracles/delivery.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'
import { checkLives } from './stage.ts'

const blows = 15

/**
 * Single triggers without keys, while the connections of their node are cut: first at any moment, then between a commit
 * and the answer to it. Every request is answered, with 503 or with what is true.
 */
export async function cutsAtOnce(outer: World): Promise<string> {
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const hook = http.add({ name: 'mails', dedupes: true, script: () => ({ kind: 'ok' }) })
  const settings = allowing([http.port])
  // Cutting its connections hurts nobody else.
  const world = await outer.elsewhere(await openPostgres(startPrivateServer))
  const tenant = await world.tenant()
  const node = await world.startNode(settings)
  await makeSingleWorkflows(node.url, tenant, http.url(hook))
  const load = startSingleLoad(world, { tenant, targets: [node.url], clients: 24, alwaysAnswered: true })
  await untilAcknowledged(load, 50)

  let ended = 0
  for (let n = 0; n < blows && !load.hasFailed(); n++) {
    ended += await cut(world, 'true')
    await sleep(world.random.integer(50, 250))
  }
  const rounds = world.small ? 6 : 15
  let committed = 0
  for (let n = 0; n < rounds && !load.hasFailed(); n++) committed += await cutAfterCommit(world, load)

  const before = load.book.acknowledged.size
  if (!load.hasFailed()) await untilAcknowledged(load, before + 200)
  await load.stop()
  checkLives(node)
  const atOnce = await readAtOnce(world, tenant)
  await world.startNode(settings, 'worker')
  const seconds = await untilSettled(world, [{ tenant, channel: 'email', integrationIds: [] }], 60_000)
  const told = await checkSingles(world, { url: node.url, tenant, book: load.book, entries: ledger.read('mails') })
  await checkConservation(world)
  await world.close()
  const busy = load.book.tries.filter((it) => it.outcome === 'busy').length
  expectAtLeast(ended, 10, 'connections cut')
  expectAtLeast(committed, rounds, 'connections cut after a commit')
  expectAtLeast(busy, 10, 'requests answered 503 + Retry-After')
  expectAtLeast(atOnce.ended, atOnce.events / 2, 'events that ended when they were accepted')
  return `${ended} connections cut, ${committed} more after a commit and before its answer: ${busy} × 503 + Retry-After, nothing else; ${told}; ${atOnce.ended} of ${atOnce.events} events ended when they were accepted, in ${atOnce.transactions} transactions; the rest and the mails ${seconds.toFixed(1)} s after a worker began`
}

/** Answers how many. */
async function cut(world: World, which: string): Promise<number> {
  const rows = await world.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'tidings' and ${which}`,
  )
  return rows.length
}

const isCommitted = "wait_event = 'SyncRep'"

/**
 * A server that waits for a replica it does not have has committed by itself, and does not answer: those who are cut
 * then cannot know it.
 */
async function cutAfterCommit(world: World, load: SingleLoad): Promise<number> {
  await world.sql("alter system set synchronous_standby_names = 'nobody'")
  await world.sql('select pg_reload_conf()')
  const waiting = `select 1 from pg_stat_activity where application_name = 'tidings' and ${isCommitted}`
  await until(async () => load.hasFailed() || (await world.sql(waiting)).length > 0, 20_000, 'a commit that waits')
  // For others to join: several groups may commit at the same time.
  await sleep(world.random.integer(50, 200))
  const ended = await cut(world, isCommitted)
  await world.sql("alter system set synchronous_standby_names = ''")
  await world.sql('select pg_reload_conf()')
  await sleep(world.random.integer(50, 250))
  return ended
}
