import type { Ctx } from '../../context.ts'
import { type Lane, laneOfPriority } from '../../engine/lanes.ts'
import { chunks } from '../../lib/chunks.ts'
import type { Db, Env } from '../../store/database.ts'
import type { NewMessage } from '../../store/history/history.ts'
import type { Workflow } from '../workflows/workflow.ts'
import type { Recipient } from './recipients.ts'

/** Queues the next work in the transaction that makes it due: the task exists exactly when its rows do. */

type Environment = Pick<Env, 'environmentId'>

// Messages of one task, sent in portions. Large enough to keep an integration busy for the second after which its
// postponed tasks come back.
export const messagesPerTask = 200
// Steps that waited are resumed and written together, this many at most.
const notificationsPerTask = 100

/** Keeps a notification to one person from waiting behind large sends. */
export function laneOf(workflow: Pick<Workflow, 'critical'>, recipients: readonly Recipient[] | null): Lane {
  if (workflow.critical) return 'critical'
  const isCrowd = recipients === null || recipients.length > 100 || recipients.some((it) => 'topicKey' in it)
  return isCrowd ? 'bulk' : 'transactional'
}

/** One task for all these events. */
export async function enqueueExpansion(
  ctx: Ctx,
  db: Db,
  { environmentId }: Environment,
  lane: Lane,
  eventIds: readonly string[],
): Promise<void> {
  await ctx.engine.enqueue(db, 'expand-events', lane, [{ environmentId, eventIds }])
}

export async function enqueueDeliveries(
  ctx: Ctx,
  db: Db,
  { environmentId }: Environment,
  due: readonly Pick<NewMessage, 'id' | 'integration_id' | 'priority'>[],
  /** They have waited in line for a paced integration: it is their turn. */
  { released = false } = {},
): Promise<void> {
  for (const [lane, ofLane] of Map.groupBy(due, ({ priority }) => laneOfPriority(priority))) {
    const tasks = [...Map.groupBy(ofLane, (message) => message.integration_id)].flatMap(([group, ofIntegration]) => {
      const ids = ofIntegration.map((message) => message.id)
      // One integration per task, so that an integration that hangs holds up only its own messages.
      return chunks(ids, messagesPerTask).map((messageIds) => ({
        environmentId,
        ...(group && { group }),
        lane,
        ...(released && { released }),
        messageIds,
      }))
    })
    await ctx.engine.enqueue(db, 'deliver-messages', lane, tasks)
  }
}

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
