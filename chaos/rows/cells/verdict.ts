import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../../lib/http.ts'
import { patient } from '../../lib/patience.ts'
import { collectFaults, expectThat, type Faults } from '../../lib/red.ts'
import { judgeSending } from '../../oracles/sending.ts'
import type { Kind, MovedBook, Sent } from './mixed-load.ts'
import type { Cell, CellName, CellStage } from './stage.ts'

// History of millions takes a while to look through.
const pollMs = 500

/** Until nothing of the environment waits any more where it lives. */
export async function untilQuiet({ cluster }: Cell, { environmentId }: Tenant, withinMs: number): Promise<number> {
  const began = performance.now()
  for (;;) {
    const [row] = await cluster.sql<{ events: number; jobs: number; messages: number }>(
      `select (select count(*) from event where environment_id = $1 and state = 'accepted')::int as events,
        (select count(*) from job where environment_id = $1 and status in ('delayed', 'pending', 'queued'))::int as jobs,
        (select count(*) from message where environment_id = $1 and delivery = 'open')::int as messages`,
      [environmentId],
    )
    const ms = performance.now() - began
    if (row && row.events + row.jobs + row.messages === 0) return ms / 1000
    expectThat(
      ms < patient(withinMs),
      `STUCK: after ${(ms / 1000).toFixed(0)} s there still wait ${JSON.stringify(row)}`,
    )
    await sleep(pollMs)
  }
}

/**
 * Against what the clients and the providers know: every acknowledged event is in the cell in which the environment
 * lives, and had its effect once. Says the counts.
 */
export async function judgeMoved(
  stage: Pick<CellStage, 'world' | 'cells' | 'gatewayUrl' | 'providers'>,
  home: CellName,
  tenant: Tenant,
  book: MovedBook,
  withinMs = 60_000,
): Promise<string> {
  const cell = stage.cells.get(home) as Cell
  const settled = await untilQuiet(cell, tenant, withinMs)
  const events = [...book.events.values()]
  const faults = collectFaults()
  await judgeEvents(faults, cell, tenant, events)
  await judgeDigests(faults, cell, tenant, events)
  faults.end()
  const tallies = []
  for (const [route, some] of [['keyed', ['keyed']] as const, ['keyless', ['keyless', 'later', 'long']] as const]) {
    const acknowledged = events
      .filter(({ kind, acknowledged }) => acknowledged && (some as readonly Kind[]).includes(kind))
      .map(({ about }) => ({ about, triggeredAt: 0 }))
    const isOurs = ({ about }: { about: string }) => book.events.has(about)
    const tally = await judgeSending({
      world: { ...stage.world, sql: cell.cluster.sql },
      url: stage.gatewayUrl,
      sender: { tenant, channel: 'email', integrationIds: [] },
      acknowledged,
      entries: stage.providers.ledger.read(route).filter(isOurs),
      keyed: route === 'keyed',
    })
    tallies.push(`${tally.arrived} of ${acknowledged.length} ${route} mails arrived`)
    // No worker died and no provider hung, so nothing may be in doubt: whoever is, a move has made so.
    if (tally.doubles > 0 || tally.unknown > 0) {
      const doubtful = await listDoubtful(cell, tenant)
      expectThat(false, `${tally.doubles} mails came twice, ${doubtful.length} tries in doubt: ${doubtful.slice(0, 3)}`)
    }
  }
  const acknowledged = events.filter((event) => event.acknowledged).length
  return `${acknowledged} events acknowledged, 0 lost, each once (${tallies.join('; ')}), quiet after ${settled.toFixed(1)} s`
}

type Found = { about: string; events: number; notifications: number; shown: number }

async function judgeEvents(faults: Faults, { cluster }: Cell, { environmentId }: Tenant, events: readonly Sent[]) {
  const rows = await cluster.sql<Found>(
    `select e.transaction_id as about, count(*)::int as events, coalesce(sum(n.count), 0)::int as notifications,
      coalesce(sum(m.count), 0)::int as shown
     from event e
     left join (select event_id, count(*) from notification where environment_id = $1 group by 1) n on n.event_id = e.id
     left join (select event_id, count(*) from message
       where environment_id = $1 and channel = 'in_app' and status = 'sent' group by 1) m on m.event_id = e.id
     where e.environment_id = $1 and e.transaction_id !~ '^[0-9a-f]{8}-' group by 1`,
    [environmentId],
  )
  const found = new Map(rows.map((row) => [row.about, row]))
  for (const { about, kind, acknowledged } of events) {
    const row = found.get(about)
    found.delete(about)
    if (!row) {
      if (acknowledged) faults.add(`LOST: ${about} (${kind}) was acknowledged and is not there`)
      continue
    }
    if (row.events !== 1 || row.notifications !== 1)
      faults.add(`${about} (${kind}) has ${row.events} events and ${row.notifications} notifications`)
    if (kind === 'inbox' && row.shown !== 1) faults.add(`${about} stands ${row.shown} times in the inbox`)
  }
  for (const about of found.keys()) faults.add(`nobody asked for ${about}`)
}

/** All digests of a person together tell of every event, once. */
async function judgeDigests(faults: Faults, { cluster }: Cell, { environmentId }: Tenant, events: readonly Sent[]) {
  const rows = await cluster.sql<{ person: string; told: number }>(
    `select s.subscriber_id as person, sum(m.content::int)::int as told from message m
     join subscriber s on s.environment_id = m.environment_id and s.id = m.subscriber_id
     where m.environment_id = $1 and m.channel = 'in_app' and s.subscriber_id like 'gathered-%' group by 1`,
    [environmentId],
  )
  const told = new Map(rows.map((row) => [row.person, row.told]))
  const people = Map.groupBy(
    events.filter(({ kind }) => kind === 'digest'),
    ({ person }) => person,
  )
  for (const [person, some] of people) {
    const least = some.filter(({ acknowledged }) => acknowledged).length
    const count = told.get(person) ?? 0
    if (count < least || count > some.length)
      faults.add(
        `${count < least ? 'LOST' : 'DOUBLED'}: the digests of ${person} tell of ${count} events instead of ${least}`,
      )
  }
}

/** When tries without a record began and were given up. */
async function listDoubtful({ cluster }: Cell, { environmentId }: Tenant): Promise<string[]> {
  const rows = await cluster.sql<{ told: string }>(
    `select to_char(started_at, 'HH24:MI:SS.MS') || ' to ' || to_char(ended_at, 'HH24:MI:SS.MS') as told
     from attempt where environment_id = $1 and outcome = 'unknown' order by started_at`,
    [environmentId],
  )
  return rows.map((row) => row.told)
}
