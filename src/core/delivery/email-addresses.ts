import type { Address } from '../../lib/outbound.ts'

// Looser than RFC 5321 where vendors are, and without anything that could end a header: no spaces, controls or brackets.
const plausible = /^[^\s\p{Cc}\p{Zl}\p{Zp}<>()[\]\\,;:"]+@[^\s\p{Cc}\p{Zl}\p{Zp}<>()[\]\\,;:"@]+$/u

export function isPlausibleEmail(text: string): boolean {
  return text.length <= 320 && plausible.test(text)
}

/** `a@b.c`, `Name <a@b.c>`, or many of them; what is none of these is left out. */
export function readAddresses(value: unknown): string[] {
  const given = Array.isArray(value) ? value : [value]
  return given.flatMap((item) => readAddress(item)?.email ?? [])
}

export function readAddress(value: unknown): Address | null {
  if (typeof value !== 'string') return null
  const [, name = '', inner] = /^([^<>]*)<([^<>]+)>\s*$/.exec(value) ?? []
  const email = (inner ?? value).trim()
  if (!isPlausibleEmail(email)) return null
  const shown = safeName(name)
  return shown ? { email, name: shown } : { email }
}

/** A display name on one line. */
export function safeName(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}<>"]+/gu, ' ')
    .trim()
    .slice(0, 200)
}
