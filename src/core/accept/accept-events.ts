import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import type { Lane } from '../../engine/lanes.ts'
import { canonicalJson, canonicalJsonInTurns } from '../../lib/canonical-json.ts'
import { chunksByWeight, createPauses } from '../../lib/chunks.ts'
import { oneOf } from '../../lib/schemas.ts'
import { sha256InTurns } from '../../lib/seal.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { afterCommit, type Db, type Env, type Outside } from '../../store/database.ts'
import { insertAttachments } from '../../store/history/attachments.ts'
import { claimEventKeys, findEventKeys, insertEvents, type NewEvent } from '../../store/history/events.ts'
import { findTenantIdentifiers } from '../../store/tenants.ts'
import { findTopicKeys } from '../../store/topics.ts'
import { findWorkflowsByIdentifier } from '../../store/workflows.ts'
import { type Occurrence, recordOccurrences } from '../numbers/occurrences.ts'
import { traceAccepts, traceOf } from '../numbers/trace-spans.ts'
import { enqueueExpansion, laneOf } from '../pipeline/enqueue.ts'
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

type Scope = { ctx: Ctx; db: Db; env: Env; now: Date; outside: Outside; traceparent?: unknown }
type NamedWorkflow = { workflow: Workflow; active: boolean }
/** `chars`: how large the event is. */
type Draft = { index: number; event: NewEvent; lane: Lane; warnings: string[]; chars: number }

/**
 * Events, transactionIds and the expansion task are written in one transaction. A fault in one event becomes that
 * event's own result. `processed` means: committed before the reply is sent.
 */
export async function acceptEvents(
  scope: Scope,
  events: readonly unknown[],
  options: { broadcast?: true } = {},
): Promise<TriggerResult[]> {
  const { backlog } = scope.ctx
  await backlog.admit(scope.db, scope.env, 0)
  const results: TriggerResult[] = []
  const drafts: Draft[] = []
  for (const [index, judged] of (await judgeEvents(scope, events, options)).entries()) {
    if ('status' in judged) results[index] = judged
    else drafts.push({ index, ...judged })
  }
  await backlog.admit(scope.db, scope.env, drafts.length)
  const written = await writeEvents(scope, drafts)
  for (const [index, result] of written.results) results[index] = result
  const { ctx, db, now, traceparent } = scope
  await recordOccurrences(ctx, db, scope.env, toOccurrences(results, written.created), now)
  if (traceparent !== undefined) afterCommit(db, () => traceAccepts(ctx, traceparent, written.created, now.getTime()))
  return results
}

/** The result of each event, or a draft to write; nothing is written here. */
export async function judgeEvents(
  scope: Scope,
  events: readonly unknown[],
  options: { broadcast?: true } = {},
): Promise<(TriggerResult | Omit<Draft, 'index'>)[]> {
  const pause = createPauses()
  const readable: ReturnType<typeof readEvent>[] = []
  for (const event of events) {
    readable.push(readEvent(event))
    await pause()
  }
  const names = readable.flatMap((it) => ('event' in it ? it.event.name : []))
  const tenants = readable.flatMap((it) => ('event' in it ? (readTenant(it.event.tenant) ?? []) : []))
  const known = await findNamedWorkflows(scope, names)
  const knownTenants = await findTenantIdentifiers(scope.db, scope.env, tenants)
  const topics = options.broadcast ? [] : readable.flatMap((it) => ('event' in it ? topicKeysOf(it.event.to) : []))
  const knownTopics = await findTopicKeys(scope.db, scope.env, topics)
  const knownNames = { tenants: knownTenants, topics: knownTopics }

  const checked: (TriggerResult | Checked)[] = []
  for (const it of readable) {
    checked.push('event' in it ? await checkEvent(it.event, known, knownNames, options) : refuse('error', [it.fault]))
    await pause()
  }
  const asked = checked.flatMap((it) => ('status' in it ? [] : { workflow: it.workflow, payload: it.taken.payload }))
  const faults = (await findPayloadFaults(scope, asked)).values()
  const judged: (TriggerResult | Omit<Draft, 'index'>)[] = []
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
      return workflow ? [[row.identifier, { workflow, active: row.active }]] : []
    }),
  )
}

type Checked = {
  event: EventInput
  workflow: Workflow
  recipients: Recipient[] | null
  faults: string[]
  taken: Exclude<Awaited<ReturnType<typeof takeAttachments>>, { fault: string }>
} & Pick<NewEvent, 'actor' | 'tenant' | 'context' | 'contextKeys'>

