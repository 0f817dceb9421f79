import { isPlainObject } from '../../lib/canonical-json.ts'
import { deterministicId } from '../../lib/deterministic-id.ts'
import type { Channel } from '../../providers/provider.ts'
import type { JobStatus, NewNotification } from '../../store/history/history.ts'
import { applyAnswer } from '../bridge/apply-answer.ts'
import type { Preferences } from '../subscribers/preferences.ts'
import { nextOpening, type Schedule } from '../subscribers/schedule.ts'
import type { Variables } from '../values/variables.ts'
import type { Wordings } from '../wording/wording.ts'
import { conditionsPass } from '../workflows/conditions.ts'
import { pickVariant } from '../workflows/pick-variant.ts'
import type { Step } from '../workflows/workflow.ts'
import type { Plan, Planned, RenderScope, Start } from './plan.ts'
import { isProviderChannel, planSend, type SendInputs } from './plan-send.ts'
import { toScopeContext, toScopeSubscriber, toScopeTenant } from './render-scope.ts'
import { delayUntil, digestCloses, lookBackSeconds, throttleEnds, windowKey } from './wait.ts'
import { judgeWhen } from './when.ts'

/** What plans depend on besides the event and the subscriber. */
export type PlanInputs = {
  sending: SendInputs
  preferences: Preferences
  /** By subscriber: the hours in which they want to be reached. */
  schedules: Map<string, Schedule>
  /** Layouts and translations. */
  wordings: Wordings
  /** Empty where nothing asks for them. */
  variables: Variables
  /** Whether there is somebody to ask about steps whose code is with the tenant. */
  hasBridge: boolean
  now: Date
}

export function toNotification({ event, workflow, subscriber, topicIds }: Start): NewNotification {
  return {
    id: deterministicId(event.id, 'notification', event.id, subscriber.id),
    event_id: event.id,
    transaction_id: event.transaction_id,
    subscriber_id: subscriber.id,
    workflow_id: workflow.id,
    workflow_version: workflow.version,
    topic_ids: topicIds,
    context_keys: event.context_keys,
  }
}

export function jobId(notificationId: string, stepId: string): string {
  return deterministicId(notificationId, 'job', notificationId, stepId)
}

/**
 * Plans the steps that have no outcome yet. A step that waits for another is planned when that one has its outcome;
 * `assumeSuccess` plans it now, as if every earlier step succeeded and every `when` were met.
 */
export function planSteps(start: Start, inputs: PlanInputs, { assumeSuccess = false } = {}): Planned[] {
  const notification = toNotification(start)
  const scope = toRenderScope(start, inputs.variables)
  let [waits, stops] = [false, false]
  return start.workflow.steps.flatMap((step, index) => {
    const state = start.states[index] ?? null
    const known = state !== null && state !== 'pending'
    if (known) {
      waits ||= stateBlocksLater(state, step)
      stops ||= state === 'failed' && step.shouldStopOnFail
      return []
    }
    const answer = start.answers?.get(index)
    const told = answer && applyAnswer(step, answer)
    const applied = told && 'step' in told ? { step: told.step, variant: null } : pickVariant(step, scope)
    const answered = told && 'step' in told ? { answered: told.providers } : {}
    const planNow = () => planStep(applied.step, start, scope, inputs, told && ('plan' in told ? told.plan : 'told'))
    const plan: Plan = stops ? { kind: 'stop' } : waits ? { kind: 'wait' } : (planWhen(step, start) ?? planNow())
    if (assumeSuccess && plan.kind === 'wait') plan.onceMet = planNow()
    waits ||= !assumeSuccess && planBlocksLater(plan, step)
    return { start, notification, ...applied, ...answered, index, id: jobId(notification.id, step.stepId), plan }
  })
}

function stateBlocksLater(state: JobStatus, step: Step): boolean {
  if (state === 'delayed') return step.type === 'delay' || step.type === 'digest' || step.shouldStopOnFail
  return state === 'queued' && step.shouldStopOnFail
}

/** Whether later steps must wait for the outcome of this one. */
function planBlocksLater(plan: Plan, step: Step): boolean {
  if (plan.kind === 'delay' || plan.kind === 'digest' || plan.kind === 'ask') return true
  // Of the steps that wait for another's outcome, only these hold up later ones: those that may stop them, and every
  // delay, digest and throttle.
  if (plan.kind === 'wait') return step.shouldStopOnFail || !isSent(step)
  return (plan.kind === 'send' || plan.kind === 'defer') && step.shouldStopOnFail
}

function isSent({ type }: Step): boolean {
  return type === 'in_app' || isProviderChannel(type)
}

