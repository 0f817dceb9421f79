import type { ApiFault } from '../../api/fault.ts'
import type { Draft } from './draft.ts'

/** What the server found wrong, by path: of the workflow, and of each step by its stepId. */
export type Faults = { workflow: Record<string, string>; steps: Record<string, Record<string, string>> }
export const noFaults: Faults = { workflow: {}, steps: {} }

/** The server counts steps; here they go by their ids. */
export function toFaults(fault: ApiFault, draft: Draft): Faults {
  const found: Faults = { workflow: {}, steps: {} }
  for (const [path, { messages }] of Object.entries(fault.errors)) {
    const [, index, rest] = /^steps\.(\d+)\.(.*)$/.exec(path) ?? []
    const step = index === undefined ? undefined : draft.steps[Number(index)]
    if (!step) found.workflow[path] = messages.join(' ')
    else found.steps[step.stepId] = { ...found.steps[step.stepId], [rest ?? '']: messages.join(' ') }
  }
  return found
}
