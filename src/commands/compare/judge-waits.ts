import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Item } from '../from-novu/lists.ts'
import { textIn } from '../from-novu/names.ts'
import type { WaitThere } from './event-of.ts'

type WaitHere = { type: 'delay' | 'digest'; stepId: string; isSkipped: boolean; ms: number | null }

/** `now`: when it was asked; our service says until when a delay would last. */
export function readWaits(given: unknown, now: Date): WaitHere[] {
  return stepsIn(given).flatMap(({ stepId, type, outcome, until }) => {
    if (type !== 'delay' && type !== 'digest') return []
    const ms = textIn(until) === '' || outcome !== 'delay' ? null : new Date(textIn(until)).getTime() - now.getTime()
    return [{ type, stepId: textIn(stepId), isSkipped: outcome === 'skip', ms }]
  })
}

export function hasType(given: unknown, type: string): boolean {
  return stepsIn(given).some((it) => it.type === type)
}

function stepsIn(given: unknown): Item[] {
  return Array.isArray(given) ? given.filter(isPlainObject) : []
}

/** The nth of each sort on both sides. */
export function compareWaits(there: readonly WaitThere[], here: readonly WaitHere[]): string[] {
  return (['delay', 'digest'] as const).flatMap((type) => {
    const [theirs, ours] = [there.filter((it) => it.type === type), here.filter((it) => it.type === type)]
    const places = Array.from({ length: Math.max(theirs.length, ours.length) }, (_, at) => at)
    return places.flatMap((at) => compareOne(type, theirs[at], ours[at]) ?? [])
  })
}

function compareOne(type: string, there: WaitThere | undefined, here: WaitHere | undefined): string | null {
  if (there?.isMerged) return null
  if (!here) return there && !there.isSkipped ? `${type}: waited there; there is no such step here` : null
  const name = `${here.stepId} (${type})`
  // A step there that was not reached has no entry.
  if (!there) return here.isSkipped ? null : `${name}: nothing of it there; would wait here`
  if (there.isSkipped !== here.isSkipped)
    return `${name}: ${there.isSkipped ? 'skipped there; would wait here' : 'waited there; skipped here'}`
  if (there.ms === null || here.ms === null || isNear(there.ms, here.ms)) return null
  return `${name}: ${spoken(there.ms)} there, ${spoken(here.ms)} here`
}

/** The clocks of two services, and the time of a call. */
function isNear(there: number, here: number): boolean {
  return Math.abs(there - here) <= Math.max(10_000, there * 0.01)
}

function spoken(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
