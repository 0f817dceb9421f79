import type { Output } from '../host.ts'
import { endOnSignalsAsProcess1, forgetProcess1 } from '../stop-on-signal.ts'

// A terminal's Ctrl-C reaches npm too, which passes it on: twice the same one.
const sameSignalMs = 1_000

/** The first Ctrl-C ends what runs in order; one more, a second later, ends it at once. */
export function stopOnSignals(print: Output): { stop: AbortSignal; end(): void } {
  const controller = new AbortController()
  let firstAt: number | undefined
  const onSignal = () => {
    const now = performance.now()
    if (firstAt === undefined) {
      firstAt = now
      print('Stopping after the requests under way have finished …')
      controller.abort()
    } else if (now - firstAt > sameSignalMs) process.exit(1)
  }
  const names = ['SIGINT', 'SIGTERM'] as const
  forgetProcess1()
  for (const name of names) process.on(name, onSignal)
  return {
    stop: controller.signal,
    end() {
      for (const name of names) process.off(name, onSignal)
      endOnSignalsAsProcess1()
    },
  }
}
