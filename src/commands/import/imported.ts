import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Item } from '../from-novu/lists.ts'
import type { Outcome } from './counts.ts'
import type { Noted } from './run.ts'

const outcomes: readonly Outcome[] = ['created', 'updated', 'unchanged', 'failed']

/** One for each entry, in their order; a server that answers something else has not done what it was asked. */
export function resultsIn(reply: Item, field: string, count: number): unknown[] {
  const list = reply[field]
  if (Array.isArray(list) && list.length === count) return list
  const found = Array.isArray(list) ? list.length : 'no'
  throw new Error(
    `Tidings answers ${found} ${field} to ${count} of them: is it the address of Tidings, and up to date?`,
  )
}

/** One result of our bulk routes. */
export function toNoted(result: unknown, name: string): Noted {
  const { action, changes, left } = isPlainObject(result) ? result : {}
  const reasons = Array.isArray(left) ? left.filter(isPlainObject) : []
  const outcome = outcomes.find((it) => it === action)
  if (!outcome) throw new Error(`Tidings does not say what became of ${name}: check that it is the address of Tidings.`)
  return {
    name,
    outcome,
    changes: Array.isArray(changes) ? changes.map(String) : [],
    left: reasons.map(({ field, why }) => ({ field: String(field ?? ''), why: String(why ?? '') })),
  }
}
