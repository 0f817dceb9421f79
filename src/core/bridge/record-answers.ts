import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { setBridgeFailing } from '../../store/bridge/bridges.ts'
import { type CallEnding, recordCalls } from '../../store/bridge/calls.ts'
import { writePatiently } from '../../store/connect/write-patiently.ts'
import type { Env } from '../../store/database.ts'
import { enqueueResumptions } from '../pipeline/enqueue.ts'

// Answers that come within this time are recorded in one transaction.
const gatherMs = 10
const mostTogether = 100

/** `heard`: whether the bridge answered; a text: why not. Null: that says nothing about it. */
export type Ended = { ending: CallEnding; heard: true | string | null }

export type Recorder = {
  record(ended: Ended): void
  /** Waits until everything is recorded. */
  end(): Promise<void>
}

// Of one statement. Large answers in one would hold up everybody on the node while it is put together.
const mostChars = 2 * 1024 * 1024

/** How many of them are recorded together: at least one. */
function fitting(waiting: readonly Ended[]): number {
  let left = mostChars
  const end = waiting.findIndex(({ ending: { answer } }) => {
    left -= answer && 'outputs' in answer ? JSON.stringify(answer).length : 0
    return left < 0
  })
  return Math.min(end < 0 ? waiting.length : Math.max(1, end), mostTogether)
}

/** Records what the bridge of an environment said. With an answer its notification goes on, in the same transaction. */
export function createRecorder(ctx: Ctx, env: Env): Recorder {
  const waiting: Ended[] = []
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < mostTogether) await sleep(gatherMs)
      const some = waiting.splice(0, fitting(waiting))
      try {
        await writePatiently(() => recordAnswers(ctx, env, some))
      } catch (error) {
        // They are asked again: nothing has come of what they said.
        ctx.log.error({ err: error, environmentId: env.environmentId }, 'answers of a bridge could not be recorded')
      }
    }
    writing = null
  }

  return {
    record(ended) {
      waiting.push(ended)
      writing ??= write()
    },
    async end() {
      while (writing) await writing
    },
  }
}

export async function recordAnswers(ctx: Ctx, env: Env, some: readonly Ended[]): Promise<void> {
  const endings = some.map(({ ending }) => ending)
  await ctx.database.write(env, async (db) => {
    const goOn = await recordCalls(db, env, endings)
    await enqueueResumptions(ctx, db, env, goOn)
    const heard = some.map((it) => it.heard)
    const reason = heard.findLast((it) => typeof it === 'string')
    if (heard.includes(true)) await setBridgeFailing(db, env, null)
    else if (reason !== undefined) await setBridgeFailing(db, env, { since: ctx.clock(), reason })
  })
}
