import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { type Lane, lanes } from './lanes.ts'

/** What processes tell each other, outside every transaction. What is lost, watch-queues.ts finds. */
export type SignalLine = {
  send(payloads: readonly string[]): Promise<void>
  listen(on: { onSignal(payload: string): void; onBegin(): void; onFault(error: unknown): void }): void
  close(): Promise<void>
}

export type Signals = {
  /** Returns at once. */
  tell(queue: string, lane: Lane): void
  close(): Promise<void>
}

// Long enough that a busy process sends few, too short to be felt.
const gatherMs = 5

type Options = {
  line: SignalLine
  log: Logger
  /** Absent: nobody here takes tasks. */
  onSignal?: (queue: string, lane: Lane) => void
  /** What was told before may have been missed. */
  onBegin?: () => void
}

/** Tells other processes of new tasks: the first signal at once, and then at most one for each queue and lane in 5 ms. */
export function openSignals({ line, log, onSignal, onBegin }: Options): Signals {
  const own = randomBytes(6).toString('base64url')
  const waiting = new Set<string>()
  let sending: Promise<void> | undefined
  let closed = false

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const payloads = [...waiting].map((what) => `${own} ${what}`)
      waiting.clear()
      await line.send(payloads).catch((error: unknown) => log.debug({ err: error }, 'signals were not sent'))
      await new Promise((resolve) => setTimeout(resolve, gatherMs))
    }
    sending = undefined
  }

  if (onSignal) {
    line.listen({
      onSignal(payload) {
        const [sender, lane = '', queue = ''] = payload.split(' ')
        if (sender !== own && isLane(lane)) onSignal(queue, lane)
      },
      onBegin: () => onBegin?.(),
      onFault: (error) => log.debug({ err: error }, 'signals are not heard; queues are looked at every second'),
    })
  }

  return {
    tell(queue, lane) {
      if (closed) return
      waiting.add(`${lane} ${queue}`)
      sending ??= send()
    },
    async close() {
      closed = true
      await sending
      await line.close()
    },
  }
}

function isLane(text: string): text is Lane {
  return Object.hasOwn(lanes, text)
}
