import type { Ctx } from '../../context.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { afterCommit, type Db } from '../../store/database.ts'

/** Measures the stages of processing, after commit. docs/metrics.md lists the stages. */

/** `eventIds`: the events whose first page this was. */
export function observeExpansion(ctx: Ctx, db: Db, eventIds: readonly string[], startedAt: Date): void {
  afterCommit(db, () => {
    for (const id of eventIds) observe(ctx, 'accepted_to_expand', startedAt.getTime() - uuid7Time(id).getTime())
    observe(ctx, 'expand_to_written', ctx.clock().getTime() - startedAt.getTime())
  })
}

/** A message's id holds the time it became due: the event's time, or the end of the wait before it. */
export function observeSent(ctx: Ctx, db: Db, messageIds: readonly string[]): void {
  if (messageIds.length === 0) return
  afterCommit(db, () => {
    const nowMs = ctx.clock().getTime()
    for (const id of messageIds) observe(ctx, 'due_to_sent', nowMs - uuid7Time(id).getTime())
  })
}

/** `writtenAt`: of messages tried for the first time. */
export function observeFirstTries(ctx: Ctx, db: Db, writtenAt: readonly Date[]): void {
  if (writtenAt.length === 0) return
  afterCommit(db, () => {
    const nowMs = ctx.clock().getTime()
    for (const at of writtenAt) observe(ctx, 'written_to_tried', nowMs - at.getTime())
  })
}

function observe({ metrics }: Ctx, stage: string, ms: number): void {
  metrics.stageSeconds.observe({ stage }, Math.max(0, ms) / 1000)
}
