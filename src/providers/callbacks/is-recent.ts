// As Standard Webhooks and Svix: enough for clocks that differ, and an intercepted call is soon useless.
const toleranceMs = 5 * 60_000

/** Whether a signed timestamp (seconds since 1970) is close to now; of a vendor that repeats old calls, not too old. */
export function isRecent(seconds: string, now: Date, mostAgeMs = toleranceMs): boolean {
  const ageMs = now.getTime() - Number(seconds) * 1000
  return /^\d{1,12}$/.test(seconds) && ageMs <= mostAgeMs && ageMs >= -toleranceMs
}
