import type { CallbackSetup, Callbacks } from '../../api/types.ts'

type AddressOf = { setup: CallbackSetup; url: string | null; origin: string; integrationId: string; key: string }

/** What the vendor is given. `url` is the server's word if it knows its public address; `key` is what was just typed. */
export function callbackAddress({ setup, url, origin, integrationId, key }: AddressOf): string {
  const base = url?.split('?')[0] ?? `${origin}/v1/webhooks/${integrationId}`
  return setup.keyInUrl ? `${base}?key=${key ? encodeURIComponent(key) : '…'}` : base
}

/** A key that nobody guesses, in letters that need no escape in an address. */
export function newCallbackKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

type Told = Callbacks['last'][number]

/** What one event of a call says, for whoever sets the integration up. */
export function toldWords({ kind, name, messageId }: Told): string {
  if (kind === 'confirmed') return 'it asked whether somebody listens here, and was answered'
  const word = kind === 'other' ? (name ?? 'another event') : kind
  return messageId === null ? `${word}, of a message that is not known here` : word
}

export const mostTold = 5
