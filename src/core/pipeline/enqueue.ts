import type { Ctx } from '../../context.ts'
import { type Lane, laneOfPriority } from '../../engine/lanes.ts'
import { chunks } from '../../lib/chunks.ts'
import type { Db, Env } from '../../store/database.ts'
import type { NewMessage } from '../../store/history/history.ts'
import type { Workflow } from '../workflows/workflow.ts'
import type { Recipient } from './recipients.ts'

/** The next piece of work, queued in the transaction that makes it due: the task exists exactly when its rows do. */

type Environment = Pick<Env, 'environmentId'>

// Messages that one task sends, some at a time: enough that the tasks of an integration that may be in hand are busy until
// those that were sent away as too many come again.
const messagesPerTask = 200
// As many as one page is written with.
const notificationsPerTask = 100

/** One person's notification does not wait behind a crowd's. */
export function laneOf(workflow: Pick<Workflow, 'critical'>, recipients: readonly Recipient[] | null): Lane {
  if (workflow.critical) return 'critical'
  const isCrowd = recipients === null || recipients.length > 100 || recipients.some((it) => 'topicKey' in it)
  return isCrowd ? 'bulk' : 'transactional'
}

/** Events whose recipients are to be notified, together in one task. */
export async function enqueueExpansion(
  ctx: Ctx,
  db: Db,
  { environmentId }: Environment,
  lane: Lane,
  eventIds: readonly string[],
): Promise<void> {
  await ctx.engine.enqueue(db, 'expand-events', lane, [{ environmentId, eventIds }])
}

/** Messages that are to be sent. */
export async function enqueueDeliveries(
  ctx: Ctx,
  db: Db,
  { environmentId }: Environment,
  due: readonly Pick<NewMessage, 'id' | 'integration_id' | 'priority'>[],
): Promise<void> {
  for (const [lane, ofLane] of Map.groupBy(due, ({ priority }) => laneOfPriority(priority))) {
    const tasks = [...Map.groupBy(ofLane, (message) => message.integration_id)].flatMap(([group, ofIntegration]) => {
      const ids = ofIntegration.map((message) => message.id)
      // An integration that hangs holds up its own messages, not its neighbours'.
      return chunks(ids, messagesPerTask).map((messageIds) => ({
        environmentId,
        ...(group && { group }),
        lane,
        messageIds,
      }))
    })
    await ctx.engine.enqueue(db, 'deliver-messages', lane, tasks)
  }
}

/** Notifications whose next steps may go on. */
export async function enqueueResumptions(
  ctx: Ctx,
  db: Db,
  { environmentId }: Environment,
  notificationIds: readonly string[],
  lane: Lane = 'transactional',
): Promise<void> {
  const pages = chunks([...new Set(notificationIds)], notificationsPerTask)
  const tasks = pages.map((ids) => ({ environmentId, notificationIds: ids }))
  await ctx.engine.enqueue(db, 'advance-notifications', lane, tasks)
}
