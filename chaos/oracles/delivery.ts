import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../lib/http.ts'
import { patient } from '../lib/patience.ts'
import { collectFaults, expectThat, shorten } from '../lib/red.ts'
import type { Book } from '../lib/trigger-load.ts'
import type { World } from '../lib/world.ts'

type Count = { transactionId: string; subscriberId: string | null; count: number }

/** Waits until no event waits any more; answers after how many seconds. */
export async function waitUntilDrained(world: World, withinMs: number): Promise<number> {
  const started = performance.now()
  while (true) {
    const rows = await world.sql<{ id: string }>("select id from event where state = 'accepted' order by id")
    const seconds = (performance.now() - started) / 1000
    if (rows.length === 0) return seconds
    expectThat(seconds * 1000 < patient(withinMs), `${rows.length} events still wait after ${seconds.toFixed(0)} s`)
    await sleep(100)
  }
}

/**
 * Against what the clients know: every acknowledged event has one notification and one in-app message per recipient, and
 * one that was not acknowledged is whole or absent. Says the counts.
 */
export async function checkDelivered(world: World, tenant: Tenant, book: Book): Promise<string> {
  const env = [tenant.environmentId]
  const group = (table: string, only: string) => `
    select t.transaction_id as "transactionId", s.subscriber_id as "subscriberId", count(*)::int as count from ${table} t
    left join subscriber s on s.environment_id = t.environment_id and s.id = t.subscriber_id
    where t.environment_id = $1 ${only} group by 1, 2`
  const notifications = byPair(await world.sql<Count>(group('notification', ''), env))
  const messages = byPair(
    await world.sql<Count>(group('message', "and t.channel = 'in_app' and t.status = 'sent'"), env),
  )
  const events = await world.sql<{ id: string }>(
    'select transaction_id as id from event where environment_id = $1',
    env,
  )
  const present = new Set(events.map((event) => event.id))

  const faults = collectFaults()
  if (present.size !== events.length) faults.add(`${events.length - present.size} events are there twice`)
  const expected = new Set<string>()
  let unacknowledged = 0
  for (const [transactionId, recipients] of book.sent) {
    const isAcknowledged = book.acknowledged.has(transactionId)
    if (!isAcknowledged && present.has(transactionId)) unacknowledged++
    for (const recipient of recipients) {
      const pair = pairOf(transactionId, recipient)
      if (isAcknowledged || present.has(transactionId)) expected.add(pair)
      const [seen, shown] = [notifications.get(pair) ?? 0, messages.get(pair) ?? 0]
      if (expected.has(pair) && (seen !== 1 || shown !== 1)) {
        const what = isAcknowledged ? 'acknowledged' : 'not acknowledged but accepted'
        faults.add(`${verdictOf(seen, shown)}: ${pair} (${what}): ${seen} notifications, ${shown} messages`)
      }
    }
  }
  for (const pair of new Set([...notifications.keys(), ...messages.keys()])) {
    if (!expected.has(pair)) faults.add(`nobody asked for ${pair}`)
  }
  faults.end()
  return `${book.acknowledged.size} events acknowledged → ${expected.size} notifications and messages, each once; ${book.sent.size - book.acknowledged.size} never acknowledged (${unacknowledged} whole, the others absent)`
}

const pairOf = (transactionId: string, subscriberId: string | null) => `${transactionId} to ${subscriberId}`

function byPair(rows: readonly Count[]): Map<string, number> {
  return new Map(rows.map((row) => [pairOf(row.transactionId, row.subscriberId), row.count]))
}

function verdictOf(notifications: number, messages: number): string {
  if (notifications === 0 && messages === 0) return 'LOST'
  return notifications > 1 || messages > 1 ? 'DOUBLED' : 'HALF'
}

/** `conserve` of the program itself: every environment adds up and nothing waits. */
export async function checkConservation(world: World, withinMs?: number): Promise<void> {
  const { code, output } = await world.command(['conserve'], {}, withinMs)
  const lines = output.split('\n').filter((line) => line.includes('  events '))
  const isWell = (line: string) => line.endsWith(' ok') && line.includes('(0 waiting)')
  expectThat(lines.length > 0, `conserve said nothing: ${shorten(output, 600)}`)
  expectThat(
    code === 0 && lines.every(isWell),
    `conserve (exit ${code}): ${lines.filter((it) => !isWell(it)).join('\n')}`,
  )
}
