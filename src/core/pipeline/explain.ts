import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { createPauses } from '../../lib/chunks.ts'
import { oneOf } from '../../lib/schemas.ts'
import type { Db, Env, Outside } from '../../store/database.ts'
import type { EventRow } from '../../store/history/events.ts'
import { listSubscribersById, type SubscriberPatch, type SubscriberRow } from '../../store/subscribers.ts'
import { judgeEvents, toEventRow, triggerResultSchema } from '../accept/judge-events.ts'
import type { Answer } from '../bridge/answer.ts'
import { previewAnswers } from '../bridge/preview-answers.ts'
import { inAppFields } from '../inbox/in-app-message.ts'
import type { Candidate } from '../integrations/candidates.ts'
import { saveSubscribers } from '../subscribers/save-subscribers.ts'
import { judgeSubscriptions } from '../topics/judge-subscriptions.ts'
import { withContexts } from '../values/contexts.ts'
import { missingWords } from '../wording/compose.ts'
import { getWorkflows, type Step, stepTypes, whenWords } from '../workflows/workflow.ts'
import { loadPlanInputs, toAsked } from './advance.ts'
import { laneOf } from './enqueue.ts'
import type { Planned, Start } from './plan.ts'
import { type PlanInputs, planSteps, toRenderScope } from './plan-steps.ts'
import type { Recipient } from './recipients.ts'
import { sendFields, takesLayout } from './send-content.ts'
import { actorIdOf, nextPage, type Reached } from './take-recipients.ts'

type Scope = { ctx: Ctx; db: Db; env: Env; now: Date; outside: Outside }

const outcomes = ['send', 'skip', 'fail', 'wait', 'delay', 'digest', 'throttle', 'defer', 'ask', 'run'] as const

const stepSchema = Type.Object({
  stepId: Type.String(),
  type: oneOf(stepTypes),
  outcome: oneOf(outcomes),
  why: Type.Optional(Type.String()),
  dependsOn: Type.Optional(
    Type.Object(
      { stepId: Type.String(), is: oneOf(whenWords) },
      { description: 'It goes on only if that earlier step is so.' },
    ),
  ),
  integrations: Type.Optional(Type.Array(Type.String({ description: 'Identifiers, the preferred one first.' }))),
  until: Type.Optional(Type.String({ format: 'date-time' })),
  missingKeys: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Translations that none of the reader’s languages has: their names stand in the message.',
    }),
  ),
})

export const explanationSchema = Type.Object(
  {
    result: triggerResultSchema,
    recipients: Type.Array(Type.Object({ subscriberId: Type.String(), steps: Type.Array(stepSchema) })),
    hasMore: Type.Boolean({ description: 'More people would be reached than are shown.' }),
  },
  { title: 'Explanation' },
)
export type Explanation = Static<typeof explanationSchema>
type StepExplanation = Explanation['recipients'][number]['steps'][number]

// Enough people to understand what an event does.
const mostPeople = 100

/** What a trigger would do, by the same plan. Subscribers given in the event are saved, then rolled back. */
export async function explainEvent(scope: Scope, given: unknown): Promise<Explanation> {
  const [judged] = await judgeEvents(scope, [given])
  if (!judged) throw new Error('one event in, one judgement out')
  if ('status' in judged) return { result: judged, recipients: [], hasMore: false }
  const [event] = await withContexts(scope.db, scope.env, [toEventRow(scope.env, judged)])
  if (!event) throw new Error('one event in, one event out')
  await sql`savepoint explained`.execute(scope.db)
  try {
    const { reached, progress } = await nextPage(scope.db, scope.env, event, mostPeople)
    const starts = await toStarts(scope, event, reached)
    const inputs = await loadPlanInputs(scope.ctx, scope.db, scope.env, starts, scope.now)
    const told = await askCode(scope, starts, inputs)
    return {
      result: {
        acknowledged: true,
        status: 'processed',
        ...(judged.warnings.length > 0 && { error: judged.warnings }),
      },
      recipients: await explainPeople(told.starts, inputs, told.silent),
      hasMore: progress.state === 'accepted',
    }
  } finally {
    await sql`rollback to savepoint explained`.execute(scope.db)
  }
}

/** Conditions may take 50 ms for one person: others have their turn between two. */
async function explainPeople(
  starts: readonly Start[],
  inputs: PlanInputs,
  silent: ReadonlyMap<string, string>,
): Promise<Explanation['recipients']> {
  const pause = createPauses()
  const people: Explanation['recipients'] = []
  for (const start of starts) {
    await pause()
    const steps = planSteps(start, inputs, { assumeSuccess: true }).map((planned) => {
      const missingKeys = findMissingKeys(planned, inputs)
      const why = planned.plan.kind === 'ask' ? silent.get(planned.id) : undefined
      return { ...toStepExplanation(planned), ...(why && { why }), ...(missingKeys.length > 0 && { missingKeys }) }
    })
    people.push({ subscriberId: start.subscriber.subscriber_id, steps })
  }
  return people
}

// Enough to see what the code does; for the others it is asked when the step is reached.
const mostAsked = 3