/** Null: `when` does not hold the step back. */
function planWhen(step: Step, start: Start): Plan | null {
  const judged = step.active && start.refused === undefined ? judgeWhen(step, start) : 'met'
  if (judged === 'met') return null
  return 'why' in judged ? { kind: 'skip', why: judged.why } : { kind: 'wait', waitsFor: judged.waitsFor }
}

/** `told`: the bridge has said what it is, or that it sends or waits by the step's values. */
function planStep(step: Step, start: Start, scope: RenderScope, inputs: PlanInputs, told?: Plan | 'told'): Plan {
  const { subscriber, refused } = start
  if (!step.active) return { kind: 'skip', why: 'The step is not active' }
  if (refused !== undefined) return { kind: 'skip', why: refused }
  const conditions = conditionsPass(step.filters, scope)
  if (!conditions.passes) return { kind: 'skip', why: conditions.why }
  if (told && told !== 'told') return told
  const isToAsk = start.workflow.origin === 'external' && !told
  if (isToAsk && !inputs.hasBridge) return { kind: 'fail', why: noBridge }
  if (step.type === 'in_app' || isProviderChannel(step.type)) {
    const plan = planChannel(step, step.type, start, scope, inputs)
    // Nobody is asked about what is not sent anyway.
    return isToAsk && (plan.kind === 'send' || plan.kind === 'in_app') ? { kind: 'ask' } : plan
  }
  if (isToAsk) return { kind: 'ask' }
  return planWait(step, scope, { now: inputs.now, zone: subscriber.timezone ?? 'UTC', keyOrText: told !== undefined })
}

const noBridge = 'The environment has no bridge: tell of it by POST /v1/bridge/sync'

/** First preferences, then address and integration, then the subscriber's schedule. */
function planChannel(step: Step, channel: Channel, start: Start, scope: RenderScope, inputs: PlanInputs): Plan {
  const { subscriber, event, workflow } = start
  const wanted = inputs.preferences.decide(subscriber.id, workflow, channel)
  if (!wanted.enabled) return { kind: 'skip', why: wanted.why }
  if (channel === 'in_app') return { kind: 'in_app', scope }
  const { critical } = workflow
  const contextKeys = event.context_keys
  const asked = { step, subscriber, overrides: event.overrides, scope, critical, contextKeys }
  const plan = planSend(channel, asked, inputs.sending)
  if (plan.kind !== 'send') return plan
  const opening = critical ? null : nextOpening(inputs.schedules.get(subscriber.id), inputs.now, subscriber.timezone)
  return opening ? { kind: 'defer', until: opening } : { ...plan, scope }
}

type Moment = { now: Date; zone: string; keyOrText: boolean }

function planWait(step: Step, scope: RenderScope, moment: Moment): Plan {
  switch (step.type) {
    case 'delay': {
      const until = delayUntil(step, scope, moment)
      return 'fault' in until ? { kind: 'fail', why: `Delay: ${until.fault}` } : { kind: 'delay', ...until }
    }
    case 'digest': {
      const closes = digestCloses(step, moment)
      if ('fault' in closes) return { kind: 'fail', why: `Digest: ${closes.fault}` }
      const key = windowKey(step.controlValues.digestKey, scope, moment)
      return { kind: 'digest', key, closesAt: closes.until, lookBackSeconds: lookBackSeconds(step, moment) }
    }
    case 'throttle': {
      const ends = throttleEnds(step, scope, moment)
      if ('fault' in ends) return { kind: 'fail', why: `Throttle: ${ends.fault}` }
      const { threshold, throttleKey } = step.controlValues
      const key = windowKey(throttleKey, scope, moment)
      return { kind: 'throttle', key, threshold: typeof threshold === 'number' ? threshold : 1, endsAt: ends.until }
    }
    default:
      return { kind: 'fail', why: `${step.type} is not a step that waits` }
  }
}

export function toRenderScope(
  start: Pick<Start, 'event' | 'subscriber' | 'actor' | 'digest'>,
  variables: Variables,
): RenderScope {
  const { event, subscriber, actor, digest } = start
  return {
    subscriber: toScopeSubscriber(subscriber),
    payload: isPlainObject(event.payload) ? event.payload : {},
    actor: actor ? toScopeSubscriber(actor) : {},
    tenant: toScopeTenant(event),
    context: toScopeContext(event),
    env: variables,
    step: digest
      ? { digest: true, events: digest.events, eventCount: digest.count, total_count: digest.count }
      : { digest: false, events: [], eventCount: 0, total_count: 0 },
  }
}
