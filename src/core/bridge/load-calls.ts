import type { Ctx } from '../../context.ts'
import type { NamedBridge } from '../../store/bridge/bridges.ts'
import { listFeedStates, type TakenCall } from '../../store/bridge/calls.ts'
import { listGathered } from '../../store/bridge/gathered.ts'
import type { Db, Env } from '../../store/database.ts'
import type { JobRow } from '../../store/history/notifications.ts'
import type { Start } from '../pipeline/plan.ts'
import { toNotification, toRenderScope } from '../pipeline/plan-steps.ts'
import { loadStarts } from '../pipeline/resume.ts'
import { loadVariablesWithSecrets, noVariables, type Variables } from '../values/variables.ts'
import type { Step } from '../workflows/workflow.ts'
import type { Question } from './ask.ts'
import { type StepState, statesBefore } from './step-states.ts'

export type Call = { taken: TakenCall; step: Step; question: Question }

/** `over`: what waits no longer, or may not go on now; resume.ts knows what becomes of it. */
export type Calls = { calls: Call[]; over: TakenCall[] }

// Of the payloads that a digest gathered.
const mostEventChars = 1024 * 1024

/** The questions about these steps, with one query per table. */
export async function loadCalls(
  ctx: Ctx,
  db: Db,
  env: Env,
  bridge: NamedBridge,
  taken: readonly TakenCall[],
): Promise<Calls> {
  const { starts, jobs } = await loadStarts(
    db,
    env,
    taken.map((it) => it.notificationId),
  )
  const startOf = new Map(starts.map((start) => [toNotification(start).id, start]))
  const inApp = [...jobs.values()].flat().filter(({ type }) => type === 'in_app')
  const feed = await listFeedStates(
    db,
    env,
    inApp.flatMap((job) => job.message_ids ?? []),
  )
  const digested = [...jobs.values()].flat().filter(({ type, status }) => type === 'digest' && status === 'completed')
  const digestedIds = [...new Set(digested.map((job) => job.notification_id))]
  const gatheredIn = await listGathered(db, env, digestedIds, mostEventChars)
  const { variables, secrets } = await loadVariablesWithSecrets(ctx, db, env)
  const own = toBridgeEnv(bridge, variables)
  const loaded: Calls = { calls: [], over: [] }
  for (const it of taken) {
    const start = startOf.get(it.notificationId)
    const its = jobs.get(it.notificationId) ?? []
    const job = its.find(({ id }) => id === it.jobId)
    const step = job && start?.workflow.steps[job.step_index]
    if (!start || !job || !step || !isOpen(job)) {
      loaded.over.push(it)
      continue
    }
    const states = statesBefore(job.step_index, { start, jobs: its, feed, gathered: gatheredIn(it.notificationId) })
    const named = { workflowId: start.workflow.identifier, stepId: step.stepId, jobId: job.id }
    const body = toBody(start, own, states)
    const environmentType = bridge.environment_type
    loaded.calls.push({ taken: it, step, question: { action: 'execute', ...named, environmentType, body, secrets } })
  }
  return loaded
}

function isOpen({ status, answer }: JobRow): boolean {
  return status === 'pending' && answer === null
}

/** The environment as their code sees it: its variables, its name and its type. */
export function toBridgeEnv(bridge: NamedBridge, variables: Variables): object {
  return { ...variables, name: bridge.environment_name, type: bridge.environment_type }
}

/** What code of a tenant knows about one step for one person. */
export function toBody(
  start: Pick<Start, 'event' | 'subscriber' | 'actor' | 'digest'>,
  env: object,
  state: readonly StepState[],
): object {
  const { subscriber, payload, actor, context } = toRenderScope(start, noVariables)
  return {
    payload,
    controls: {},
    state,
    subscriber,
    ...(start.actor && { actor }),
    context,
    env,
  }
}
