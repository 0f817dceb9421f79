import { type Faults, shorten } from '../lib/red.ts'
import type { VendorCall } from '../simulators/vendor-door.ts'

// Who was killed so soon after an answer may not have stored it.
const storedWithinMs = 1_500

/**
 * A refresh token is good once. It may be used again only when nobody heard what came of it: the answer never reached
 * the one who asked, or he was killed before he could store it. Answers how many were used again for that reason.
 */
export function judgeRenewals(refreshes: readonly VendorCall[], killedAt: readonly number[], faults: Faults): number {
  let again = 0
  for (const [token, uses] of Map.groupBy(refreshes, ({ json }) => String(json.refresh_token))) {
    for (const [n, use] of uses.slice(0, -1).entries()) {
      const next = uses[n + 1]?.at ?? 0
      const died = killedAt.some(
        (at) => at >= use.at && at <= Math.max(use.at, use.answeredAt) + storedWithinMs && at <= next,
      )
      if (!use.isAnswered || died) again++
      else
        faults.add(
          `RENEWED TWICE: ${token.slice(0, 12)}… was used ${uses.length} times; use ${n + 1} was answered ${shorten(use.answer, 80)}`,
        )
    }
  }
  return again
}
