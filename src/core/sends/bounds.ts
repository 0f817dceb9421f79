import type { Db, Env } from '../../store/database.ts'
import { findSendBounds } from '../../store/sends/send-bounds.ts'

/** What large sends of an environment are bounded by. docs/large-sends.md explains each. */
export type SendBounds = {
  /** Sends to at least so many people begin with a few of them. */
  canaryFrom: number | null
  canaryPercent: number
  canaryAtLeast: number
  goesOn: 'person' | 'time'
  goesOnAfterSeconds: number
  /** Sends to at least so many people are stopped when too much of them fails. */
  guardFrom: number | null
  failuresPercent: number
  complaintsPercent: number
  slowOnJumps: boolean
}

/** Nothing is stopped by itself: a fresh environment behaves as it did before there were bounds. */
export const usualBounds: SendBounds = {
  canaryFrom: null,
  canaryPercent: 1,
  canaryAtLeast: 100,
  goesOn: 'person',
  goesOnAfterSeconds: 900,
  guardFrom: null,
  failuresPercent: 10,
  complaintsPercent: 0.3,
  slowOnJumps: false,
}

export async function readSendBounds(db: Db, env: Env): Promise<SendBounds> {
  return { ...usualBounds, ...((await findSendBounds(db, env)) as Partial<SendBounds>) }
}
