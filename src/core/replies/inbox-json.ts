import { type Static, Type } from 'typebox'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { channels } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import type { FeedRow } from '../../store/history/feed.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import type { FeedNotification } from '../inbox/feed-state.ts'
import type { Cta } from '../inbox/in-app-message.ts'
import { deliveryTimes, snoozedUntil } from '../inbox/snooze.ts'
import { getWorkflows, severities, type Workflow } from '../workflows/workflow.ts'

const text = Type.Optional(Type.String())
const time = Type.Optional(nullable(Type.String()))
const redirectSchema = Type.Object({ url: Type.String(), target: text })
const actionSchema = Type.Object({
  label: Type.String(),
  isCompleted: Type.Boolean(),
  redirect: Type.Optional(redirectSchema),
})

/** A feed item of the /v2 operations of newer clients; the specification has only 2.9. */
export const inboxSchema = Type.Object(
  {
    id: Type.String(),
    transactionId: Type.String(),
    subject: text,
    body: Type.String(),
    to: Type.Object({ id: Type.String(), firstName: text, lastName: text, avatar: text, subscriberId: Type.String() }),
    isRead: Type.Boolean(),
    isSeen: Type.Boolean(),
    isArchived: Type.Boolean(),
    isSnoozed: Type.Boolean(),
    snoozedUntil: time,
    deliveredAt: Type.Array(Type.String()),
    createdAt: Type.String({ format: 'date-time' }),
    readAt: time,
    firstSeenAt: time,
    archivedAt: time,
    avatar: text,
    primaryAction: Type.Optional(actionSchema),
    secondaryAction: Type.Optional(actionSchema),
    channelType: oneOf(channels),
    tags: Type.Optional(Type.Array(Type.String())),
    data: Type.Optional(freeObject),
    redirect: Type.Optional(redirectSchema),
    workflow: Type.Optional(
      Type.Object({
        id: Type.String(),
        identifier: Type.String(),
        name: Type.String(),
        critical: Type.Boolean(),
        tags: Type.Array(Type.String()),
        severity: oneOf(severities),
      }),
    ),
    severity: oneOf(severities),
  },
  { title: 'InboxNotification' },
)
export type InboxJson = Static<typeof inboxSchema>

/** A notification after a change. */
export async function showNotification(db: Db, env: Env, found: FeedNotification, now: Date): Promise<InboxJson> {
  const workflows = await getWorkflows(db, env, [found.row])
  return toInboxJson(found.row, found.subscriber, workflows.of(found.row), now)
}

export async function toInboxJsons(
  db: Db,
  env: Env,
  subscriber: SubscriberRow,
  rows: readonly FeedRow[],
  now: Date,
): Promise<InboxJson[]> {
  const workflows = await getWorkflows(db, env, rows)
  return rows.map((row) => toInboxJson(row, subscriber, workflows.of(row), now))
}

export function toInboxJson(
  row: FeedRow,
  subscriber: SubscriberRow,
  workflow: Workflow | undefined,
  now: Date,
): InboxJson {
  const until = snoozedUntil(row, now)
  // Written by us, in the shape of 2.9.
  const cta = row.cta as Cta
  return {
    id: row.id,
    transactionId: row.transaction_id,
    ...(row.subject !== null && { subject: row.subject }),
    body: row.content,
    to: toRecipient(subscriber),
    isRead: row.read,
    isSeen: row.seen,
    isArchived: row.archived_at !== null,
    isSnoozed: until !== null,
    snoozedUntil: until?.toISOString() ?? null,
    deliveredAt: deliveryTimes(row, now),
    createdAt: uuid7Time(row.id).toISOString(),
    readAt: (row.read && row.read_at?.toISOString()) || null,
    firstSeenAt: row.first_seen_at?.toISOString() ?? null,
    archivedAt: row.archived_at?.toISOString() ?? null,
    ...(row.avatar !== null && { avatar: row.avatar }),
    ...toActions(cta),
    channelType: 'in_app',
    ...(isPlainObject(row.data) && { data: row.data }),
    ...(cta.data?.url !== undefined && { redirect: toRedirect(cta.data.url, cta.data.target) }),
    ...(workflow && { tags: workflow.tags, workflow: toWorkflowSummary(workflow) }),
    severity: workflow?.severity ?? 'none',
  }
}

function toActions({ action }: Cta): Pick<InboxJson, 'primaryAction' | 'secondaryAction'> {
  const shown = (action?.buttons ?? []).map(({ type, content, url, target }) => {
    const redirect = url === undefined ? {} : { redirect: toRedirect(url, target) }
    const isCompleted = action?.status === 'done' && action.result?.type === type
    return [`${type}Action`, { label: content, isCompleted, ...redirect }]
  })
  return Object.fromEntries(shown)
}

function toRedirect(url: string, target: string | undefined): NonNullable<InboxJson['redirect']> {
  return { url, ...(target !== undefined && { target }) }
}

function toRecipient(row: SubscriberRow): InboxJson['to'] {
  return {
    id: row.id,
    ...(row.first_name !== null && { firstName: row.first_name }),
    ...(row.last_name !== null && { lastName: row.last_name }),
    ...(row.avatar !== null && { avatar: row.avatar }),
    subscriberId: row.subscriber_id,
  }
}

function toWorkflowSummary(workflow: Workflow): NonNullable<InboxJson['workflow']> {
  const { id, identifier, name, critical, tags, severity } = workflow
  return { id, identifier, name, critical, tags, severity }
}
