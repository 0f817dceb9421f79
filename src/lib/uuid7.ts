import { randomBytes } from 'node:crypto'

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

// Seeded low, so that a process makes eight million ids before the sequence begins again.
let sequence = randomBytes(3).readUIntBE(0, 3) >> 1

/**
 * A UUIDv7 of the given time. Ids of one process and one millisecond ascend (a 24-bit sequence in rand_a and the first
 * bits of rand_b), so rows made by one request keep the order of the request, however many they are and whatever other
 * requests make in between.
 */
export function uuid7(now: Date): string {
  sequence = (sequence + 1) & 0xffffff
  const bytes = takeRandom()
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes.writeUInt16BE(0x7000 | (sequence >> 12), 6)
  bytes.writeUInt16BE(0x8000 | ((sequence & 0xfff) << 2) | (bytes.readUInt8(9) & 3), 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

// Asked for one id at a time, the system's randomness costs more than all the rest of an id.
let store = Buffer.alloc(0)

function takeRandom(): Buffer {
  if (store.length < 16) store = randomBytes(4096)
  const bytes = store.subarray(0, 16)
  store = store.subarray(16)
  return bytes
}

export function isUuid7(text: string): boolean {
  return shape.test(text)
}

/** When the row was made: the id says so. */
export function uuid7Time(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
