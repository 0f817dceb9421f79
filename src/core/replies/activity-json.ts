import { type Static, Type } from 'typebox'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { deterministicId } from '../../lib/deterministic-id.ts'
import { describedAs, freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { jobProviderIds } from '../../providers/provider-ids.ts'
import type { Env } from '../../store/database.ts'
import type { Detail } from '../../store/history/history.ts'
import type { JobRow, NotificationRow } from '../../store/history/notifications.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { asAnswered } from '../bridge/apply-answer.ts'
import { stepFilterSchema } from '../workflows/step-filter.ts'
import { durationUnits, type Step, severities, type Workflow } from '../workflows/workflow.ts'
import { toTriggers, triggerSchema } from './embedded-workflow-json.ts'
import { toJobDigest, toStepMetadata, variantId } from './step-metadata.ts'

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

const variantSchema = Type.Object({
  _id: Type.String(),
  active: Type.Boolean(),
  filters: Type.Array(stepFilterSchema),
  _templateId: Type.String(),
  name: text,
  metadata: Type.Optional(freeObject),
  template: Type.Optional(freeObject),
})

const weekDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const timedShown = Type.Object({
  atTime: text,
  weekDays: Type.Optional(Type.Array(oneOf(weekDays))),
  monthDays: Type.Optional(Type.Array(Type.Number())),
  ordinal: Type.Optional(oneOf(['1', '2', '3', '4', '5', 'last'])),
  ordinalValue: Type.Optional(oneOf(['day', 'weekday', 'weekend', ...weekDays])),
  monthlyType: Type.Optional(oneOf(['each', 'on'])),
  cronExpression: text,
  untilDate: text,
})

/** How a digest waits, and the payloads it gathered (only the first of many). */
const digestSchema = Type.Object(
  {
    type: oneOf(['regular', 'backoff', 'timed']),
    digestKey: text,
    amount: Type.Optional(Type.Number()),
    unit: Type.Optional(oneOf(durationUnits)),
    events: Type.Optional(Type.Array(freeObject)),
    backoff: Type.Optional(Type.Boolean()),
    backoffAmount: Type.Optional(Type.Number()),
    backoffUnit: Type.Optional(oneOf(durationUnits)),
    updateMode: Type.Optional(Type.Boolean({ description: 'Not sent.' })),
    timed: Type.Optional(describedAs(freeObject, timedShown)),
  },
  { title: 'JobDigest' },
)

const jobSchema = Type.Object(
  {
    _id: Type.String(),
    type: oneOf(jobTypes),
    digest: Type.Optional(digestSchema),
    executionDetails: Type.Array(executionDetailSchema),
    step: Type.Object({
      _id: Type.String(),
      active: Type.Boolean(),
      filters: Type.Array(stepFilterSchema),
      _templateId: Type.String(),
      name: text,
      metadata: Type.Optional(freeObject),
      replyCallback: Type.Optional(freeObject),
      template: Type.Optional(freeObject),
      variants: Type.Optional(Type.Array(variantSchema)),
      // Of the specification, and not sent.
      controlVariables: Type.Optional(freeObject),
      issues: Type.Optional(freeObject),
      _parentId: Type.Optional(nullable(Type.String())),
    }),
    overrides: Type.Optional(freeObject),
    payload: Type.Optional(freeObject),
    providerId: oneOf(jobProviderIds),
    status: Type.String(),
    updatedAt: text,
    scheduleExtensionsCount: Type.Optional(Type.Integer()),
    /** Only 4.15: the messages of the step. */
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
type ShownJob = { job: JobRow; messages?: readonly Record<string, unknown>[]; events?: readonly unknown[] }

export type ActivityParts = {
  workflow: Workflow | undefined
  subscriber: SubscriberRow | undefined
  /** In step order; `events`: what a digest gathered. */
  jobs: readonly ShownJob[]
  topics: readonly { id: string; key: string }[]
}

export function toActivityJson(env: Env, row: NotificationRow, parts: ActivityParts): ActivityJson {
  const { workflow, subscriber, jobs, topics } = parts
  const createdAt = uuid7Time(row.id).toISOString()
  const payload = isPlainObject(row.payload) ? row.payload : {}
  const mergedInto = jobs.find(({ job }) => job.merged_into !== null)?.job.merged_into
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
    ...(mergedInto && { _digestedNotificationId: mergedInto }),
    createdAt,
    updatedAt,
    ...(workflow && { channels: [...new Set(workflow.steps.map((step) => step.type))] }),
    ...(subscriber && { subscriber: toSubscriberSummary(subscriber), to: { subscriberId: subscriber.subscriber_id } }),
    ...(workflow && { template: toTemplateJson(workflow) }),
    jobs: jobs.map((shown) => toJobJson(shown, workflow?.steps[shown.job.step_index], row, payload)),
    payload,
    controls: {},
    ...(workflow && { tags: workflow.tags, severity: workflow.severity, critical: workflow.critical }),
    ...(topics.length > 0 && { topics: topics.map(({ id, key }) => ({ _topicId: id, topicKey: key })) }),
    contextKeys: row.context_keys ?? [],
  }
}

function toTemplateJson(workflow: Workflow): NonNullable<ActivityJson['template']> {
  return {
    _id: workflow.id,
    name: workflow.name,
    origin: workflow.origin ?? 'platform-cloud',
    triggers: toTriggers(workflow),
  }
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
  { job, messages, events }: ShownJob,
  made: Step | undefined,
  { overrides }: NotificationRow,
  payload: Record<string, unknown>,
): JobJson {
  const step = made && asAnswered(made, job)
  const digest = step ? toDigestJson(step, events) : null
  const waits = job.type === 'digest' || job.type === 'delay'
  return {
    _id: job.id,
    type: job.type as JobJson['type'],
    ...(digest && { digest }),
    executionDetails: (job.details as Detail[]).map((detail, index) => toDetailJson(job.id, detail, index)),
    step: step ? toStepJson(step) : { _id: job.id, active: true, filters: [], _templateId: job.id },
    overrides: isPlainObject(overrides) ? overrides : {},
    payload,
    providerId: jobProviderIds.find((id) => id === job.provider_id) ?? 'platform',
    status: job.status,
    updatedAt: job.updated_at.toISOString(),
    ...((waits || job.extensions > 0) && { scheduleExtensionsCount: job.extensions }),
    ...(messages && { messages: [...messages] }),
  }
}

function toDigestJson(step: Step, events: readonly unknown[] | undefined): JobJson['digest'] | null {
  // Checked when it was saved: the values are those of the schema.
  const digest = toJobDigest(step) as NonNullable<JobJson['digest']> | null
  return digest && { ...digest, ...(events && { events: events.filter(isPlainObject) }) }
}

function toStepJson(step: Step): JobJson['step'] {
  const metadata = toStepMetadata(step)
  const variants = (step.variants ?? []).map((variant, index) => {
    const [id, own] = [variantId(step, index), toStepMetadata({ ...step, ...variant })]
    return {
      _id: id,
      active: step.active,
      filters: variant.filters,
      _templateId: id,
      name: variant.name ?? step.name,
      ...(own && { metadata: own }),
      template: { ...variant.controlValues, type: step.type },
    }
  })
  return {
    _id: step.id,
    active: step.active,
    filters: step.filters,
    _templateId: step.id,
    name: step.name,
    ...(metadata && { metadata }),
    ...(step.replyCallback && { replyCallback: step.replyCallback }),
    template: { ...step.controlValues, type: step.type },
    ...(variants.length > 0 && { variants }),
  }
}

/** The id is made from the line's position, because details are only ever appended. */
function toDetailJson(id: string, detail: Detail, index: number): JobJson['executionDetails'][number] {
  const providerId = jobProviderIds.find((known) => known === detail.providerId)
  return {
    _id: deterministicId(new Date(detail.at), 'detail', id, String(index)),
    createdAt: detail.at,
    status: detail.status,
    detail: detail.detail,
    isRetry: detail.retry ?? false,
    isTest: false,
    ...(providerId && { providerId }),
    ...(detail.raw !== undefined && { raw: detail.raw }),
    source: detail.source ?? 'Internal',
  }
}
