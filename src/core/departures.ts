import type { Ctx } from '../context.ts'
import { laneOfPriority } from '../engine/define-task.ts'
import { chunks } from '../lib/chunks.ts'
import type { Db, Env } from '../store/database.ts'
import type { NewMessage } from '../store/history/history.ts'

// Messages that one task sends, some at a time: enough that the tasks of an integration that may be in hand are busy until
// those that were sent away as too many come again.
const messagesPerTask = 200
// As many as one page is written with.
const notificationsPerTask = 100

type Due = Pick<NewMessage, 'id' | 'integration_id' | 'priority'>

/** In the transaction that writes the messages: what is to be sent has its task exactly when it exists. */
export async function enqueueDepartures(
  ctx: Ctx,
  db: Db,
  { environmentId }: Pick<Env, 'environmentId'>,
  due: readonly Due[],
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
export async function enqueueResumes(
  ctx: Ctx,
  db: Db,
  { environmentId }: Pick<Env, 'environmentId'>,
  notificationIds: readonly string[],
): Promise<void> {
  const pages = chunks([...new Set(notificationIds)], notificationsPerTask)
  const tasks = pages.map((ids) => ({ environmentId, notificationIds: ids }))
  await ctx.engine.enqueue(db, 'advance-notifications', 'transactional', tasks)
}
