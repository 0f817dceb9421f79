import type { Lane } from '../engine/define-task.ts'
import type { Recipient } from './pipeline/recipients.ts'
import type { Workflow } from './workflows/workflow.ts'

/** One person's notification does not wait behind a crowd's. */
export function laneOf(workflow: Pick<Workflow, 'critical'>, recipients: readonly Recipient[] | null): Lane {
  if (workflow.critical) return 'critical'
  const isCrowd = recipients === null || recipients.length > 100 || recipients.some((it) => 'topicKey' in it)
  return isCrowd ? 'bulk' : 'transactional'
}
