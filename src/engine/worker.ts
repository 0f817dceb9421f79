import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../context.ts'
import type { Loop } from './define-loop.ts'

export type Worker = { isTurning(): boolean; stop(): Promise<void> }

// For readiness: a loop this much overdue counts as stuck.
const stuckAfterMs = 10_000

export function startWorker(ctx: Ctx, loops: readonly Loop[]): Worker {
  const stopping = new AbortController()
  const lastTurns = new Map(loops.map((loop) => [loop.name, performance.now()]))
  const running = loops.map((loop) =>
    turn(ctx, loop, stopping.signal, () => {
      lastTurns.set(loop.name, performance.now())
      ctx.metrics.loopTurned.set({ loop: loop.name }, Date.now() / 1000)
    }),
  )
  return {
    isTurning: () =>
      loops.every((loop) => performance.now() - (lastTurns.get(loop.name) ?? 0) < longestPause(loop) + stuckAfterMs),
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

function longestPause({ everyMs, restMs = 0 }: Loop): number {
  return Math.max(everyMs, restMs)
}

// While the database is away a loop comes again this soon, so that its work goes on at once when it is back.
const awayPauseMs = 1_000

async function turn(ctx: Ctx, loop: Loop, stopping: AbortSignal, turned: () => void): Promise<void> {
  const alarm = loop.alarm?.(ctx)
  while (!stopping.aborted) {
    let pauseMs = loop.everyMs
    let isResting = false
    alarm?.begin()
    const over = ctx.loopWatch.begin(() => ({ loop: loop.name }))
    const done = await loop
      .run(ctx, (ms = longestPause(loop)) => {
        pauseMs = Math.min(Math.max(ms, 0), longestPause(loop))
        isResting = true
      })
      .finally(over)
      .then(
        (count) => {
          turned()
          return count
        },
        (error: unknown) => {
          // Nothing is lost: the rows are still there at the next turn.
          ctx.log.error({ loop: loop.name, err: error }, 'loop failed')
          ctx.metrics.loopFailures.inc({ loop: loop.name })
          pauseMs = loop.everyMs
          if (ctx.engine.isDatabaseFault(error)) pauseMs = Math.min(pauseMs, awayPauseMs)
          return 0
        },
      )
    if (done > 0 && !isResting) continue
    if (alarm) await alarm.pause(pauseMs, stopping)
    else await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
  }
}
