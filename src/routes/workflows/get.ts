import { toWorkflowResponseJson, workflowSchema } from '../../core/replies/workflow-json.ts'
import { countMissing } from '../../core/translations/missing.ts'
import { findCurrentWorkflow } from '../../core/workflows/save-workflow.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/workflows/{workflowId}',
  summary: 'Retrieve a workflow by its workflowId or _id',
  response: workflowSchema,
  async handler({ db, env, params }) {
    const current = await findCurrentWorkflow(db, env, params.workflowId)
    if (!current) throw new ApiError('workflow_not_found')
    const missingTranslations = await countMissing(db, env, current.workflow)
    return { ...toWorkflowResponseJson(current), ...(missingTranslations && { missingTranslations }) }
  },
})
