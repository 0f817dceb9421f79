import type { Config } from '../config.ts'
import type { Ctx } from '../context.ts'
import { type CheckedPage, checkConservation, type Loss } from '../core/operations/check-conservation.ts'
import { countConservation } from '../store/history/conservation.ts'
import { readConservation } from '../store/history/conservation-rows.ts'
import { prepare, type Say } from './prepare.ts'

// Of one environment; whoever lost more needs the number, not the list.
const mostNamed = 100

/** `conserve`: nothing lost and nothing doubled, counted per environment. Exits 1 where it does not add up. */
export async function conserveCommand(config: Config, say: Say): Promise<void> {
  const { ctx, close } = await prepare(config, () => {})
  try {
    const losses = Map.groupBy(await findLosses(ctx), (loss) => loss.environmentId)
    for (const it of await countConservation(ctx.database.db)) {
      const lost = losses.get(it.environmentId) ?? []
      const ok = it.steps === it.jobs && lost.length === 0
      say(
        `${it.environmentId}  events ${it.events} (${it.waiting} waiting)  notifications ${it.notifications}  steps ${it.steps}  jobs ${it.jobs}  messages ${it.messages}  quarantined ${it.quarantined}  ${ok ? 'ok' : 'DOES NOT ADD UP'}`,
      )
      for (const loss of lost.slice(0, mostNamed)) say(`  ${toLine(loss)}`)
      if (lost.length > mostNamed) say(`  and ${lost.length - mostNamed} more`)
      if (!ok) process.exitCode = 1
    }
  } finally {
    await close()
  }
}

/** All of history, page by page. */
export async function findLosses(ctx: Ctx): Promise<Loss[]> {
  const { messages_from } = await readConservation(ctx.database.db)
  const losses: Loss[] = []
  let page: CheckedPage = { next: null, losses: [] }
  do {
    page = await checkConservation(ctx, page.next, messages_from)
    losses.push(...page.losses)
  } while (page.next)
  return losses
}

function toLine({ table, of, missing }: Loss): string {
  return missing > 0 ? `${table}: ${missing} missing of ${of}` : `${table}: ${-missing} too many of ${of}`
}
