import type { Address } from '../../lib/outbound.ts'

/** `Name <a@b.c>`, with the name quoted where needed. */
export function formatAddress({ email, name }: Address): string {
  if (!name) return email
  const quoted = /^[\p{L}\p{N} _-]+$/u.test(name) ? name : `"${name.replace(/[\\"]/g, '\\$&')}"`
  return `${quoted} <${email}>`
}
