import type { Lane } from './lanes.ts'

/** Takes the tasks of one queue for the workers of this process. */
export type Taker = {
  queue: string
  /** There may be tasks of this lane, or of any. Answers whether somebody is free to take whatever it is. */
  wake(lane?: Lane): boolean
  inHand(): readonly { id: string; retryCount: number }[]
  isTaking(): boolean
  /** Takes no more. Ends when all that was taken is done. */
  stop(): Promise<void>
}
