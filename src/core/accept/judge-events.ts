import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import type { Lane } from '../../engine/lanes.ts'
import { canonicalJson, canonicalJsonInTurns } from '../../lib/canonical-json.ts'
import { createPauses } from '../../lib/chunks.ts'
import { oneOf } from '../../lib/schemas.ts'
import { sha256InTurns } from '../../lib/seal.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { findBridge } from '../../store/bridge/bridges.ts'
import type { Db, Env, Outside } from '../../store/database.ts'
import { type EventRow, type NewEvent, toEventColumns } from '../../store/history/events.ts'
import { findTenants, type TenantRow } from '../../store/tenants.ts'
import { findTopicKeys } from '../../store/topics.ts'
import { findWorkflowsByIdentifier } from '../../store/workflows.ts'
import { traceOf } from '../numbers/trace-spans.ts'
import { laneOf } from '../pipeline/enqueue.ts'
import { type Recipient, readRecipients, topicKeysOf } from '../pipeline/recipients.ts'
import { readContext } from '../subscribers/read-context.ts'
import { findPayloadFaults } from '../workflows/judge-payloads.ts'
import { getWorkflows, type Workflow } from '../workflows/workflow.ts'
import { type EventInput, readActor, readEvent, readTenant } from './read-event.ts'
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

/** `traceparent`: the W3C trace context that an event came with, by its place in the call. */
export type Scope = {
  ctx: Ctx
  db: Db
  env: Env
  now: Date
  outside: Outside
  traceparent?: (place: number) => unknown
}
type NamedWorkflow = { workflow: Workflow; active: boolean; edition: number | null }

/** An event that can be written. `chars`: how large it is. */
export type Draft = {
  event: NewEvent
  /** Its context with the data that is stored; absent: as the event has it. */
  filled?: unknown
  workflow: Workflow
  tenant: TenantRow | null
  lane: Lane
  traceparent: unknown
  warnings: string[]
  chars: number
}

/** The result of each event, or a draft to write; nothing is written here. */
export async function judgeEvents(
  scope: Scope,
  events: readonly unknown[],
  options: { broadcast?: true } = {},
): Promise<(TriggerResult | Draft)[]> {
  const pause = createPauses()
  const readable: ReturnType<typeof readEvent>[] = []
  for (const event of events) {
    readable.push(readEvent(event))
    await pause()
  }
  const names = readable.flatMap((it) => ('event' in it ? it.event.name : []))
  const tenants = readable.flatMap((it) => ('event' in it ? (readTenant(it.event.tenant) ?? []) : []))
  const known = await findNamedWorkflows(scope, names)
  const knownTenants = await findTenants(scope.db, scope.env, tenants)
  const topics = options.broadcast ? [] : readable.flatMap((it) => ('event' in it ? topicKeysOf(it.event.to) : []))
  const knownTopics = await findTopicKeys(scope.db, scope.env, topics)
  const namesBridge = readable.some((it) => 'event' in it && typeof it.event.bridgeUrl === 'string')
  const bridge = namesBridge ? await findBridge(scope.db, scope.env) : null
  const knownNames = { tenants: knownTenants, topics: knownTopics, bridgeUrl: bridge?.url ?? null }

  const checked: (TriggerResult | Checked)[] = []
  for (const it of readable) {
    checked.push('event' in it ? await checkEvent(it.event, known, knownNames, options) : refuse('error', [it.fault]))
    await pause()
  }
  const asked = checked.flatMap((it) => ('status' in it ? [] : { workflow: it.workflow, payload: it.taken.payload }))
  const faults = (await findPayloadFaults(scope, asked)).values()
  const judged: (TriggerResult | Draft)[] = []
  for (const [place, it] of checked.entries()) {
    const payloadFaults = 'status' in it ? [] : (faults.next().value ?? [])
    if ('status' in it) judged.push(it)
    else judged.push(payloadFaults.length > 0 ? refuse('error', payloadFaults) : await toDraft(scope, it, place))
    await pause()
  }
  return judged
}

