import type { Ctx } from '../context.ts'
import { type CheckedPage, checkConservation, type Loss } from '../core/operations/check-conservation.ts'
import { countConservation } from '../store/history/conservation.ts'
import { readConservation } from '../store/history/conservation-rows.ts'
import type { Host } from './host.ts'
import { withContext } from './prepare.ts'

// The losses listed per environment. Beyond that many, the number says more than a list.
const mostNamed = 100

/** Counts, per environment, what was promised and what is there. Returns 1 if the numbers differ. */
export async function conserveCommand(host: Host): Promise<number> {
  const { print } = host
  let exitCode = 0
  await withContext(host, async (ctx) => {
    const losses = Map.groupBy(await findLosses(ctx), (loss) => loss.environmentId)
    for (const it of await countConservation(ctx.database.db)) {
      const lost = losses.get(it.environmentId) ?? []
      const ok = it.steps === it.jobs && lost.length === 0
      print(
        `${it.environmentId}  events ${it.events} (${it.waiting} waiting)  notifications ${it.notifications}  steps ${it.steps}  jobs ${it.jobs}  messages ${it.messages}  quarantined ${it.quarantined}  ${ok ? 'ok' : 'DOES NOT ADD UP'}`,
      )
      for (const loss of lost.slice(0, mostNamed)) print(`  ${toLine(loss)}`)
      if (lost.length > mostNamed) print(`  and ${lost.length - mostNamed} more`)
      if (!ok) exitCode = 1
    }
  })
  return exitCode
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
