import type { EventType } from './event-types.ts'

const wantedIn = new WeakMap<object, readonly string[]>()

/** What endpoints of the environment want to hear, as of the beginning of its transaction. `*`: everything. */
export function noteWanted(trx: object, types: readonly string[]): void {
  if (types.length > 0) wantedIn.set(trx, types)
}

/** Whether anybody is told of this. Only in transactions of one environment (`Database.write`). */
export function isWanted(trx: object, type: EventType): boolean {
  const types = wantedIn.get(trx)
  return types !== undefined && (types.includes('*') || types.includes(type))
}
