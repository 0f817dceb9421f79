import { type Static, Type } from 'typebox'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { channels } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import { listSubscribersById, type SubscriberRow } from '../../store/subscribers.ts'
import type { Cta } from '../inbox/in-app-message.ts'
import { getWorkflows, type Workflow } from '../workflows/workflow.ts'

const text = Type.Optional(Type.String())

/** Spec 2.9: MessageCTA. */
export const ctaSchema = Type.Object(
  {
    type: Type.Optional(oneOf(['redirect'])),
    data: Type.Optional(Type.Object({ url: text })),
    action: Type.Optional(
      Type.Object({
        status: Type.Optional(oneOf(['pending', 'done'])),
        buttons: Type.Optional(
          Type.Array(
            Type.Object({ type: oneOf(['primary', 'secondary']), content: Type.String(), resultContent: text }),
          ),
        ),
        result: Type.Optional(
          Type.Object({ payload: Type.Optional(freeObject), type: Type.Optional(oneOf(['primary', 'secondary'])) }),
        ),
      }),
    ),
  },
  { title: 'MessageCTA' },
)

export function toCtaJson({ cta }: Pick<MessageRow, 'cta'>): Static<typeof ctaSchema> {
  // Written by us.
  const { action, data, ...rest } = cta as Cta
  const shown = { ...rest, ...(data?.url !== undefined && { data: { url: data.url } }) }
  if (!action) return shown
  return { ...shown, action: { ...action, buttons: action.buttons.map(({ type, content }) => ({ type, content })) } }
}

/** Spec 2.9, and `archived` for newer clients. */
export const feedItemSchema = Type.Object(
  {
    _id: Type.String(),
    _templateId: Type.String(),
    _environmentId: Type.String(),
    _messageTemplateId: text,
    _organizationId: Type.String(),
    _notificationId: Type.String(),
    _subscriberId: Type.String(),
    _feedId: Type.Optional(nullable(Type.String())),
    _jobId: Type.String(),
    createdAt: Type.Optional(nullable(Type.String())),
    updatedAt: Type.Optional(nullable(Type.String())),
    actor: Type.Optional(
      Type.Object({ data: nullable(Type.String()), type: oneOf(['none', 'user', 'system_icon', 'system_custom']) }),
    ),
    subscriber: Type.Optional(
      Type.Object({ _id: text, firstName: text, lastName: text, avatar: text, subscriberId: Type.String() }),
    ),
    transactionId: Type.String(),
    templateIdentifier: Type.Optional(nullable(Type.String())),
    providerId: Type.Optional(nullable(Type.String())),
    content: Type.String(),
    subject: Type.Optional(nullable(Type.String())),
    channel: oneOf(channels),
    read: Type.Boolean(),
    seen: Type.Boolean(),
    archived: Type.Boolean(),
    deviceTokens: Type.Optional(nullable(Type.Array(Type.String()))),
    cta: ctaSchema,
    status: oneOf(['sent', 'error', 'warning']),
    payload: Type.Optional(freeObject),
    data: Type.Optional(nullable(freeObject)),
    overrides: Type.Optional(freeObject),
    tags: Type.Optional(nullable(Type.Array(Type.String()))),
  },
  { title: 'FeedItem' },
)
export type FeedItemJson = Static<typeof feedItemSchema>

/** A page of a subscriber's feed, with one query each for workflows and actors. */
export async function toFeedItemJsons(
  db: Db,
  env: Env,
  rows: readonly MessageRow[],
  subscriber: SubscriberRow,
): Promise<FeedItemJson[]> {
  const workflows = await getWorkflows(db, env, rows)
  const actorIds = [...new Set(rows.flatMap((row) => actorIdOf(row) ?? []))]
  const known = actorIds.length > 0 ? await listSubscribersById(db, env, actorIds) : []
  const avatars = new Map(known.map((actor) => [actor.subscriber_id, actor.avatar]))
  return rows.map((row) =>
    toFeedItemJson(env, row, {
      subscriber,
      workflow: workflows.of(row),
      actor: toActorJson(row, avatars),
    }),
  )
}

type FeedParts = {
  subscriber: SubscriberRow
  workflow: Workflow | undefined
  actor: NonNullable<FeedItemJson['actor']>
}

function toFeedItemJson(env: Env, row: MessageRow, { subscriber, workflow, actor }: FeedParts): FeedItemJson {
  const step = workflow?.steps[row.step_index]
  return {
    _id: row.id,
    _templateId: row.workflow_id,
    _environmentId: env.environmentId,
    ...(step && { _messageTemplateId: step.id }),
    _organizationId: env.organizationId,
    _notificationId: row.notification_id,
    _subscriberId: row.subscriber_id,
    _feedId: null,
    _jobId: row.job_id,
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: row.updated_at.toISOString(),
    actor,
    subscriber: toFeedSubscriber(subscriber),
    transactionId: row.transaction_id,
    templateIdentifier: workflow?.identifier ?? null,
    providerId: row.provider_id,
    content: row.content,
    subject: row.subject,
    channel: row.channel as FeedItemJson['channel'],
    read: row.read,
    seen: row.seen,
    archived: row.archived_at !== null,
    cta: toCtaJson(row),
    status: row.status as FeedItemJson['status'],
    payload: isPlainObject(row.payload) ? row.payload : {},
    data: isPlainObject(row.data) ? row.data : null,
    overrides: isPlainObject(row.overrides) ? row.overrides : {},
    tags: workflow?.tags ?? [],
  }
}

/** The step's avatar first; else the actor's current one if the subscriber exists; else the one given in the event. */
function toActorJson(row: MessageRow, avatars: Map<string, string | null>): FeedParts['actor'] {
  if (row.avatar !== null) return { type: 'system_custom', data: row.avatar }
  const id = actorIdOf(row)
  if (id === null) return { type: 'none', data: null }
  const given = isPlainObject(row.actor) && typeof row.actor.avatar === 'string' ? row.actor.avatar : null
  return { type: 'user', data: avatars.has(id) ? (avatars.get(id) ?? null) : given }
}

function actorIdOf({ actor }: MessageRow): string | null {
  return isPlainObject(actor) && typeof actor.subscriberId === 'string' ? actor.subscriberId : null
}

function toFeedSubscriber(row: SubscriberRow): NonNullable<FeedItemJson['subscriber']> {
  return {
    _id: row.id,
    ...(row.first_name !== null && { firstName: row.first_name }),
    ...(row.last_name !== null && { lastName: row.last_name }),
    ...(row.avatar !== null && { avatar: row.avatar }),
    subscriberId: row.subscriber_id,
  }
}
