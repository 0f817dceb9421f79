import type { Logger } from 'pino'

/** What a request, task or loop tells about itself, should the event loop stop while it runs. */
export type Running =
  | { route: string; environmentId?: string | undefined }
  | { task: string; environmentIds: string[] }
  | { loop: string }

/** Sees when the event loop of this process stood still, and says who was at work then. */
export type LoopWatch = {
  /** `what` is only called when something is to be told. Returns how to say that it is over. */
  begin(what: () => Running): () => void
  /** Starts to watch. Call it when the process serves, because loading the program blocks for a second or more. */
  start(): void
  close(): void
}

const lookEveryMs = 100
/** Far above what anything here may take (250 ms), so that a busy machine does not cry wolf. */
const blockedMs = 1_000
const mostTold = 10

export function createLoopWatch(log: Logger, blocked: { inc(): void }): LoopWatch {
  // In the order they began. Whoever blocks is often over before we look, so what has ended since then stays for once.
  const running = new Map<object, () => Running>()
  const ended = new Set<object>()
  let lastMs = performance.now()
  let lastCpu = process.cpuUsage()

  const look = () => {
    const lateMs = performance.now() - lastMs - lookEveryMs
    if (lateMs > blockedMs) {
      blocked.inc()
      const { user, system } = process.cpuUsage(lastCpu)
      log.error(
        {
          blockedMs: Math.round(lateMs),
          // Far less than blockedMs: the whole process was stopped, or got no core.
          cpuMs: Math.round((user + system) / 1000),
          // The one at fault began shortly before: the newest first.
          running: [...running.values()]
            .reverse()
            .slice(0, mostTold)
            .map((what) => what()),
        },
        'the event loop was blocked',
      )
    }
    for (const entry of ended) running.delete(entry)
    ended.clear()
    lastMs = performance.now()
    lastCpu = process.cpuUsage()
  }
  let timer: NodeJS.Timeout | undefined

  return {
    begin(what) {
      const entry = {}
      running.set(entry, what)
      return () => ended.add(entry)
    },
    start() {
      lastMs = performance.now()
      lastCpu = process.cpuUsage()
      timer ??= setInterval(look, lookEveryMs).unref()
    },
    close: () => clearInterval(timer),
  }
}
