import type { Json } from '../harness.ts'

type Given = { steps?: Json[]; workflowId?: string; more?: Json }

/** What a bridge answers that is asked which workflows it has: one, with one step unless others are given. */
export function discovery({
  steps = [{ stepId: 'inbox', type: 'in_app' }],
  workflowId = 'coded',
  more = {},
}: Given = {}) {
  const workflow = { workflowId, steps, severity: 'none', tags: [], preferences: {}, ...more }
  return { json: { workflows: [workflow], agents: [] } }
}
