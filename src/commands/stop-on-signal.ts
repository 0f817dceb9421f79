import type { Logger } from 'pino'

// A terminal's Ctrl-C and systemd signal a whole group, and npm, which is one of it, passes it on: twice the same one.
const sameSignalMs = 1_000

export function stopOnSignal(log: Logger, stop: () => Promise<void>): void {
  const begin = (signal: string) => {
    log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  onSignals(begin, () => process.exit(1))
}

/** Who is asked to end does so in order, by `stop`; who is asked once more after that ends at once. */
export function onSignals(stop: (signal: string) => void, endAtOnce: () => void): void {
  let firstAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const now = performance.now()
      if (firstAt === undefined) {
        firstAt = now
        stop(signal)
      } else if (now - firstAt > sameSignalMs) endAtOnce()
    })
  }
}
