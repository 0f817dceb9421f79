import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import type { Lane } from '../../engine/define-task.ts'
import { canonicalJson, isPlainObject } from '../../lib/canonical-json.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import { fields, freeObject, oneOf } from '../../lib/schemas.ts'
import { sha256 } from '../../lib/seal.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { faultFinder } from '../../lib/validate.ts'
import { afterCommit, type Db, type Env } from '../../store/database.ts'
import { insertAttachments } from '../../store/history/attachments.ts'
import { claimEventKeys, findEventKeys, insertEvents, type NewEvent } from '../../store/history/events.ts'
import { addTallies } from '../../store/history/tallies.ts'
import { findTenantIdentifiers } from '../../store/tenants.ts'
import { findWorkflowsByIdentifier } from '../../store/workflows.ts'
import { countAccepted } from '../count-outcomes.ts'
import { laneOf } from '../lane.ts'
import { traceAccepts, traceOf } from '../numbers/trace-spans.ts'
import { payloadCheck } from '../workflows/payload-schema.ts'
import { getWorkflows, type Workflow } from '../workflows/workflow.ts'
import { type InlineSubscriber, readRecipients } from './recipients.ts'
import { takeAttachments } from './take-attachments.ts'

const statuses = [
  'error',
  'trigger_not_active',
  'no_workflow_active_steps_defined',
  'no_workflow_steps_defined',
  'processed',
  'no_tenant_found',
  'invalid_recipients',
] as const

/** Spec 2.13. */
export const triggerResultSchema = Type.Object(
  {
    acknowledged: Type.Boolean(),
    status: oneOf(statuses),
    error: Type.Optional(Type.Array(Type.String())),
    transactionId: Type.Optional(Type.String()),
  },
  { title: 'TriggerResult' },
)
export type TriggerResult = Static<typeof triggerResultSchema>

/** Spec 4.13. `to`, `actor`, `tenant` and `context` have several shapes and are read below. */
export const eventProperties = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  payload: Type.Optional(freeObject),
  overrides: Type.Optional(freeObject),
  to: Type.Optional(Type.Unknown()),
  transactionId: Type.Optional(Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })),
  actor: Type.Optional(Type.Unknown()),
  tenant: Type.Optional(Type.Unknown()),
  context: Type.Optional(Type.Unknown()),
}
const eventInput = fields(eventProperties)
type EventInput = Static<typeof eventInput>
const faultOf = faultFinder(eventInput)

const maxPayloadBytes = 512 * 1024
const maxContextEntries = 5

type Scope = { ctx: Ctx; db: Db; env: Env; now: Date; traceparent?: unknown }
type Known = { workflow: Workflow; active: boolean }
type Draft = { index: number; event: NewEvent; lane: Lane; warnings: string[] }

/**
 * One transaction for all of them: the events, their transactionIds and the task that will expand them. A fault inside
 * one event is that event's result. `processed` is said of what is committed when the reply is sent.
 */
export async function acceptEvents(
  scope: Scope,
  events: readonly unknown[],
  options: { broadcast?: true } = {},
): Promise<TriggerResult[]> {
  await scope.ctx.backlog.admit(scope.db, scope.env, events.length)
  const results: TriggerResult[] = []
  const drafts: Draft[] = []
  for (const [index, judged] of (await judgeEvents(scope, events, options)).entries()) {
    if ('status' in judged) results[index] = judged
    else drafts.push({ index, ...judged })
  }
  const { committed, created } = await commit(scope, drafts)
  for (const [index, result] of committed) results[index] = result
  const { ctx, db, now, traceparent } = scope
  countAccepted(ctx, db, results, created.length)
  if (traceparent !== undefined) afterCommit(db, () => traceAccepts(ctx, traceparent, created, now.getTime()))
  return results
}

