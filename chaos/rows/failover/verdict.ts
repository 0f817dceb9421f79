import { setTimeout as sleep } from 'node:timers/promises'
import { patient } from '../../lib/patience.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import type { World } from '../../lib/world.ts'
import { checkSingles } from '../../oracles/at-once.ts'
import { checkConservation, checkDelivered } from '../../oracles/delivery.ts'
import { judgeSending, table } from '../../oracles/sending.ts'
import { checkLives } from '../database/stage.ts'
import type { MixedLoad } from './mixed-load.ts'
import { checkWaits } from './waits.ts'

/**
 * After the last fault: nothing new is begun, all that was begun comes to its end, and then the books of the clients and
 * the ledger of the providers are held against the rows. T0: once. T1: once. T2: no more doubles than tries recorded as
 * unknown, each marked.
 */
export async function judge(world: World, load: MixedLoad): Promise<string> {
  const { nodes, ledger, inbox, singles, mails, texts, waits } = load
  await load.stop()
  await checkPresent(world, load)
  const seconds = await untilQuiet(world)
  for (const node of nodes) checkLives(node)
  const url = nodes[0]?.url ?? ''
  const delivered = await checkDelivered(world, inbox.tenant, inbox.load.book)
  const entries = ledger.read('singles')
  const told = await checkSingles(world, { url, tenant: singles.tenant, book: singles.load.book, entries })
  const tallies = []
  for (const [name, { sender, load: sent }] of Object.entries({ mails, texts })) {
    const acknowledged = [...sent.book.acknowledged].map((about) => ({ about, triggeredAt: 0 }))
    const given = { world, url, sender, acknowledged, entries: ledger.read(name), keyed: name === 'mails' }
    const tally = await judgeSending(given)
    expectAtLeast(tally.arrived, acknowledged.length, `${name} that arrived`)
    tallies.push({ name: `${name} (${name === 'mails' ? 'T1' : 'T2'})`, tally, seconds })
  }
  const waited = await checkWaits(
    world,
    waits.tenant,
    waits.loads.map(({ book }) => book),
  )
  const dead = await world.sql("select 1 from pgboss.job where name = 'dead-letters'")
  expectEqual(dead.length, 0, 'dead letters')
  await checkConservation(world)
  return [
    `lost 0, doubled 0 (T0, T1), quiet ${seconds.toFixed(1)} s after the last request`,
    `bulks: ${delivered}`,
    `singles: ${told}`,
    `${waited.delays} delays and ${waited.digests} digests of ${waited.told} events fired once each${table(tallies)}`,
  ].join('\n      ')
}

/** What is gone never comes to its end: nobody need wait for it. */
async function checkPresent(world: World, { inbox, mails, texts, waits }: MixedLoad): Promise<void> {
  const faults = collectFaults()
  const books = [
    { tenant: inbox.tenant, book: inbox.load.book },
    ...[mails, texts].map(({ sender, load }) => ({ tenant: sender.tenant, book: load.book })),
    ...waits.loads.map(({ book }) => ({ tenant: waits.tenant, book })),
  ]
  for (const { tenant, book } of books) {
    const events = await world.sql<{ id: string }>('select transaction_id as id from event where environment_id = $1', [
      tenant.environmentId,
    ])
    const present = new Set(events.map(({ id }) => id))
    for (const id of book.acknowledged)
      if (!present.has(id)) faults.add(`LOST: ${id} was acknowledged and is not there`)
  }
  faults.end()
}

const quietWithinMs = 120_000

/** Until no event, step or message waits any more. */
async function untilQuiet(world: World): Promise<number> {
  for (const began = performance.now(); ; await sleep(200)) {
    const [row] = await world.sql<{ events: number; steps: number; messages: number }>(
      `select (select count(*) from event where state = 'accepted')::int as events,
        (select count(*) from job where status in ('delayed', 'pending', 'queued'))::int as steps,
        (select count(*) from message where delivery = 'open')::int as messages`,
    )
    const ms = performance.now() - began
    if (row && row.events + row.steps + row.messages === 0) return ms / 1000
    expectThat(ms < patient(quietWithinMs), `after ${(ms / 1000).toFixed(0)} s there wait ${JSON.stringify(row)}`)
  }
}
