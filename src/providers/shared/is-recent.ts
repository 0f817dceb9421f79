// What Standard Webhooks and Svix allow: clocks differ a little, and a call that was overheard is worthless soon.
const toleranceMs = 5 * 60_000

/** Whether a signed timestamp, in seconds since 1970, is of about now. */
export function isRecent(seconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() - Number(seconds) * 1000) <= toleranceMs
}
