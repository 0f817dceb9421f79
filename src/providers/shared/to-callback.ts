import type { Callback } from '../provider.ts'

type Found = { kind: Callback['kind']; permanent?: boolean } & Record<
  'externalId' | 'messageId' | 'address' | 'reason',
  unknown
>

/** A callback of what was found in a vendor's event: whatever is not a text with something in it is left out. */
export function toCallback({ kind, permanent, ...found }: Found): Callback {
  const texts = Object.entries(found).filter(([, value]) => typeof value === 'string' && value !== '')
  return {
    kind,
    ...(permanent !== undefined && { permanent }),
    ...Object.fromEntries(texts.map(([name, value]) => [name, String(value).slice(0, 500)])),
  }
}
