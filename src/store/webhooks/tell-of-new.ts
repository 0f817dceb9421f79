import { sql } from 'kysely'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../database.ts'
import type { EventType } from './event-types.ts'
import { names, tellPage } from './pages.ts'
import { isWanted } from './wanted.ts'

/*
 * Of rows that were just written, everything is known but two names: nothing of them is read again. A page of a hundred
 * people is two hundred events.
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

/** `head` and `tail`: what comes before and after the two names. */
type Told = { type: EventType; subscriberId: string; workflowId: string; head: object; tail: object }

/** `completed`: those that have `completed_at` since this transaction; their steps are among `jobs`. */
export async function tellOfNew(
  db: Db,
  env: Env,
  rows: {
    messages: readonly { row: NewMessage; type: EventType }[]
    completed: readonly NewNotification[]
    jobs: readonly NewJob[]
  },
  now: Date,
): Promise<void> {
  const told = [
    ...rows.messages.filter(({ type }) => isWanted(db, type)).map(ofMessage),
    ...ofCompleted(isWanted(db, 'notification.completed') ? rows.completed : [], rows.jobs),
  ]
  if (told.length === 0) return
  await tellPage(db, env, now, {
    given: sql`unnest(${told.map(() => uuid7(now))}::uuid[], ${told.map((it) => it.type)}::text[],
      ${told.map((it) => it.subscriberId)}::uuid[], ${told.map((it) => it.workflowId)}::uuid[],
      ${told.map((it) => inside(it.head))}::text[], ${told.map((it) => inside(it.tail))}::text[])
      as g (event_id, type, subscriber_id, workflow_id, head, tail)`,
    about: names(env, 'g'),
    subscriberId: sql`g.subscriber_id`,
    data: sql`'{' || g.head || ',"subscriberId":' || coalesce(to_json(s.subscriber_id)::text, 'null')
      || ',"workflowId":' || coalesce(to_json(w.identifier)::text, 'null') || ',' || g.tail || '}'`,
  })
}

function ofMessage({ row, type }: { row: NewMessage; type: EventType }): Told {
  return {
    type,
    subscriberId: row.subscriber_id,
    workflowId: row.workflow_id,
    head: { messageId: row.id, notificationId: row.notification_id, transactionId: row.transaction_id },
    tail: {
      channel: row.channel,
      providerId: row.provider_id,
      status: row.status,
      errorId: row.error_id,
      seen: false,
      read: false,
      archived: false,
      snoozedUntil: null,
    },
  }
}

function ofCompleted(notifications: readonly NewNotification[], jobs: readonly NewJob[]): Told[] {
  if (notifications.length === 0) return []
  const steps = Map.groupBy(jobs, (job) => job.notification_id)
  return notifications.map((row) => ({
    type: 'notification.completed',
    subscriberId: row.subscriber_id,
    workflowId: row.workflow_id,
    head: { notificationId: row.id, transactionId: row.transaction_id },
    tail: {
      steps: (steps.get(row.id) ?? [])
        .toSorted((a, b) => a.step_index - b.step_index)
        .map(({ type, status }) => ({ type, status })),
    },
  }))
}

/** Without its braces. */
function inside(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}
