import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { describedAs, freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { channels } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import { listMessagesById, type MessageRow } from '../../store/history/messages.ts'
import { listSubscribersByInternalId } from '../../store/subscribers.ts'
import { listWorkflowsById, type WorkflowRow } from '../../store/workflows.ts'
import { deliveryTimes, snoozedUntil } from '../inbox/snooze.ts'
import { getWorkflows, type Workflow } from '../workflows/workflow.ts'
import { embeddedWorkflowSchema, toEmbeddedWorkflowJson } from './embedded-workflow-json.ts'
import { ctaSchema, toCtaJson } from './feed-json.ts'
import { type SubscriberJson, subscriberSchema, toSubscriberJsons } from './subscriber-json.ts'

const text = Type.Optional(Type.String())
const textOrNull = Type.Optional(nullable(Type.String()))

const emailBlock = Type.Object(
  {
    type: oneOf(['button', 'text']),
    content: Type.String(),
    url: text,
    styles: Type.Optional(Type.Object({ textAlign: Type.Optional(oneOf(['center', 'left', 'right'])) })),
  },
  { title: 'EmailBlock' },
)
const contentShown = Type.Unsafe<string>({
  anyOf: [{ type: 'string' }, { type: 'array', items: emailBlock }],
  description: 'Here always a string.',
})

/** Spec 2.10. */
export const messageSchema = Type.Object(
  {
    _id: Type.String(),
    _templateId: textOrNull,
    _messageTemplateId: textOrNull,
    _feedId: textOrNull,
    _environmentId: Type.String(),
    _organizationId: Type.String(),
    _notificationId: Type.String(),
    _subscriberId: Type.String(),
    subscriber: Type.Optional(subscriberSchema),
    template: Type.Optional(embeddedWorkflowSchema),
    templateIdentifier: text,
    createdAt: Type.String({ format: 'date-time' }),
    deliveredAt: Type.Optional(Type.Array(Type.String())),
    lastSeenDate: text,
    lastReadDate: text,
    snoozedUntil: text,
    content: Type.Optional(describedAs(Type.String(), contentShown)),
    transactionId: Type.String(),
    subject: text,
    email: text,
    phone: text,
    title: text,
    providerId: text,
    errorId: text,
    errorText: text,
    channel: oneOf(channels),
    read: Type.Boolean(),
    seen: Type.Boolean(),
    cta: ctaSchema,
    status: oneOf(['sent', 'error', 'warning']),
    payload: Type.Optional(freeObject),
    overrides: Type.Optional(freeObject),
    contextKeys: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'Message' },
)
export type MessageJson = Static<typeof messageSchema>

/** For a page whose messages are loaded portion by portion, after its handler has ended. */
export function messageLoader(ctx: Ctx, env: Env): (ids: string[]) => Promise<MessageJson[]> {
  return (ids) =>
    ctx.database.read(env, async (db) => toMessageJsons(ctx, db, env, await listMessagesById(db, env, ids)))
}

/** Many messages, with one query each for subscribers, versions and current workflow rows. */
export async function toMessageJsons(ctx: Ctx, db: Db, env: Env, rows: readonly MessageRow[]): Promise<MessageJson[]> {
  const now = ctx.clock()
  const people = await listSubscribersByInternalId(db, env, [...new Set(rows.map((row) => row.subscriber_id))])
  const subscribers = new Map((await toSubscriberJsons(ctx, db, env, people)).map((json) => [json._id, json]))
  const workflows = await getWorkflows(db, env, rows)
  const current = await listWorkflowsById(db, env, [...new Set(rows.map((row) => row.workflow_id))])
  const workflowRows = new Map(current.map((row) => [row.id, row]))
  return rows.map((row) =>
    toMessageJson(env, row, {
      subscriber: subscribers.get(row.subscriber_id),
      workflow: workflows.of(row),
      workflowRow: workflowRows.get(row.workflow_id),
      now,
    }),
  )
}

type MessageParts = {
  subscriber: SubscriberJson | undefined
  workflow: Workflow | undefined
  workflowRow: WorkflowRow | undefined
  now: Date
}

function toMessageJson(env: Env, row: MessageRow, parts: MessageParts): MessageJson {
  const { subscriber, workflow, workflowRow, now } = parts
  const until = snoozedUntil(row, now)
  return {
    _id: row.id,
    _templateId: row.workflow_id,
    _messageTemplateId: workflow?.steps[row.step_index]?.id ?? null,
    _feedId: null,
    _environmentId: env.environmentId,
    _organizationId: env.organizationId,
    _notificationId: row.notification_id,
    _subscriberId: row.subscriber_id,
    ...(subscriber && { subscriber }),
    ...(workflow && {
      template: toEmbeddedWorkflowJson(workflow, env, {
        active: workflowRow?.active ?? false,
        deletedAt: workflowRow?.deleted_at,
        deletedBy: workflowRow?.deleted_by,
      }),
      templateIdentifier: workflow.identifier,
    }),
    createdAt: uuid7Time(row.id).toISOString(),
    ...(row.delivered_at && { deliveredAt: [row.delivered_at.toISOString()] }),
    ...(row.status === 'sent' && !row.delivered_at && { deliveredAt: deliveryTimes(row, now) }),
    ...(row.seen_at && { lastSeenDate: row.seen_at.toISOString() }),
    ...(row.read_at && { lastReadDate: row.read_at.toISOString() }),
    ...(until && { snoozedUntil: until.toISOString() }),
    content: row.content,
    transactionId: row.transaction_id,
    ...(row.subject !== null && { subject: row.subject }),
    ...(row.channel === 'email' && row.address !== null && { email: row.address }),
    ...(row.channel === 'sms' && row.address !== null && { phone: row.address }),
    ...(row.channel === 'push' && row.subject !== null && { title: row.subject }),
    ...(row.provider_id !== null && { providerId: row.provider_id }),
    ...(row.error_id !== null && { errorId: row.error_id }),
    ...(row.error_text !== null && { errorText: row.error_text }),
    channel: row.channel as MessageJson['channel'],
    read: row.read,
    seen: row.seen,
    cta: toCtaJson(row),
    status: row.status as MessageJson['status'],
    payload: isPlainObject(row.payload) ? row.payload : {},
    overrides: isPlainObject(row.overrides) ? row.overrides : {},
    contextKeys: row.context_keys ?? [],
  }
}
