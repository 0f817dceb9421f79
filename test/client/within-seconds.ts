/** A hook that times out does not say what it waited for. */
export async function withinSeconds(seconds: number, work: Promise<unknown>, what: string): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${what}: not closed after ${seconds} s`)), seconds * 1000)
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
