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

const signals = ['SIGTERM', 'SIGINT'] as const

/**
 * Lets a signal end a start, too. Linux drops the signals that process 1 does not handle, and in a container the program is
 * process 1: it would go on to serve, and be killed at the end of its grace period.
 */
export function endOnSignalsAsProcess1(): void {
  if (process.pid === 1) for (const signal of signals) process.on(signal, exitAtOnce)
}

/** For a command that handles signals in its own way from now on. */
export function forgetProcess1(): void {
  for (const signal of signals) process.off(signal, exitAtOnce)
}

function exitAtOnce(_signal: string, number: number): void {
  process.exit(128 + number)
}

/** The first signal stops the process in order. Another one, a second or more later, ends it immediately. */
export function onSignals(stop: (signal: string) => void, endAtOnce: () => void): void {
  let firstAt: number | undefined
  forgetProcess1()
  for (const signal of signals) {
    process.on(signal, () => {
      const now = performance.now()
      if (firstAt === undefined) {
        firstAt = now
        stop(signal)
      } else if (now - firstAt > sameSignalMs) endAtOnce()
    })
  }
}
