import type { Callback } from '../inbound.ts'

const names = ['externalId', 'messageId', 'address', 'reason', 'name'] as const

type Found = { kind: Callback['kind']; permanent?: boolean } & Partial<Record<(typeof names)[number], unknown>>

/** A callback from the fields of a vendor's event: fields that are not text, or empty, are left out. */
export function toCallback({ kind, permanent, ...found }: Found): Callback {
  const callback: Callback = permanent === undefined ? { kind } : { kind, permanent }
  for (const name of names) {
    const value = found[name]
    if (typeof value === 'string' && value !== '') callback[name] = value.slice(0, 500)
  }
  return callback
}
