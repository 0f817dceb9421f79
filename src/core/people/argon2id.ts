import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** The price of one hash: memory in KiB, the number of passes over it, and the number of lanes. */
export type Argon2Cost = { memory: number; passes: number; parallelism: number }

/** The parts of a stored hash. */
export type Argon2Hash = Argon2Cost & { salt: Buffer; tag: Buffer }

// The PHC string format, with base64 that has no padding: $argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>
const phc = /^\$argon2id\$v=19\$m=(\d{1,5}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

// A stored hash names its own cost. Without a limit, a row that was edited by hand could ask for gigabytes and minutes.
const highest: Argon2Cost = { memory: 65_536, passes: 10, parallelism: 4 }

const saltLength = 16
const tagLength = 32

// Runs on the thread pool, so the event loop stays free.
const compute = promisify(argon2)

/** Hashes a text with a fresh salt, and returns the PHC string to store. */
export async function hashArgon2id(text: string, cost: Argon2Cost): Promise<string> {
  const salt = randomBytes(saltLength)
  const tag = await compute('argon2id', { message: text, nonce: salt, tagLength, ...cost })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}

/** Takes a PHC string apart. Returns null if it is malformed, or if checking it would cost more than the highest cost. */
export function parseArgon2id(stored: string): Argon2Hash | null {
  const [, m, t, p, salt = '', tag = ''] = phc.exec(stored) ?? []
  const cost = { memory: Number(m), passes: Number(t), parallelism: Number(p) }
  return isAffordable(cost) ? { ...cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') } : null
}

/** Returns whether the text has this hash. The comparison takes the same time wherever the two differ. */
export async function matchesArgon2id(text: string, { salt, tag, ...cost }: Argon2Hash): Promise<boolean> {
  const computed = await compute('argon2id', { message: text, nonce: salt, tagLength: tag.length, ...cost })
  return timingSafeEqual(computed, tag)
}

function isAffordable({ memory, passes, parallelism }: Argon2Cost): boolean {
  // Argon2 needs at least 8 KiB for each lane.
  const isValid = passes >= 1 && parallelism >= 1 && memory >= 8 * parallelism
  return isValid && memory <= highest.memory && passes <= highest.passes && parallelism <= highest.parallelism
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
