import { createHash } from 'node:crypto'

/**
 * For vendors that take no text but a UUID, some only of version 4: one that is always the same for the same text. By
 * its shape (RFC 9562, section 5.4) nobody can tell it from a random one.
 */
export function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