/** All checks but that of the payload. */
async function checkEvent(
  event: EventInput,
  known: Map<string, NamedWorkflow>,
  { tenants, topics }: { tenants: Set<string>; topics: Set<string> },
  { broadcast }: { broadcast?: true },
): Promise<TriggerResult | Checked> {
  const found = known.get(event.name)
  if (!found) return refuse('error', ['workflow_not_found'])
  const { workflow, active } = found
  if (!active) return refuse('trigger_not_active')
  if (workflow.steps.length === 0) return refuse('no_workflow_steps_defined')
  if (!workflow.steps.some((step) => step.active)) return refuse('no_workflow_active_steps_defined')

  const { recipients, faults } = broadcast ? { recipients: null, faults: [] } : readRecipients(event.to, topics)
  if (recipients?.length === 0) return refuse('invalid_recipients', faults)
  const actor = readActor(event.actor)
  if (actor === undefined) return refuse('error', ['actor must be a subscriberId or a subscriber'])
  const tenant = readTenant(event.tenant)
  if (tenant === undefined) return refuse('error', ['tenant must be an identifier, or an object with one'])
  if (tenant !== null && !tenants.has(tenant)) return refuse('no_tenant_found')
  const context = readContext(event.context)
  if ('fault' in context) return refuse('error', [context.fault])
  const taken = await takeAttachments(event.payload ?? {}, event.overrides ?? {})
  if ('fault' in taken) return refuse('error', [taken.fault])
  return { event, workflow, recipients, faults, taken, actor, tenant, ...context }
}

/** `place`: in the call, so that its events keep their order. */
async function toDraft(
  { ctx, now, traceparent }: Scope,
  checked: Checked,
  place: number,
): Promise<Omit<Draft, 'index'>> {
  const { event, workflow, faults, taken, ...rest } = checked
  const id = uuid7(now, place)
  const asked = { ...event, transactionId: undefined }
  const text = taken.attachments.length > 0 ? await canonicalJsonInTurns(asked) : canonicalJson(asked)
  return {
    chars: text.length,
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
      trace: traceOf(ctx, traceparent, id),
    },
  }
}

/** `created`: the events that are new; a repeated transactionId is not. */
type Written = { results: Map<number, TriggerResult>; created: readonly NewEvent[] }

// Of one statement: a bulk of large payloads in one would hold up everybody on the node while it is put together.
const mostChars = 4 * 1024 * 1024

/** In the transaction of the request, which commits before the reply is sent. */
async function writeEvents({ ctx, db, env }: Scope, drafts: readonly Draft[]): Promise<Written> {
  if (drafts.length === 0) return { results: new Map(), created: [] }
  const claimed = await claimEventKeys(
    db,
    env,
    drafts.map((draft) => draft.event),
  )
  const fresh = drafts.filter((draft) => claimed.has(draft.event.id))
  if (fresh.length > 0) {
    for (const part of chunksByWeight(fresh, mostChars, ({ chars }) => chars)) {
      await insertEvents(
        db,
        env,
        part.map((draft) => draft.event),
      )
    }
    const files = fresh.flatMap(({ event }) =>
      event.attachments.map((file, position) => ({ ...file, eventId: event.id, position })),
    )
    await insertAttachments(db, env, files)
    for (const [lane, ofLane] of Map.groupBy(fresh, (draft) => draft.lane)) {
      const eventIds = ofLane.map((draft) => draft.event.id)
      await enqueueExpansion(ctx, db, env, lane, eventIds)
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
  const results = new Map(
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
  return { results, created: fresh.map(({ event }) => event) }
}

// With status `error` the result carries one of these codes, or else a sentence that says what is wrong.
const namedRefusals = ['workflow_not_found', 'transaction_id_conflict']

/** `created`: the processed events that are new. */
function toOccurrences(results: readonly TriggerResult[], created: readonly NewEvent[]): Occurrence[] {
  const [processed, refused] = [results.filter(isProcessed), results.filter((result) => !isProcessed(result))]
  const repeated = Array.from({ length: processed.length - created.length }, () => ({ outcome: 'repeated' }))
  const refusals = refused.map(({ status, error = [] }) => ({
    outcome: namedRefusals.find((code) => error[0] === code) ?? status,
  }))
  return [
    ...created.map(({ workflowId }): Occurrence => ({ of: 'event', outcome: 'processed', workflowId })),
    ...[...repeated, ...refusals].map((it): Occurrence => ({ of: 'event', ...it, workflowId: null })),
  ]
}

function isProcessed({ status }: TriggerResult): boolean {
  return status === 'processed'
}

function refuse(status: TriggerResult['status'], error?: string[]): TriggerResult {
  return { acknowledged: true, status, ...(error && error.length > 0 && { error }) }
}