/** What each event comes to, before anything is written. */
export async function judgeEvents(
  scope: Scope,
  events: readonly unknown[],
  options: { broadcast?: true } = {},
): Promise<(TriggerResult | Omit<Draft, 'index'>)[]> {
  const readable = events.map(readEvent)
  const names = readable.flatMap((it) => ('event' in it ? it.event.name : []))
  const tenants = readable.flatMap((it) => ('event' in it ? (readTenant(it.event.tenant) ?? []) : []))
  const known = await findKnown(scope, names)
  const knownTenants = await findTenantIdentifiers(scope.db, scope.env, tenants)

  return readable.map((it) =>
    'event' in it ? decide(scope, it.event, known, knownTenants, options) : refuse('error', [it.fault]),
  )
}

function readEvent(value: unknown): { event: EventInput } | { fault: string } {
  const refused = findRefusedContent(value)
  if (refused) return { fault: `${refused.path || 'The event'} ${refused.reason}.` }
  const fault = faultOf(value)
  return fault ? { fault } : { event: value as EventInput }
}

async function findKnown({ db, env }: Scope, names: readonly string[]): Promise<Map<string, Known>> {
  const rows = await findWorkflowsByIdentifier(db, env, [...new Set(names)])
  const workflows = await getWorkflows(
    db,
    env,
    rows.map((row) => ({ workflowId: row.id, version: row.version })),
  )
  return new Map(
    rows.flatMap((row) => {
      const workflow = workflows.get(`${row.id}:${row.version}`)
      return workflow ? [[row.identifier, { workflow, active: row.active }]] : []
    }),
  )
}

/** Everything that can be said about an event without writing it. */
function decide(
  { ctx, now, traceparent }: Scope,
  event: EventInput,
  known: Map<string, Known>,
  tenants: Set<string>,
  { broadcast }: { broadcast?: true },
): TriggerResult | Omit<Draft, 'index'> {
  const found = known.get(event.name)
  if (!found) return refuse('error', ['workflow_not_found'])
  const { workflow, active } = found
  if (!active) return refuse('trigger_not_active')
  if (workflow.steps.length === 0) return refuse('no_workflow_steps_defined')
  if (!workflow.steps.some((step) => step.active)) return refuse('no_workflow_active_steps_defined')

  const { recipients, faults } = broadcast ? { recipients: null, faults: [] } : readRecipients(event.to)
  if (recipients?.length === 0) return refuse('invalid_recipients', faults)
  const actor = readActor(event.actor)
  if (actor === undefined) return refuse('error', ['actor must be a subscriberId or a subscriber'])
  const tenant = readTenant(event.tenant)
  if (tenant === undefined) return refuse('error', ['tenant must be an identifier, or an object with one'])
  if (tenant !== null && !tenants.has(tenant)) return refuse('no_tenant_found')
  const context = readContext(event.context)
  if ('fault' in context) return refuse('error', [context.fault])
  const taken = takeAttachments(event.payload ?? {}, event.overrides ?? {})
  if ('fault' in taken) return refuse('error', [taken.fault])
  const payloadFaults = faultsOfPayload(workflow, taken.payload)
  if (payloadFaults.length > 0) return refuse('error', payloadFaults)

  const id = uuid7(now)
  return {
    lane: laneOf(workflow, recipients),
    warnings: faults,
    event: {
      id,
      transactionId: event.transactionId ?? uuid7(now),
      hash: sha256(canonicalJson({ ...event, transactionId: undefined })),
      workflowId: workflow.id,
      workflowVersion: workflow.version,
      ...taken,
      recipients,
      actor,
      tenant,
      ...context,
      trace: traceOf(ctx, traceparent, id),
    },
  }
}

/** `created`: those that were not there yet. */
type Committed = { committed: Map<number, TriggerResult>; created: readonly NewEvent[] }

