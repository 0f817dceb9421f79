import { cutText } from '../../lib/one-line.ts'
import type { Address } from '../../lib/outbound.ts'

// Looser than RFC 5321, as vendors are, but without anything that could end a header: spaces, controls, brackets.
const plausible = /^[^\s\p{Cc}\p{Zl}\p{Zp}<>()[\]\\,;:"]+@[^\s\p{Cc}\p{Zl}\p{Zp}<>()[\]\\,;:"@]+$/u

export function isPlausibleEmail(text: string): boolean {
  return text.length <= 320 && plausible.test(text)
}

// The list of an event is read once, not for each of its people.
const known = new WeakMap<readonly unknown[], string[]>()

/** `a@b.c`, `Name <a@b.c>`, or a list of them; anything else is left out. */
export function readAddresses(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [value].flatMap((item) => readAddress(item)?.email ?? [])
  const read = known.get(value) ?? value.flatMap((item) => readAddress(item)?.email ?? [])
  known.set(value, read)
  return read
}

export function readAddress(value: unknown): Address | null {
  if (typeof value !== 'string') return null
  const [, name = '', inner] = /^([^<>]*)<([^<>]+)>\s*$/.exec(value) ?? []
  const email = (inner ?? value).trim()
  if (!isPlausibleEmail(email)) return null
  const shown = safeName(name)
  return shown ? { email, name: shown } : { email }
}

/** A display name, safe in one header line. */
export function safeName(text: string): string {
  return cutText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}<>"]+/gu, ' ').trim(), 200)
}
