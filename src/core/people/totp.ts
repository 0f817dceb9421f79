import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 6238 as every app knows it: SHA-1, six digits, half a minute. */
const stepMs = 30_000
const digits = 6

/** Clocks differ, and typing takes its time: the code of the step before and of the one after are good, too. */
const tolerance = [-1, 0, 1]

export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / stepMs)
}

export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step whose code this is; null: of none that is good now. */
export function findTotpStep(secret: Buffer, code: string, now: Date): number | null {
  const given = Buffer.from(code)
  if (given.length !== digits) return null
  const steps = tolerance.map((distance) => totpStep(now) + distance)
  return steps.find((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), given)) ?? null
}

/** What an app reads from a QR code. */
export function totpUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = new URLSearchParams({ secret: base32(secret), issuer, algorithm: 'SHA1', digits: '6', period: '30' })
  return `otpauth://totp/${label}?${query}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding: apps take it so, and people can type it. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
