import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Item } from '../from-novu/lists.ts'
import { textIn } from '../from-novu/names.ts'

/** What else a trigger had, as far as the activity tells it, in the shape of our event. */
export function eventOf(item: Item): Item {
  const jobs = Array.isArray(item.jobs) ? item.jobs.filter(isPlainObject) : []
  const all = [item, ...jobs]
  const overrides = all.map((it) => it.overrides).find((it) => isPlainObject(it) && Object.keys(it).length > 0)
  const tenant = all.map((it) => tenantIn(it.tenant)).find((it) => it !== '')
  const context = contextIn(item.contextKeys)
  return { ...(overrides !== undefined && { overrides }), ...(tenant !== undefined && { tenant }), ...context }
}

function tenantIn(given: unknown): string {
  return isPlainObject(given) ? textIn(given.identifier) : textIn(given)
}

/** `type:id`, and an id may hold a colon. */
function contextIn(keys: unknown): Item {
  const pairs = (Array.isArray(keys) ? keys : []).flatMap((key: unknown): [string, string][] => {
    const [, type = '', id = ''] = /^([^:]+):(.+)$/s.exec(textIn(key)) ?? []
    return type === '' ? [] : [[type, id]]
  })
  return pairs.length > 0 ? { context: Object.fromEntries(pairs) } : {}
}

/** `isMerged`: into the wait of another trigger. `ms`: null if the activity does not tell how long. */
export type WaitThere = { type: 'delay' | 'digest'; isSkipped: boolean; isMerged: boolean; ms: number | null }

export function readWait(job: Item): WaitThere[] {
  const { type } = job
  if (type !== 'delay' && type !== 'digest') return []
  const isSkipped = ['skipped', 'canceled', 'failed'].includes(textIn(job.status))
  return [{ type, isSkipped, isMerged: job.status === 'merged', ms: lengthOf(job) }]
}

const unitMs: Record<string, number> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
}

function lengthOf({ digest, step }: Item): number | null {
  const within = isPlainObject(step) ? [step.metadata, step.controlVariables] : []
  for (const it of [digest, ...within]) {
    if (!isPlainObject(it) || (it.type !== undefined && it.type !== 'regular')) continue
    const unit = unitMs[textIn(it.unit)]
    if (typeof it.amount === 'number' && unit !== undefined) return it.amount * unit
  }
  return null
}
