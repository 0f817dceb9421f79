import { isIP } from 'node:net'

const localPart = /^[^\s@"(),:;<>[\]\\\p{C}]{1,64}$/u
// \p{M}: the vowel signs of Devanagari, Thai and others are marks.
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/** A mail address one can send to: no display name, quotes, comments or line breaks (Unicode's included). */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || text.length > 320 || !localPart.test(local) || domain.length > 253) return false
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  const literal = /^\[(?:IPv6:)?(.+)\]$/.exec(domain)?.[1]
  if (literal) return isIP(literal) !== 0
  const labels = domain.split('.')
  return labels.length >= 2 && labels.every((label) => domainLabel.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

// A tag is rarely longer than 35. Checking one takes four times as long for twice the length.
const longestLocale = 100

/** A BCP 47 tag; `en_US` counts as `en-US`. */
export function isLocale(text: string): boolean {
  if (text.length > longestLocale) return false
  try {
    Intl.getCanonicalLocales(text.replaceAll('_', '-'))
    return true
  } catch {
    return false
  }
}

/** Spec 4.11: letters, digits, hyphen, underscore, colon, or a mail address. */
export function isTopicKey(text: string): boolean {
  return /^[a-zA-Z0-9_:-]+$/.test(text) || isEmail(text)
}

/** What we accept as a caller's own identifier: no control characters, and not only blanks. */
export function isIdentifier(text: string): boolean {
  return text.trim() !== '' && !/\p{Cc}/u.test(text)
}
