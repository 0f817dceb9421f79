import type { Address } from '../../lib/outbound.ts'

/** `Name <a@b.c>`, with the name quoted where needed. */
export function formatAddress({ email, name }: Address): string {
  if (!name) return email
  const quoted = /^[\p{L}\p{N} _-]+$/u.test(name) ? name : `"${name.replace(/[\\"]/g, '\\$&')}"`
  return `${quoted} <${email}>`
}

/** Addresses as many vendors take them. Undefined instead of an empty list, which some refuse. */
export function recipients(addresses: readonly string[]): { email: string }[] | undefined {
  return addresses.length === 0 ? undefined : addresses.map((email) => ({ email }))
}
