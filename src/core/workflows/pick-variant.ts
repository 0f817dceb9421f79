import { type ConditionScope, conditionsPass } from './conditions.ts'
import type { Step } from './workflow.ts'

/** The step with the values of the first variant whose filters pass, and that variant's name. */
export function pickVariant(step: Step, scope: ConditionScope): { step: Step; variant: string | null } {
  for (const [index, { name, filters, controlValues, compiled }] of (step.variants ?? []).entries()) {
    if (!conditionsPass(filters, scope).passes) continue
    const { compiled: _own, ...rest } = step
    const picked = { ...rest, controlValues, ...(compiled && { compiled }) }
    return { step: picked, variant: name ?? String(index + 1) }
  }
  return { step, variant: null }
}
