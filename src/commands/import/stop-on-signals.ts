import type { Say } from '../prepare.ts'

// A terminal's Ctrl-C reaches npm too, which passes it on: twice the same one.
const sameSignalMs = 1_000

/** The first Ctrl-C ends what runs in order; one more, a second later, ends it at once. */
export function stopOnSignals(say: Say): { stop: AbortSignal; end(): void } {
  const controller = new AbortController()
  let firstAt: number | undefined
  const onSignal = () => {
    const now = performance.now()
    if (firstAt === undefined) {
      firstAt = now
      say('Ending: what is on its way is finished first …')
      controller.abort()
    } else if (now - firstAt > sameSignalMs) process.exit(1)
  }
  const names = ['SIGINT', 'SIGTERM'] as const
  for (const name of names) process.on(name, onSignal)
  return {
    stop: controller.signal,
    end() {
      for (const name of names) process.off(name, onSignal)
    },
  }
}
