import type { Db, Env } from '../database.ts'
import type { EventType } from './event-types.ts'
import { type Known, tellKnown } from './pages.ts'
import { isWanted } from './wanted.ts'

/*
 * Of rows that were just written everything is known: nothing is read again. A page of a hundred people is two hundred
 * events.
 */

type NewMessage = {
  id: string
  notification_id: string
  transaction_id: string
  subscriber_id: string
  workflow_id: string
  channel: string
  provider_id: string | null
  status: string
  error_id: string | null
}
type NewNotification = { id: string; transaction_id: string; subscriber_id: string; workflow_id: string }
type NewJob = { notification_id: string; step_index: number; type: string; status: string }

// As finished_statuses() says.
const finished = ['completed', 'failed', 'skipped', 'canceled', 'merged']

/** Of new notifications with all their steps: those that have nothing left to do, if anybody is told of it. */
export function endedAtOnce(db: Db, jobs: readonly NewJob[]): Set<string> {
  if (!isWanted(db, 'notification.completed')) return new Set()
  const ended = new Set(jobs.map((job) => job.notification_id))
  for (const { notification_id, status } of jobs) if (!finished.includes(status)) ended.delete(notification_id)
  return ended
}

/** As the caller of the API knows them, by their ids. */
export type Names = { subscribers: ReadonlyMap<string, string>; workflows: ReadonlyMap<string, string> }
export const noNames = (): Names => ({ subscribers: new Map(), workflows: new Map() })

/** `completed`: those that have `completed_at` since this transaction; their steps are among `jobs`. */
export async function tellOfNew(
  db: Db,
  env: Env,
  rows: {
    messages: readonly { row: NewMessage; type: EventType }[]
    completed: readonly NewNotification[]
    jobs: readonly NewJob[]
    names: () => Names
  },
  now: Date,
): Promise<void> {
  const messages = rows.messages.filter(({ type }) => isWanted(db, type))
  const completed = isWanted(db, 'notification.completed') ? rows.completed : []
  if (messages.length + completed.length === 0) return
  const names = rows.names()
  await tellKnown(
    db,
    env,
    [...messages.map((it) => ofMessage(it, names)), ...ofCompleted(completed, rows.jobs, names)],
    now,
  )
}

function ofMessage({ row, type }: { row: NewMessage; type: EventType }, names: Names): Known {
  const data = {
    messageId: row.id,
    notificationId: row.notification_id,
    transactionId: row.transaction_id,
    subscriberId: names.subscribers.get(row.subscriber_id) ?? null,
    workflowId: names.workflows.get(row.workflow_id) ?? null,
    channel: row.channel,
    providerId: row.provider_id,
    status: row.status,
    errorId: row.error_id,
    seen: false,
    read: false,
    archived: false,
    snoozedUntil: null,
  }
  return { type, subscriberId: row.subscriber_id, data }
}

function ofCompleted(notifications: readonly NewNotification[], jobs: readonly NewJob[], names: Names): Known[] {
  if (notifications.length === 0) return []
  const steps = Map.groupBy(jobs, (job) => job.notification_id)
  return notifications.map((row) => {
    const own = (steps.get(row.id) ?? []).toSorted((a, b) => a.step_index - b.step_index)
    const data = {
      notificationId: row.id,
      transactionId: row.transaction_id,
      subscriberId: names.subscribers.get(row.subscriber_id) ?? null,
      workflowId: names.workflows.get(row.workflow_id) ?? null,
      steps: own.map(({ type, status }) => ({ type, status })),
    }
    return { type: 'notification.completed', subscriberId: row.subscriber_id, data }
  })
}
