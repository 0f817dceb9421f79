import { ApiError } from '../../errors.ts'
import { EncryptionKeyUnavailable } from '../../lib/seal.ts'
import type { Db } from '../../store/database.ts'
import { returnAttempt } from '../../store/people/sign-in-failures.ts'

/** After failures: throws with the time to wait. */
export function refuseBlocked(until: Date | null, now: Date): void {
  if (!until) return
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  throw new ApiError('too_many_requests', { retryAfterSeconds })
}

/** An attempt that was counted under `count` at that time. */
type CountedAttempt = { count: Buffer; takenAt: Date }

/** Checks an attempt. It is taken back if this process lacks the encryption key to check it. */
export async function checkAttempt<T>(db: Db, { count, takenAt }: CountedAttempt, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof EncryptionKeyUnavailable) await returnAttempt(db, count, takenAt)
    throw error
  }
}
