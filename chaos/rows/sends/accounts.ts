import { expectEqual, expectThat } from '../../lib/red.ts'
import { checkConservation } from '../../oracles/delivery.ts'
import { readAttempts, readMessages } from '../../oracles/sending.ts'
import { type Stage, show } from './stage.ts'

/** What became of the people of a send that is over, as rows, as the provider saw it, and as its page says. */
export type Accounts = { sent: number; failed: number; unknown: number; canceled: number; unanswered: number }

/**
 * Everybody has one notification or was left out, every message one end; the provider got nothing that is no try of ours,
 * and nobody anything twice.
 */
export async function checkAccounts(stage: Stage, id: string, people: number): Promise<Accounts> {
  const { world, sender, ledger } = stage
  const shown = await show(stage, id)
  const [messages, attempts] = [await readMessages(world, sender), await readAttempts(world, sender)]
  const asked = new Map<string, number>()
  const effects = new Map<string, number>()
  for (const entry of ledger.read('mails')) {
    asked.set(entry.id, (asked.get(entry.id) ?? 0) + 1)
    if (entry.effect) effects.set(entry.id, (effects.get(entry.id) ?? 0) + 1)
  }
  const ends: Record<string, number> = {}
  const triesOf = Map.groupBy(attempts, (it) => it.messageId)
  let unanswered = 0
  for (const { id: message, delivery, attempts: counted } of messages) {
    const end = delivery ?? 'none'
    ends[end] = (ends[end] ?? 0) + 1
    const tries = triesOf.get(message) ?? []
    expectEqual(tries.length, counted, `tries of message ${message}`)
    const requests = asked.get(message) ?? 0
    const doubtful = tries.filter((it) => it.outcome === 'unknown').length
    expectThat(
      requests <= tries.length && requests >= tries.length - doubtful,
      `message ${message}: ${tries.length} tries (${doubtful} without an answer), ${requests} requests`,
    )
    unanswered += doubtful
    const got = effects.get(message) ?? 0
    if (end === 'sent') expectEqual(got, 1, `times that ${message}, which is sent, arrived`)
    else if (end !== 'unknown') expectEqual(got, 0, `times that ${message}, which is ${end}, arrived`)
  }
  const known = new Set(messages.map((it) => it.id))
  for (const key of asked.keys()) expectThat(known.has(key), `the provider was asked for ${key}, which is no message`)
  const { waiting, ...over } = shown.messages
  expectEqual(waiting, 0, 'messages that wait')
  expectEqual(
    { sent: over.sent, failed: over.failed, dead: over.dead, unknown: over.unknown, canceled: over.canceled },
    {
      sent: ends.sent ?? 0,
      failed: ends.rejected ?? 0,
      dead: ends.dead ?? 0,
      unknown: ends.unknown ?? 0,
      canceled: ends.canceled ?? 0,
    },
    'what the page counts, and the rows',
  )
  expectEqual(shown.people.written + shown.people.leftOut, people, 'people written and left out')
  expectEqual(messages.length, shown.people.written, 'messages, one for each person written')
  await checkConservation(world)
  const { sent, failed, unknown, canceled } = over
  return { sent, failed, unknown, canceled, unanswered }
}