/** What the bridge would say about the steps of the first people. `silent`: why it did not, by the ids of jobs. */
async function askCode(
  { ctx, env, outside }: Scope,
  starts: readonly Start[],
  inputs: PlanInputs,
): Promise<{ starts: readonly Start[]; silent: ReadonlyMap<string, string> }> {
  const [first] = starts
  if (first?.workflow.origin !== 'external') return { starts, silent: new Map() }
  const asked = starts.slice(0, mostAsked).flatMap((start) => {
    const open = planSteps(start, inputs, { assumeSuccess: true }).filter(({ plan }) => plan.kind === 'ask')
    return open.map((planned) => ({ planned, scope: toRenderScope(start, inputs.variables) }))
  })
  const questions = asked.map(({ planned: { start, step }, scope }) => {
    return { workflowId: start.workflow.identifier, step, scope, hasActor: start.actor !== null, state: [] }
  })
  const key = `bridge ${first.workflow.id}:${first.workflow.version} ${asked.map((it) => it.scope.subscriber.subscriberId).join()}`
  const said = await outside(key, () => previewAnswers(ctx, env, questions), { waits: true })
  const answers = new Map<Start, Map<number, Answer>>()
  const silent = new Map<string, string>()
  for (const [at, { planned }] of asked.entries()) {
    const answer = said[at]
    if (!answer) continue
    if (answer.kind === 'silent') silent.set(planned.id, `Decided when the step is reached: ${answer.why}`)
    else answers.set(planned.start, (answers.get(planned.start) ?? new Map()).set(planned.index, answer))
  }
  return { starts: starts.map((start) => ({ ...start, answers: answers.get(start) ?? new Map() })), silent }
}

function findMissingKeys({ step, plan, start, answered }: Planned, { wordings }: PlanInputs): string[] {
  const kind = plan.kind === 'wait' ? plan.onceMet?.kind : plan.kind
  if (answered || (kind !== 'in_app' && kind !== 'send')) return []
  const wording = wordings.of(toAsked(start))
  if (kind === 'in_app') return missingWords(wording, step, inAppFields(step))
  return missingWords(wording, step, sendFields(step), takesLayout(step, start.workflow.escapesHtml ?? false))
}

const newStart = { states: [], startedAt: null, digest: null }

async function toStarts(
  { db, env, now }: Scope,
  event: EventRow,
  reached: readonly Reached[],
): Promise<readonly Start[]> {
  const workflow = (await getWorkflows(db, env, [event])).of(event)
  if (!workflow) throw new Error('a judged event has its workflow')
  const patches = new Map<string, SubscriberPatch>()
  for (const { subscriberId, inline } of reached) {
    const { channels: _channels, ...patch } = inline ?? { subscriberId }
    if (inline) patches.set(subscriberId, patch)
  }
  const saved = await saveSubscribers(db, env, [...patches.values()], now)
  const ids = [...new Set(reached.map((it) => it.subscriberId))].filter((id) => !saved.has(id))
  const actorId = actorIdOf(event)
  const [actor = null] = actorId === null ? [] : await listSubscribersById(db, env, [actorId])
  const found = ids.length > 0 ? await listSubscribersById(db, env, ids) : []
  const people = new Map<string, SubscriberRow>(found.map((row) => [row.subscriber_id, row]))
  for (const { row } of saved.values()) people.set(row.subscriber_id, row)
  const lane = laneOf(workflow, event.recipients as Recipient[] | null)
  const topics = new Map(reached.map((it) => [it.subscriberId, it.topicId]))
  const starts = [...people.values()].map((subscriber): Start => {
    const topicId = topics.get(subscriber.subscriber_id)
    return { event, workflow, subscriber, actor, topicIds: topicId ? [topicId] : null, lane, ...newStart }
  })
  return judgeSubscriptions(db, env, event, starts)
}

/** Why this integration comes first. Chat and push go through every one, so there is nothing to tell. */
function whyChosen({ row, provider }: Candidate, named: boolean): string | undefined {
  if (named) return 'The event names this integration'
  if (row.channel !== 'email' && row.channel !== 'sms') return undefined
  const which = row.is_primary ? 'It is the primary' : "The primary's conditions exclude this subscriber"
  return provider.developmentOnly ? `${which}: it stays in the development mailbox` : which
}

/** What it depends on, and what would stop it whatever comes of that. */
function explainWait({ stepId, type, when }: Step, then: StepExplanation | undefined): StepExplanation {
  const dependsOn = when && { dependsOn: { stepId: when.stepId, is: when.is } }
  if (then && (then.outcome === 'skip' || then.outcome === 'fail')) return { ...then, ...dependsOn }
  const why = when ? `Only if step ${when.stepId} is ${when.is}` : 'It depends on the outcome of an earlier step'
  return { ...then, stepId, type, outcome: 'wait', why, ...dependsOn }
}

function toStepExplanation({ step, plan }: Pick<Planned, 'step' | 'plan'>): StepExplanation {
  const explain = (outcome: StepExplanation['outcome'], more: Partial<StepExplanation> = {}) => ({
    stepId: step.stepId,
    type: step.type,
    outcome,
    ...more,
  })
  switch (plan.kind) {
    case 'skip':
      return explain('skip', { why: plan.why })
    case 'fail':
      return explain('fail', { why: plan.why })
    case 'stop':
      return explain('skip', { why: 'An earlier step failed and stops the rest' })
    case 'wait':
      return explainWait(step, plan.onceMet && toStepExplanation({ step, plan: plan.onceMet }))
    case 'ask':
      return explain('ask', { why: 'The bridge decides when the step is reached' })
    case 'custom':
      return explain('run')
    case 'delay':
      return explain('delay', { until: plan.until.toISOString() })
    case 'defer':
      return explain('defer', { until: plan.until.toISOString(), why: "Outside the subscriber's schedule" })
    case 'digest':
      return explain('digest', { until: plan.closesAt.toISOString() })
    case 'throttle':
      return explain('throttle', { until: plan.endsAt.toISOString(), why: `${plan.threshold} in this time pass` })
    case 'in_app':
      return explain('send', { integrations: [] })
    case 'send': {
      const integrations = plan.targets.map(({ integration }) => (integration ?? plan.first).row.identifier)
      const why = whyChosen(plan.first, plan.named)
      return explain('send', { ...(why && { why }), integrations })
    }
  }
}
