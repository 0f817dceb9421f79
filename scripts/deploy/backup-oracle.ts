import type { Entry } from '../../chaos/simulators/ledger.ts'
import type { Trigger } from './installation.ts'

export type Restored = {
  /** The transactionIds in the database. */
  events: ReadonlySet<string>
  /** How many messages of the inbox each event has. */
  inbox: ReadonlyMap<string, number>
}

/** What must hold of a database restored to a moment, before anybody repeats anything. Answers what does not. */
export function checkRestored(load: readonly Trigger[], moment: number, { events, inbox }: Restored): string[] {
  const faults: string[] = []
  for (const { id, begunAt, acknowledgedAt } of load) {
    if (acknowledgedAt < moment && !events.has(id)) faults.push(`${id} was acknowledged before the moment and is gone`)
    if (begunAt > moment && events.has(id)) faults.push(`${id} was sent after the moment and is there`)
  }
  for (const id of events) {
    const count = inbox.get(id) ?? 0
    if (count !== 1) faults.push(`${id} is in the inbox ${count} times`)
  }
  for (const id of inbox.keys()) if (!events.has(id)) faults.push(`${id} is in the inbox without an event`)
  return faults
}

export type Repeats = {
  /** Sent before the moment and recorded: not sent again. */
  once: number
  /** Sent between the moment and the disaster, and again after the restore. */
  again: Entry[][]
  /** Of these, those whose second try had the id of the first. */
  sameId: number
  /** Sent before the disaster, of an event that the restored database does not have. */
  orphans: number
  faults: string[]
}

/** What the provider saw of all that, against what docs/high-availability.md says of repetitions. */
export function checkRepeats(
  entries: readonly Entry[],
  {
    events,
    moment,
    restoredAt,
    recordMs,
  }: { events: ReadonlySet<string>; moment: number; restoredAt: number; recordMs: number },
): Repeats {
  const faults: string[] = []
  const again: Entry[][] = []
  let once = 0
  let orphans = 0
  const byEvent = Map.groupBy(entries, (entry) => entry.about)
  for (const [id, sent] of byEvent) {
    const before = sent.filter(({ at }) => at < restoredAt)
    const after = sent.filter(({ at }) => at >= restoredAt)
    if (before.length > 1) faults.push(`${id} was sent twice before the disaster`)
    if (after.length > 1) faults.push(`${id} was sent twice after the restore`)
    if (!events.has(id)) orphans++
    else if (before.length > 0 && after.length > 0) {
      again.push([...before, ...after])
      // Its answer was recorded before the moment, so the restored database knows that it was sent.
      if (before.every(({ at }) => at + recordMs < moment))
        faults.push(`${id} was sent and recorded before the moment, and again`)
    } else once++
  }
  for (const id of events) if (!byEvent.has(id)) faults.push(`${id} was never sent`)
  const sameId = again.filter((tries) => new Set(tries.map(({ id }) => id)).size === 1).length
  return { once, again, sameId, orphans, faults }
}
