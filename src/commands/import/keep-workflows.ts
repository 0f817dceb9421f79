import { address } from '../from-novu/address.ts'
import type { Carried } from '../from-novu/carry-workflow.ts'
import type { Item } from '../from-novu/lists.ts'
import { note, type Run } from './run.ts'

/**
 * What an import leaves to those who work here. A workflow that is here keeps its switch: whoever moves turns it off there.
 * One that could not be carried whole may have been completed here since, so it stays as it is.
 */
export async function keepWorkflows(run: Run, carried: readonly Carried[]): Promise<Carried[]> {
  const found = await Promise.all(carried.map(({ name }) => run.target.find(address`/v2/workflows/${name}`)))
  return carried.flatMap((it, at) => {
    const here = found[at] ?? null
    if (here && it.isWhole === false) return leave(run, it)
    return here ? withSwitchOf(here, it) : it
  })
}

function leave(run: Run, { name, left }: Carried): Carried[] {
  const why = 'is here already, and could not be carried whole: it stays as it is here'
  const reasons = left.filter(({ field }) => field !== 'active')
  run.state.kind('workflows').counts.there += 1
  note(run, 'workflows', { name, outcome: 'failed', left: [...reasons, { why }] })
  return []
}

function withSwitchOf({ active }: Item, { name, entry, left }: Carried): Carried {
  if (entry.active === active) return { name, entry, left }
  const why = active === true ? 'is off there and on here: it stays so' : 'is on there and off here: it stays so'
  return { name, entry: { ...entry, active }, left: [...left, { field: 'active', why }] }
}
