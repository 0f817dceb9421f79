import { type Static, Type } from 'typebox'
import { isPlainObject } from '../lib/canonical-json.ts'
import { deterministicId } from '../lib/deterministic-id.ts'
import { freeObject, oneOf } from '../lib/schemas.ts'
import { uuid7Time } from '../lib/uuid7.ts'
import { jobProviderIds } from '../providers/provider-ids.ts'
import type { Env } from '../store/database.ts'
import type { Detail } from '../store/history.ts'
import type { JobRow, NotificationRow } from '../store/notifications.ts'
import type { SubscriberRow } from '../store/subscribers.ts'
import { stepFilterSchema } from './step-filter.ts'
import { type Step, severities, type Workflow } from './workflow.ts'
import { toTriggers, triggerSchema } from './workflow-json.ts'

const jobTypes = ['in_app', 'email', 'sms', 'chat', 'push', 'digest', 'trigger', 'delay', 'throttle', 'custom'] as const
const text = Type.Optional(Type.String())

const executionDetailSchema = Type.Object(
  {
    _id: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    status: oneOf(['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation']),
    detail: Type.String(),
    isRetry: Type.Boolean(),
    isTest: Type.Boolean(),
    providerId: Type.Optional(oneOf(jobProviderIds)),
    raw: Type.Optional(Type.String()),
    source: oneOf(['Credentials', 'Internal', 'Payload', 'Webhook']),
  },
  { title: 'ExecutionDetail' },
)

const jobSchema = Type.Object(
  {
    _id: Type.String(),
    type: oneOf(jobTypes),
    executionDetails: Type.Array(executionDetailSchema),
    step: Type.Object({
      _id: Type.String(),
      active: Type.Boolean(),
      filters: Type.Array(stepFilterSchema),
      _templateId: Type.String(),
      name: text,
      template: Type.Optional(freeObject),
    }),
    overrides: Type.Optional(freeObject),
    payload: Type.Optional(freeObject),
    providerId: oneOf(jobProviderIds),
    status: Type.String(),
    updatedAt: text,
    /** 4.15 only: what the step generated. */
    messages: Type.Optional(Type.Array(freeObject)),
  },
  { title: 'Job' },
)

/** Spec 2.12. */
export const activitySchema = Type.Object(
  {
    _id: Type.String(),
    _environmentId: Type.String(),
    _organizationId: Type.String(),
    _subscriberId: Type.String(),
    transactionId: Type.String(),
    _templateId: text,
    _digestedNotificationId: text,
    createdAt: text,
    updatedAt: text,
    channels: Type.Optional(Type.Array(oneOf(jobTypes))),
    subscriber: Type.Optional(
      Type.Object({
        subscriberId: Type.String(),
        _id: Type.String(),
        firstName: text,
        lastName: text,
        email: text,
        phone: text,
      }),
    ),
    template: Type.Optional(
      Type.Object({
        _id: text,
        name: Type.String(),
        origin: Type.Optional(oneOf(['platform-cloud', 'platform-cloud-v1', 'external'])),
        triggers: Type.Array(triggerSchema),
      }),
    ),
    jobs: Type.Array(jobSchema),
    payload: Type.Optional(freeObject),
    controls: Type.Optional(freeObject),
    to: Type.Optional(freeObject),
    tags: Type.Optional(Type.Array(Type.String())),
    topics: Type.Optional(Type.Array(Type.Object({ _topicId: Type.String(), topicKey: Type.String() }))),
    severity: Type.Optional(oneOf(severities)),
    critical: Type.Optional(Type.Boolean()),
    contextKeys: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'Activity' },
)
export type ActivityJson = Static<typeof activitySchema>
type JobJson = ActivityJson['jobs'][number]

export type ActivityParts = {
  workflow: Workflow | undefined
  subscriber: SubscriberRow | undefined
  /** In step order. */
  jobs: readonly { job: JobRow; messages?: readonly Record<string, unknown>[] }[]
  topics: readonly { id: string; key: string }[]
}

export function toActivityJson(env: Env, row: NotificationRow, parts: ActivityParts): ActivityJson {
  const { workflow, subscriber, jobs, topics } = parts
  const createdAt = uuid7Time(row.id).toISOString()
  const payload = isPlainObject(row.payload) ? row.payload : {}
  const updatedAt =
    jobs
      .map(({ job }) => job.updated_at.toISOString())
      .sort()
      .at(-1) ?? createdAt
  return {
    _id: row.id,
    _environmentId: env.environmentId,
    _organizationId: env.organizationId,
    _subscriberId: row.subscriber_id,
    transactionId: row.transaction_id,
    _templateId: row.workflow_id,
    createdAt,
    updatedAt,
    ...(workflow && { channels: [...new Set(workflow.steps.map((step) => step.type))] }),
    ...(subscriber && { subscriber: toSubscriberSummary(subscriber), to: { subscriberId: subscriber.subscriber_id } }),
    ...(workflow && { template: toTemplateJson(workflow) }),
    jobs: jobs.map(({ job, messages }) => toJobJson(job, workflow?.steps[job.step_index], row, payload, messages)),
    payload,
    controls: {},
    ...(workflow && { tags: workflow.tags, severity: workflow.severity, critical: workflow.critical }),
    ...(topics.length > 0 && { topics: topics.map(({ id, key }) => ({ _topicId: id, topicKey: key })) }),
    contextKeys: row.context_keys ?? [],
  }
}

function toTemplateJson(workflow: Workflow): NonNullable<ActivityJson['template']> {
  return { _id: workflow.id, name: workflow.name, origin: 'platform-cloud', triggers: toTriggers(workflow) }
}

function toSubscriberSummary(row: SubscriberRow): NonNullable<ActivityJson['subscriber']> {
  return {
    subscriberId: row.subscriber_id,
    _id: row.id,
    ...(row.first_name !== null && { firstName: row.first_name }),
    ...(row.last_name !== null && { lastName: row.last_name }),
    ...(row.email !== null && { email: row.email }),
    ...(row.phone !== null && { phone: row.phone }),
  }
}

function toJobJson(
  job: JobRow,
  step: Step | undefined,
  { overrides }: NotificationRow,
  payload: Record<string, unknown>,
  messages: readonly Record<string, unknown>[] | undefined,
): JobJson {
  return {
    _id: job.id,
    type: job.type as JobJson['type'],
    executionDetails: (job.details as Detail[]).map((detail, index) => toDetailJson(job.id, detail, index)),
    step: {
      _id: step?.id ?? job.id,
      active: step?.active ?? true,
      filters: step?.filters ?? [],
      _templateId: step?.id ?? job.id,
      ...(step && { name: step.name, template: { ...step.controlValues, type: step.type } }),
    },
    overrides: isPlainObject(overrides) ? overrides : {},
    payload,
    providerId: jobProviderIds.find((id) => id === job.provider_id) ?? 'platform',
    status: job.status,
    updatedAt: job.updated_at.toISOString(),
    ...(messages && { messages: [...messages] }),
  }
}

/** A line's id is made from its place: details are only ever added to. */
function toDetailJson(id: string, detail: Detail, index: number): JobJson['executionDetails'][number] {
  const providerId = jobProviderIds.find((known) => known === detail.providerId)
  return {
    _id: deterministicId(new Date(detail.at), 'detail', id, String(index)),
    createdAt: detail.at,
    status: detail.status,
    detail: detail.detail,
    isRetry: false,
    isTest: false,
    ...(providerId && { providerId }),
    ...(detail.raw !== undefined && { raw: detail.raw }),
    source: 'Internal',
  }
}
