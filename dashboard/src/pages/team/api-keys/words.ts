import type { ApiKey } from '../../../api/types.ts'

export type Scope = ApiKey['scope']

/** What a key may do, and for which program. */
export const scopeWords: Record<Scope, { label: string; hint: string }> = {
  everything: { label: 'Everything', hint: 'Two of these at once, so that you can change over.' },
  trigger: { label: 'Trigger only', hint: 'Triggers and cancels events. It reads and changes nothing.' },
  read: { label: 'Read only', hint: 'Sees everything but secrets, and changes nothing.' },
  inbox: { label: 'Inbox sessions', hint: 'Opens the inboxes of your people, and nothing else.' },
}
export const scopes: readonly Scope[] = ['everything', 'trigger', 'read', 'inbox']

/** Rules of what a key opens are the server's; this is what there is to see of them. */
export function stateOf({ revokedAt, expiresAt }: ApiKey, now = Date.now()): 'revoked' | 'expired' | 'active' {
  if (revokedAt) return 'revoked'
  return expiresAt && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}

export const expiries = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a day' },
] as const

/** When a key ends; a chosen day is in it wholly, in the zone of who chose it. Undefined: never. */
export function endOf(expiry: string, day: string, now = Date.now()): string | undefined {
  if (expiry === '') return undefined
  if (expiry !== 'day') return new Date(now + Number(expiry) * 86_400_000).toISOString()
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number)
  const end = new Date(year, month - 1, date + 1)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}
