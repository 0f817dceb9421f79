import { stepSchema, toStepJson } from '../../core/replies/workflow-json.ts'
import { findCurrentWorkflow } from '../../core/workflows/save-workflow.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/workflows/{workflowId}/steps/{stepId}',
  summary: 'Retrieve a step of a workflow by its stepId or _id',
  response: stepSchema,
  async handler({ db, env, params: { workflowId, stepId } }) {
    const current = await findCurrentWorkflow(db, env, workflowId)
    if (!current) throw new ApiError('workflow_not_found')
    const step = current.workflow.steps.find((it) => it.stepId === stepId || it.id === stepId)
    if (!step) throw new ApiError('step_not_found')
    return toStepJson(step, current.workflow)
  },
})
