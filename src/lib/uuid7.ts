import { randomBytes } from 'node:crypto'

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

let lastMs = 0
let sequence = 0

/**
 * A UUIDv7 of the given time. Ids of one process and one millisecond ascend (a 12-bit sequence in rand_a), so rows made
 * by one request keep the order of the request.
 */
export function uuid7(now: Date): string {
  const ms = now.getTime()
  sequence = ms === lastMs ? (sequence + 1) & 0xfff : randomBytes(1).readUInt8()
  lastMs = ms
  const bytes = randomBytes(16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function isUuid7(text: string): boolean {
  return shape.test(text)
}

/** When the row was made: the id says so. */
export function uuid7Time(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
