import { ApiError } from '../../errors.ts'

/** After failures: throws with the time to wait. */
export function refuseBlocked(until: Date | null, now: Date): void {
  if (!until) return
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  throw new ApiError('too_many_requests', { retryAfterSeconds })
}
