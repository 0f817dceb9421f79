import { isPlainObject } from '../../lib/canonical-json.ts'
import { normalAddress } from '../../store/suppressions.ts'
import { readAddress } from './email-addresses.ts'

/**
 * What a trigger passes to a vendor, in the vendor's own words, may name recipients. The suppression list holds for them
 * as well, wherever they stand.
 */

// Nobody names more people in one message.
const mostAddresses = 1_000
const deepest = 8
// Not recipients.
const senders = /^(from|sender|reply|return|bounce)/i
const phoneNumber = /^\+?[0-9 ()./-]{5,24}$/

/** Every e-mail address and phone number in it. */
export function addressesIn(value: unknown): string[] {
  const found: string[] = []
  const look = (it: unknown, depth: number) => {
    if (found.length >= mostAddresses || depth > deepest) return
    if (typeof it === 'string') found.push(...listIn(it))
    else if (Array.isArray(it)) for (const one of it) look(one, depth + 1)
    else if (isPlainObject(it)) {
      for (const [name, one] of Object.entries(it)) if (!senders.test(name)) look(one, depth + 1)
    }
  }
  look(value, 0)
  return found
}

/** The same without these addresses: an entry of a list that names one is left out, elsewhere the field is. */
export function withoutAddresses<V extends Record<string, unknown>>(values: V, leftOut: ReadonlySet<string>): V {
  return leftOut.size === 0 ? values : (cleaned(values, leftOut, 0) as V)
}

function cleaned(value: unknown, leftOut: ReadonlySet<string>, depth: number): unknown {
  if (depth > deepest) return value
  if (typeof value === 'string') return cleanedList(value, leftOut)
  if (Array.isArray(value)) {
    return value.filter((one) => !names(one, leftOut)).map((one) => cleaned(one, leftOut, depth + 1))
  }
  if (!isPlainObject(value)) return value
  const kept = Object.entries(value).flatMap(([name, one]) => {
    if (senders.test(name)) return [[name, one]]
    return names(one, leftOut) ? [] : [[name, cleaned(one, leftOut, depth + 1)]]
  })
  return Object.fromEntries(kept)
}

/** An address of these, several with nobody else, or an object such as `{ email, name }` with one. */
function names(value: unknown, leftOut: ReadonlySet<string>): boolean {
  const isOne = (it: unknown) => {
    const addresses = typeof it === 'string' ? listIn(it) : []
    return addresses.length > 0 && addresses.every((address) => leftOut.has(normalAddress(address)))
  }
  if (isOne(value)) return true
  return isPlainObject(value) && Object.entries(value).some(([name, one]) => !senders.test(name) && isOne(one))
}

// As long as a header may be; what is longer is a text.
const longestList = 20_000

/** `a@b.c`, `Name <a@b.c>`, a phone number, or several with commas between them; nothing of any other text. */
function listIn(text: string): string[] {
  if (text.length > longestList) return []
  if (phoneNumber.test(text)) return [text]
  if (!text.includes('@')) return []
  const addresses = text.split(/[,;]/).map((part) => readAddress(part.trim())?.email)
  return addresses.every((address) => address !== undefined) ? addresses : []
}

function cleanedList(text: string, leftOut: ReadonlySet<string>): string {
  if (!listIn(text).some((address) => leftOut.has(normalAddress(address)))) return text
  const parts = text.split(/[,;]/).map((part) => part.trim())
  return parts.filter((part) => !leftOut.has(normalAddress(readAddress(part)?.email ?? part))).join(', ')
}
