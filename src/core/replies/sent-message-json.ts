import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { freeObject, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { channels } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import { type AttemptRow, listAttempts } from '../../store/history/attempts.ts'
import { listMessagesById, type MessageRow } from '../../store/history/messages.ts'
import { listJobsById, type NotificationRow } from '../../store/history/notifications.ts'
import { attemptId } from '../delivery/attempt.ts'
import { emailContent } from '../delivery/build-message.ts'
import { makeTextParts } from '../delivery/text-parts.ts'
import { jobId } from '../pipeline/plan-steps.ts'
import { getWorkflows } from '../workflows/workflow.ts'
import { ctaSchema, toCtaJson } from './feed-json.ts'

const text = Type.Optional(Type.String())
const time = Type.String({ format: 'date-time' })
const deliveries = ['open', 'sent', 'rejected', 'unknown', 'dead', 'canceled'] as const
const attemptOutcomes = ['sent', 'retry', 'rejected', 'unknown'] as const
const feedbacks = ['delivered', 'bounced', 'complained'] as const

const attemptSchema = Type.Object(
  {
    number: Type.Integer(),
    providerId: Type.String(),
    integrationId: Type.String(),
    startedAt: time,
    endedAt: Type.Optional(time),
    /** Absent: still running. */
    outcome: Type.Optional(oneOf(attemptOutcomes)),
    integrationRefused: Type.Boolean({ description: 'Refused because of the integration, not of the message.' }),
    reason: Type.Optional(Type.String({ description: "The provider's words." })),
  },
  { title: 'Attempt' },
)

export const sentMessageSchema = Type.Object(
  {
    _id: Type.String(),
    jobId: Type.String(),
    stepId: Type.String(),
    channel: oneOf(channels),
    status: oneOf(['sent', 'error', 'warning']),
    delivery: Type.Optional(oneOf(deliveries)),
    subject: text,
    content: Type.String(),
    html: Type.Optional(Type.String({ description: 'E-mails, as they are sent.' })),
    text,
    to: text,
    from: Type.Optional(Type.Object({ email: Type.String(), name: text })),
    replyTo: text,
    cta: ctaSchema,
    avatar: text,
    data: Type.Optional(freeObject),
    providerId: text,
    integrationId: text,
    externalId: Type.Optional(Type.String({ description: "The provider's id of the message." })),
    feedback: Type.Optional(oneOf(feedbacks)),
    errorId: text,
    errorText: text,
    createdAt: time,
    updatedAt: time,
    nextTryAt: Type.Optional(time),
    expiresAt: Type.Optional(time),
    attempts: Type.Array(attemptSchema),
  },
  { title: 'SentMessage' },
)
export type SentMessageJson = Static<typeof sentMessageSchema>

/** The messages of one notification in step order: as the subscriber saw them, with every try. */
export async function listSentMessages(ctx: Ctx, db: Db, env: Env, row: NotificationRow): Promise<SentMessageJson[]> {
  const steps = (await getWorkflows(db, env, [row])).of(row)?.steps ?? []
  const jobs = await listJobsById(
    db,
    env,
    steps.map((step) => jobId(row.id, step.stepId)),
  )
  const messages = await listMessagesById(
    db,
    env,
    jobs.flatMap((job) => job.message_ids ?? []),
  )
  const ids = messages.flatMap(({ id, attempts }) => Array.from({ length: attempts }, (_, n) => attemptId(id, n + 1)))
  const attempts = Map.groupBy(await listAttempts(db, env, ids), (attempt) => attempt.message_id)
  const sent = messages
    .toSorted((a, b) => a.step_index - b.step_index || (a.id < b.id ? -1 : 1))
    .map((message) => ({ row: message, stepId: steps[message.step_index]?.stepId ?? '' }))
  const texts = await makeTextParts(ctx, sent)
  return sent.map(({ row, stepId }) => toSentMessageJson(row, stepId, texts.get(row.id), attempts.get(row.id) ?? []))
}

function toSentMessageJson(
  row: MessageRow,
  stepId: string,
  text: string | undefined,
  attempts: readonly AttemptRow[],
): SentMessageJson {
  const waits = row.delivery === 'open' && row.retry_at !== null && !row.in_flight
  return {
    _id: row.id,
    jobId: row.job_id,
    stepId,
    // Written by us, with values of these lists.
    channel: row.channel as SentMessageJson['channel'],
    status: row.status as SentMessageJson['status'],
    ...(row.delivery !== null && { delivery: row.delivery as (typeof deliveries)[number] }),
    ...(row.subject !== null && { subject: row.subject }),
    content: row.content,
    ...(row.channel === 'email' && toEmailJson(row, stepId)),
    ...(text !== undefined && { text }),
    ...(row.address !== null && { to: row.address }),
    cta: toCtaJson(row),
    ...(row.avatar !== null && { avatar: row.avatar }),
    ...(isPlainObject(row.data) && { data: row.data }),
    ...(row.provider_id !== null && { providerId: row.provider_id }),
    ...(row.integration_id !== null && { integrationId: row.integration_id }),
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...(row.feedback !== null && { feedback: row.feedback as (typeof feedbacks)[number] }),
    ...(row.error_id !== null && { errorId: row.error_id }),
    ...(row.error_text !== null && { errorText: row.error_text }),
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(waits && row.retry_at && { nextTryAt: row.retry_at.toISOString() }),
    ...(row.expires_at && { expiresAt: row.expires_at.toISOString() }),
    attempts: attempts.map(toAttemptJson),
  }
}

/** Only the step's own sender: the integration's may differ at the next try. */
function toEmailJson(row: MessageRow, stepId: string) {
  const { replyTo, subject, html } = emailContent(row, stepId)
  const { from } = (row.envelope ?? {}) as { from?: { email: string; name?: string } }
  return { subject, html, ...(replyTo !== undefined && { replyTo }), ...(from && { from }) }
}

function toAttemptJson(row: AttemptRow): SentMessageJson['attempts'][number] {
  return {
    number: row.number,
    providerId: row.provider_id,
    integrationId: row.integration_id,
    startedAt: row.started_at.toISOString(),
    ...(row.ended_at && { endedAt: row.ended_at.toISOString() }),
    ...(row.outcome !== null && { outcome: row.outcome as (typeof attemptOutcomes)[number] }),
    integrationRefused: row.integration_refused,
    ...(row.reason !== null && { reason: row.reason }),
  }
}
