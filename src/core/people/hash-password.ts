import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../../errors.ts'

/** Argon2id of at least what OWASP asks for: 19 MB and two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of a text that nobody knows, at the same cost: who has no password is refused in the same time. */
const nobodys = '$argon2id$v=19$m=19456,t=2,p=1$9Ee/T2CdDETdNdQAIoSwsg$Nv+Db48mBZfI5WK85QbhP4HmTRao76F1mvl+tJqVkj4'

/** No password is longer (`password-rules.ts`), at two units each: the rest of a longer text changes nothing. */
const mostUnits = 402

// One takes some 50 ms of a processor: half of them stay free for everything else, however many guess.
const atOnce = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)))
// A second or two; who comes later is told to come again.
const mostWaiting = 20

/** Strangers wait for everybody who is known by something already: a place, a session, a link. */
type Turn = 'known' | 'stranger'

export type Passwords = {
  hash(password: string): Promise<string>
  /** Takes the same time for null. `find`: whose password it is to be, looked up when it is this one's turn. */
  isRight<T extends { passwordHash: string | null }>(
    given: { password: string; turn: Turn },
    find: () => Promise<T | null>,
  ): Promise<T | null>
}

/** Few hashes are made at once on a node. Past a bound, of strangers and of others apart, `too_many_requests`. */
export function createPasswords(limit = { atOnce, mostWaiting }): Passwords {
  let running = 0
  const waiting: Record<Turn, (() => void)[]> = { known: [], stranger: [] }

  const inTurn = async <T>(turn: Turn, work: () => Promise<T>): Promise<T> => {
    const line = waiting[turn]
    if (running < limit.atOnce) running += 1
    else if (line.length < limit.mostWaiting) await new Promise<void>((begin) => line.push(begin))
    else throw new ApiError('too_many_requests', { retryAfterSeconds: 2 })
    try {
      return await work()
    } finally {
      // The next in line takes this place, so `running` stays as it is.
      const next = waiting.known.shift() ?? waiting.stranger.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    hash: (password) => inTurn('known', () => hash(plain(password), cost)),
    isRight: ({ password, turn }, find) =>
      inTurn(turn, async () => {
        const found = await find()
        const isRight = await verify(found?.passwordHash ?? nobodys, plain(password))
        return isRight && found?.passwordHash ? found : null
      }),
  }
}

/** The same letters may be typed as different characters. */
function plain(password: string): string {
  return password.slice(0, mostUnits).normalize('NFKC')
}
