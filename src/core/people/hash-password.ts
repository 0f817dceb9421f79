import { availableParallelism } from 'node:os'
import { ApiError } from '../../errors.ts'
import { type Argon2Hash, hashArgon2id, matchesArgon2id, parseArgon2id } from './argon2id.ts'

/** The cost that OWASP asks for at least: 19 MiB and two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }

/** Matches no password. It is checked, at the usual cost, for a user without a password, so that the refusal takes as long. */
const decoy: Argon2Hash = { ...cost, salt: Buffer.alloc(16), tag: Buffer.alloc(32) }

/** The longest password (`password-rules.ts`), at two UTF-16 units per character. Anything after that is ignored. */
const mostUnits = 402

// One hash takes about 50 ms of a processor. Half of the processors stay free for other work, even during an attack.
const atOnce = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)))
// About two seconds of work. Later callers are asked to try again.
const mostWaiting = 20

/** A caller that is known by a browser, a session or a link goes ahead of strangers. */
type Turn = 'known' | 'stranger'

export type Passwords = {
  hash(password: string): Promise<string>
  /**
   * Returns what `find` found if the password is right, and null otherwise. `find` runs when a slot is free. The check takes
   * the same time if nothing is found, or if the found user has no password.
   */
  isRight<T extends { passwordHash: string | null }>(
    given: { password: string; turn: Turn },
    find: () => Promise<T | null>,
  ): Promise<T | null>
}

/**
 * Limits how many hashes a node computes at the same time. Strangers and known callers wait in two lines; when a line is
 * full, the next caller gets `too_many_requests`.
 */
export function createPasswords(limit = { atOnce, mostWaiting }): Passwords {
  let running = 0
  const waiting: Record<Turn, (() => void)[]> = { known: [], stranger: [] }

  const withSlot = async <T>(turn: Turn, work: () => Promise<T>): Promise<T> => {
    const line = waiting[turn]
    if (running < limit.atOnce) running += 1
    else if (line.length < limit.mostWaiting) await new Promise<void>((begin) => line.push(begin))
    else throw new ApiError('too_many_requests', { retryAfterSeconds: 2 })
    try {
      return await work()
    } finally {
      // The next caller takes over this slot, so `running` stays the same.
      const next = waiting.known.shift() ?? waiting.stranger.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    hash: (password) => withSlot('known', () => hashArgon2id(normalize(password), cost)),
    isRight: ({ password, turn }, find) =>
      withSlot(turn, async () => {
        const found = await find()
        // A damaged hash refuses every password, as a missing one does. The user can still reset the password by e-mail.
        const stored = found?.passwordHash ? parseArgon2id(found.passwordHash) : null
        const isRight = await matchesArgon2id(normalize(password), stored ?? decoy)
        return isRight && stored ? found : null
      }),
  }
}

/** Shortens the password, and brings letters that can be typed as different characters into one form. */
function normalize(password: string): string {
  return password.slice(0, mostUnits).normalize('NFKC')
}