async function commit({ ctx, db, env, now }: Scope, drafts: readonly Draft[]): Promise<Committed> {
  if (drafts.length === 0) return { committed: new Map(), created: [] }
  const claimed = await claimEventKeys(
    db,
    env,
    drafts.map((draft) => draft.event),
  )
  const fresh = drafts.filter((draft) => claimed.has(draft.event.id))
  if (fresh.length > 0) {
    await insertEvents(
      db,
      env,
      fresh.map((draft) => draft.event),
    )
    const files = fresh.flatMap(({ event }) =>
      event.attachments.map((file, position) => ({ ...file, eventId: event.id, position })),
    )
    await insertAttachments(db, env, files)
    const happened = fresh.map(({ event }) => ({ workflowId: event.workflowId, outcome: 'accepted' as const }))
    await addTallies(db, env, happened, now)
    for (const [lane, ofLane] of Map.groupBy(fresh, (draft) => draft.lane)) {
      const eventIds = ofLane.map((draft) => draft.event.id)
      await ctx.engine.enqueue(db, 'expand-events', lane, [{ environmentId: env.environmentId, eventIds }])
    }
  }
  const seen =
    fresh.length === drafts.length
      ? []
      : await findEventKeys(
          db,
          env,
          drafts.map((draft) => draft.event.transactionId),
        )
  const hashes = new Map(seen.map((key) => [key.transaction_id, key.event_hash]))
  const committed = new Map(
    drafts.map(({ index, event, warnings }): [number, TriggerResult] => {
      const { transactionId, hash, id } = event
      const isSame = claimed.has(id) || hashes.get(transactionId)?.equals(hash)
      if (!isSame) return [index, refuse('error', ['transaction_id_conflict'])]
      return [
        index,
        { acknowledged: true, status: 'processed', transactionId, ...(warnings.length > 0 && { error: warnings }) },
      ]
    }),
  )
  return { committed, created: fresh.map(({ event }) => event) }
}

function refuse(status: TriggerResult['status'], error?: string[]): TriggerResult {
  return { acknowledged: true, status, ...(error && error.length > 0 && { error }) }
}

/** Undefined: given, but not as anything we know. */
function readTenant(tenant: unknown): string | null | undefined {
  if (tenant === undefined || tenant === null) return null
  if (typeof tenant === 'string') return tenant
  return isPlainObject(tenant) && typeof tenant.identifier === 'string' ? tenant.identifier : undefined
}

/** Who caused the event: an id, or a person to be saved like a recipient. Undefined: neither. */
function readActor(actor: unknown): InlineSubscriber | null | undefined {
  if (actor === undefined || actor === null) return null
  const [read] = readRecipients([actor]).recipients
  return read && !('topicKey' in read) ? read : undefined
}

type Context = Pick<NewEvent, 'context' | 'contextKeys'>

/** `{ type: id }` or `{ type: { id, data } }`; the keys are the sorted `type:id`. */
function readContext(context: unknown): Context | { fault: string } {
  if (context === undefined || context === null) return { context: null, contextKeys: null }
  if (!isPlainObject(context)) return { fault: 'context must be an object' }
  const entries = Object.entries(context)
  if (entries.length > maxContextEntries) return { fault: `context may have at most ${maxContextEntries} entries` }
  const keys: string[] = []
  for (const [type, value] of entries) {
    const id = isPlainObject(value) ? value.id : value
    if (typeof id !== 'string' || id === '' || id.length > 255)
      return { fault: `context.${type} must be a string, or an object with an id` }
    keys.push(`${type}:${id}`)
  }
  return keys.length === 0 ? { context: null, contextKeys: null } : { context, contextKeys: keys.sort() }
}

const payloadChecks = new Map<string, (payload: unknown) => string[]>()

function faultsOfPayload(workflow: Workflow, payload: Record<string, unknown>): string[] {
  if (Buffer.byteLength(JSON.stringify(payload)) > maxPayloadBytes) {
    return [`payload is larger than ${maxPayloadBytes / 1024} KB`]
  }
  if (!workflow.validatePayload || !workflow.payloadSchema) return []
  const key = `${workflow.id}:${workflow.version}`
  const check = payloadChecks.get(key) ?? payloadCheck(workflow.payloadSchema)
  if (payloadChecks.size > 1_000) payloadChecks.clear()
  payloadChecks.set(key, check)
  return check(payload)
}
