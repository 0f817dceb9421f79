import type { Job, WorkflowStep } from '../../api/types.ts'
import { stepTypeName } from '../activity/steps.ts'
import type { ExplainedStep } from './recipient.ts'

/** One step then and now; one of them is missing when it is new, or gone. */
export type Pair = { id: string; name: string; type: string; job?: Job; now?: ExplainedStep }

/** Steps keep their id when a workflow is changed; those of today have the order of today, those that are gone come last. */
export function pairsOf(jobs: readonly Job[], now: readonly ExplainedStep[], steps: readonly WorkflowStep[]): Pair[] {
  const left = new Map(jobs.map((job) => [job.step._id, job]))
  const today = now.map((step): Pair => {
    const known = steps.find(({ stepId }) => stepId === step.stepId)
    const job = known && left.get(known._id)
    if (job) left.delete(job.step._id)
    const name = known?.name ?? stepTypeName(step.type)
    return { id: step.stepId, name, type: step.type, now: step, ...(job && { job }) }
  })
  const gone = [...left.values()].map(
    (job): Pair => ({ id: job._id, name: job.step.name ?? stepTypeName(job.type), type: job.type, job }),
  )
  return [...today, ...gone]
}
