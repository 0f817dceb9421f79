import { hash } from 'node:crypto'
import { isUuid7 } from './uuid7.ts'

/**
 * The same UUIDv7 for the same time and parts, in every process: work done twice makes the same rows, and the second
 * insert finds the first. The time is a Date, or an id whose time is taken, so that the new row sorts beside it.
 */
export function deterministicId(time: Date | string, ...parts: string[]): string {
  const digest = hash('sha256', lengthPrefixed(parts), 'hex')
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(3), 16) & 3)
  return `${timeHex(time)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}

/**
 * The same, but among ids of one millisecond it sorts by the place that `uuid7` gave to `ordered`: what comes of the
 * events of one bulk call keeps their order. 66 bits are left for the parts: of ten million siblings two have one id
 * once in a million times.
 */
export function orderedId(time: Date | string, ordered: string, ...parts: string[]): string {
  const id = deterministicId(time, ...parts)
  return id.slice(0, 15) + ordered.slice(15, 17).toLowerCase() + id.slice(17)
}

/** ('a', 'bc') and ('ab', 'c') must not be the same text. */
function lengthPrefixed(parts: string[]): string {
  let text = ''
  for (const part of parts) text += `${part.length}:${part}`
  return text
}

function timeHex(time: Date | string): string {
  if (typeof time === 'string') {
    if (!isUuid7(time)) throw new RangeError('deterministicId needs the time of a UUIDv7')
    return time.slice(0, 13).toLowerCase()
  }
  const ms = time.getTime()
  if (!(ms >= 0 && ms < 2 ** 48)) throw new RangeError('deterministicId needs a time that 48 bits can hold')
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
