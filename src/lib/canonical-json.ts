import { createPauses } from './chunks.ts'

const nothingToEscape = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((inner) => canonicalJson(inner) || 'null').join()}]`
  // A file of some MB as base64, for example: five times as fast as asking what to escape.
  if (typeof value === 'string' && value.length > 1000 && nothingToEscape.test(value)) return `"${value}"`
  if (!isPlainObject(value)) return JSON.stringify(value) ?? ''
  // A Date, for example: JSON.stringify calls its toJSON.
  if (typeof value.toJSON === 'function') return JSON.stringify(value) ?? ''
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const inner = canonicalJson(value[key])
    if (inner !== '') text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${inner}`
  }
  return `{${text}}`
}

/** The same text. Others have their turns meanwhile: a body of 25 MB takes a third of a second. */
export async function canonicalJsonInTurns(value: unknown): Promise<string> {
  return inTurns(value, createPauses(), 0)
}

async function inTurns(value: unknown, pause: () => Promise<void>, depth: number): Promise<string> {
  const isList = Array.isArray(value)
  // Below that level values are small: a payload has at most half a megabyte.
  if (depth > 2 || !(isList || isPlainObject(value))) return canonicalJson(value)
  const parts: string[] = []
  for (const key of isList ? value.keys() : Object.keys(value).sort()) {
    await pause()
    const inner = await inTurns(Object(value)[key], pause, depth + 1)
    if (isList) parts.push(inner || 'null')
    else if (inner !== '') parts.push(`${JSON.stringify(key)}:${inner}`)
  }
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether its texts and values alone take more room as JSON. To write megabytes only to measure them takes a tenth of a
 * second; this ends as soon as it knows.
 */
export function hasMoreText(value: unknown, room: { left: number }): boolean {
  room.left -= typeof value === 'string' ? value.length : 1
  if (room.left < 0) return true
  if (Array.isArray(value)) return value.some((inner) => hasMoreText(inner, room))
  if (!isPlainObject(value)) return false
  for (const key in value) {
    room.left -= key.length
    if (room.left < 0) return true
    const inner = value[key]
    // Most of them are no objects: a call for each would double the time.
    if (typeof inner !== 'object') room.left -= typeof inner === 'string' ? inner.length : 1
    else if (hasMoreText(inner, room)) return true
  }
  return room.left < 0
}

/** Whether it takes more bytes as JSON. */
export function isLargerThan(value: unknown, mostBytes: number): boolean {
  return hasMoreText(value, { left: mostBytes }) || Buffer.byteLength(JSON.stringify(value) ?? '') > mostBytes
}
