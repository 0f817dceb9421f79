import { randomBytes } from 'node:crypto'

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

// Starts in the lower half, so that a process makes at least eight million ids before the sequence wraps.
let sequence = randomBytes(3).readUIntBE(0, 3) >> 1

/**
 * A UUIDv7 of the given time. Ids of one process and one millisecond ascend (a 24-bit sequence in rand_a and the first
 * bits of rand_b), so rows made by one request keep their order. `place` (0 to 255) stands in front of that sequence,
 * where `orderedId` finds it.
 */
export function uuid7(now: Date, place?: number): string {
  sequence = (sequence + 1) & 0xffffff
  const bytes = takeRandom()
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes.writeUInt16BE(0x7000 | (place === undefined ? sequence >> 12 : (place & 0xff) << 4), 6)
  bytes.writeUInt16BE(0x8000 | ((sequence & 0xfff) << 2) | (bytes.readUInt8(9) & 3), 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

// Random bytes are taken in blocks: one system call per id would cost more than the rest of it.
let randomPool = Buffer.alloc(0)

function takeRandom(): Buffer {
  if (randomPool.length < 16) randomPool = randomBytes(4096)
  const bytes = randomPool.subarray(0, 16)
  randomPool = randomPool.subarray(16)
  return bytes
}

export function isUuid7(text: string): boolean {
  return shape.test(text)
}

/** When the row was made. */
export function uuid7Time(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
