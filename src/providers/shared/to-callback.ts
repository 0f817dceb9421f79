import type { Callback } from '../provider.ts'

type Found = { kind: Callback['kind']; permanent?: boolean } & Record<
  'externalId' | 'messageId' | 'address' | 'reason',
  unknown
>

/** A callback from the fields of a vendor's event: fields that are not text, or empty, are left out. */
export function toCallback({ kind, permanent, ...found }: Found): Callback {
  const texts = Object.entries(found).filter(([, value]) => typeof value === 'string' && value !== '')
  return {
    kind,
    ...(permanent !== undefined && { permanent }),
    ...Object.fromEntries(texts.map(([name, value]) => [name, String(value).slice(0, 500)])),
  }
}
