// As Standard Webhooks and Svix: enough for clocks that differ, and an intercepted call is soon useless.
const toleranceMs = 5 * 60_000

/** Whether a signed timestamp (seconds since 1970) is close to now. */
export function isRecent(seconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() - Number(seconds) * 1000) <= toleranceMs
}