async function findNamedWorkflows({ db, env }: Scope, names: readonly string[]): Promise<Map<string, NamedWorkflow>> {
  const rows = await findWorkflowsByIdentifier(db, env, [...new Set(names)])
  const workflows = await getWorkflows(db, env, rows)
  return new Map(
    rows.flatMap((row) => {
      const workflow = workflows.of(row)
      return workflow ? [[row.identifier, { workflow, active: row.active, edition: row.edition }]] : []
    }),
  )
}

type Checked = {
  event: EventInput
  workflow: Workflow
  edition: number | null
  recipients: Recipient[] | null
  faults: string[]
  knownTenant: TenantRow | null
  taken: Exclude<Awaited<ReturnType<typeof takeAttachments>>, { fault: string }>
} & Pick<NewEvent, 'actor' | 'tenant' | 'context' | 'contextKeys'>

type KnownNames = { tenants: Map<string, TenantRow>; topics: Set<string>; bridgeUrl: string | null }

const otherBridge =
  'bridgeUrl is not the bridge of this environment: steps are asked only of the one that POST /v1/bridge/sync told of'

/** All checks but that of the payload. */
async function checkEvent(
  event: EventInput,
  known: Map<string, NamedWorkflow>,
  { tenants, topics, bridgeUrl }: KnownNames,
  { broadcast }: { broadcast?: true },
): Promise<TriggerResult | Checked> {
  if (event.bridgeUrl && event.bridgeUrl !== bridgeUrl) return refuse('error', [otherBridge])
  const found = known.get(event.name)
  if (!found) return refuse('error', ['workflow_not_found'])
  const { workflow, active, edition } = found
  if (!active) return refuse('trigger_not_active')
  if (workflow.steps.length === 0) return refuse('no_workflow_steps_defined')
  if (!workflow.steps.some((step) => step.active)) return refuse('no_workflow_active_steps_defined')

  const { recipients, faults } = broadcast ? { recipients: null, faults: [] } : readRecipients(event.to, topics)
  if (recipients?.length === 0) return refuse('invalid_recipients', faults)
  const actor = readActor(event.actor)
  if (actor === undefined) return refuse('error', ['actor must be a subscriberId or a subscriber'])
  const tenant = readTenant(event.tenant)
  if (tenant === undefined) return refuse('error', ['tenant must be an identifier, or an object with one'])
  const knownTenant = tenant === null ? null : tenants.get(tenant)
  if (knownTenant === undefined) return refuse('no_tenant_found')
  const context = readContext(event.context)
  if ('fault' in context) return refuse('error', [context.fault])
  const taken = await takeAttachments(event.payload ?? {}, event.overrides ?? {})
  if ('fault' in taken) return refuse('error', [taken.fault])
  return { event, workflow, edition, recipients, faults, taken, actor, knownTenant, tenant, ...context }
}

/** `place`: in the call, so that its events keep their order. */
async function toDraft({ ctx, now, traceparent }: Scope, checked: Checked, place: number): Promise<Draft> {
  const { event, workflow, faults, taken, knownTenant, ...rest } = checked
  const id = uuid7(now, place)
  const caller = traceparent?.(place)
  const asked = { ...event, transactionId: undefined }
  const text = taken.attachments.length > 0 ? await canonicalJsonInTurns(asked) : canonicalJson(asked)
  return {
    chars: text.length,
    workflow,
    tenant: knownTenant,
    traceparent: caller,
    lane: laneOf(workflow, rest.recipients),
    warnings: faults,
    event: {
      id,
      transactionId: event.transactionId ?? uuid7(now),
      hash: await sha256InTurns(text),
      workflowId: workflow.id,
      workflowVersion: workflow.version,
      ...taken,
      ...rest,
      notified: null,
      trace: traceOf(ctx, caller, id),
    },
  }
}

export function refuse(status: TriggerResult['status'], error?: string[]): TriggerResult {
  return { acknowledged: true, status, ...(error && error.length > 0 && { error }) }
}

/** As it will be read from the store. */
export function toEventRow(
  { environmentId }: Env,
  { event, tenant, filled = event.context }: Pick<Draft, 'event' | 'tenant' | 'filled'>,
): EventRow {
  return {
    ...toEventColumns(event),
    context: filled,
    environment_id: environmentId,
    expand_cursor: null,
    tenant_name: tenant?.name ?? null,
    tenant_data: tenant?.data ?? null,
    send_counted: null,
    canary_until: null,
  }
}
