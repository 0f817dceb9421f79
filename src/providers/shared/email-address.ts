import type { Address } from '../../lib/outbound.ts'

/** `Name <a@b.c>`, the name quoted where it must be. */
export function formatAddress({ email, name }: Address): string {
  if (!name) return email
  const quoted = /^[\p{L}\p{N} _-]+$/u.test(name) ? name : `"${name.replace(/[\\"]/g, '\\$&')}"`
  return `${quoted} <${email}>`
}
