import type { JobStatus, NewJob } from '../../store/history/history.ts'
import type { Step, When, Workflow } from '../workflows/workflow.ts'
import type { Awaiting, Mark } from './plan.ts'

type StepStates = {
  workflow: Pick<Workflow, 'steps'>
  states: readonly (JobStatus | null)[]
  marks?: ReadonlyMap<string, Mark>
}

/** Whether a step's `when` lets it run. It waits while the step it names has no outcome. */
export function judgeWhen({ when }: Step, start: StepStates): 'met' | { waitsFor: string } | { why: string } {
  if (!when) return 'met'
  const state = start.states[start.workflow.steps.findIndex((it) => it.stepId === when.stepId)] ?? null
  if (!isOutcome(state)) return { waitsFor: when.stepId }
  return isMet(when, state, start.marks?.get(when.stepId)) ? 'met' : { why: `Step ${when.stepId} is not ${when.is}` }
}

/** A step without messages (skipped or failed) counts as unseen and unread. */
function isMet({ is }: When, state: JobStatus, mark: Mark = { seen: false, read: false }): boolean {
  switch (is) {
    case 'sent':
      return state === 'completed'
    case 'failed':
      return state === 'failed'
    case 'seen':
      return mark.seen
    case 'unseen':
      return !mark.seen
    case 'read':
      return mark.read
    case 'unread':
      return !mark.read
  }
}

export function isOutcome(state: JobStatus | null): state is JobStatus {
  switch (state) {
    case null:
    case 'pending':
    case 'queued':
    case 'running':
    case 'delayed':
      return false
    case 'completed':
    case 'failed':
    case 'canceled':
    case 'merged':
    case 'skipped':
      return true
  }
}

/** Whether a later step's `when` names this step. */
export function isAwaited(steps: readonly Step[], index: number): boolean {
  const stepId = steps[index]?.stepId
  return steps.some((step, at) => at > index && step.when?.stepId === stepId)
}

/**
 * The notifications with a step whose awaited outcome is in this same page. They continue at once; the others are woken
 * when the provider has answered.
 */
export function outcomesKnown(page: { jobs: readonly NewJob[]; awaiting: readonly Awaiting[] }): string[] {
  if (page.awaiting.length === 0) return []
  const states = new Map(page.jobs.map((job) => [job.id, job.status]))
  return page.awaiting.flatMap(({ notificationId, jobId, targetId }) =>
    states.get(jobId) === 'pending' && isOutcome(states.get(targetId) ?? null) ? notificationId : [],
  )
}
