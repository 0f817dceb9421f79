import type { Step } from '../draft.ts'

export function moved(steps: readonly Step[], from: number, to: number): Step[] {
  const next = [...steps]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}

/** Steps that depend on the renamed one follow it. */
export function renamed(steps: readonly Step[], step: Step, stepId: string): Step[] {
  const follow = (one: Step): Step =>
    one.when?.stepId === step.stepId ? { ...one, when: { ...one.when, stepId } } : one
  return steps.map((one) => (one === step ? { ...step, stepId, slug: stepId } : follow(one)))
}

/** The ids of steps that depend on one that does not come before them. */
export function lostSteps(steps: readonly Step[]): string[] {
  const lost = steps.filter(
    ({ when }, index) => when && !steps.slice(0, index).some(({ stepId }) => stepId === when.stepId),
  )
  return lost.map(({ stepId }) => stepId)
}
