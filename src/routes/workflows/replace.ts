import { toWorkflowResponseJson, workflowSchema } from '../../core/replies/workflow-json.ts'
import { findSchemaFault } from '../../core/workflows/judge-payloads.ts'
import { lockCurrentWorkflow, replaceWorkflow } from '../../core/workflows/save-workflow.ts'
import { workflowInput } from '../../core/workflows/workflow.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PUT',
  path: '/v2/workflows/{workflowId}',
  summary: 'Replace a workflow by a new version; what runs already goes on with the version it began with',
  changesContent: true,
  body: fields(workflowInput),
  response: workflowSchema,
  async handler({ ctx, db, env, now, params, body, outside }) {
    const schemaFault = await findSchemaFault({ ctx, env, outside }, body.payloadSchema)
    const current = await lockCurrentWorkflow(db, env, params.workflowId)
    if (!current) throw new ApiError('workflow_not_found')
    if (current.workflow.origin === 'external') throw new ApiError('workflow_external')
    return toWorkflowResponseJson(await replaceWorkflow(db, env, current, { input: body, schemaFault }, now))
  },
})
