import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { uuid7 } from './uuid7.ts'

// td_<cell>_<id>_<secret><crc>: the cell is for routing, the id finds the row, the checksum refuses a typo or a guess
// without a look-up, and secret scanners recognise the prefix.
const shape = /^td_[a-z0-9]{1,16}_([0-9a-f]{32})_[A-Za-z0-9]{43}[0-9a-f]{8}$/

export type NewApiKey = { id: string; text: string }

export function newApiKey(cell: string, now: Date): NewApiKey {
  const id = uuid7(now)
  const stem = `td_${cell}_${id.replaceAll('-', '')}_${randomText(43)}`
  return { id, text: stem + checksum(stem) }
}

/** The id inside a well-formed key, or null. */
export function apiKeyId(text: string): string | null {
  const hex = shape.exec(text)?.[1]
  if (!hex || checksum(text.slice(0, -8)) !== text.slice(-8)) return null
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * 43 of 62 characters: 256 bits. Bytes from 248 (4 × 62) on are thrown away, so that all characters are equally likely.
 */
function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
  }
  return text
}
