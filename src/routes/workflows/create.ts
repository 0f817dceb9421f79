import { toWorkflowResponseJson, workflowSchema } from '../../core/replies/workflow-json.ts'
import { findSchemaFault } from '../../core/workflows/judge-payloads.ts'
import { createWorkflow } from '../../core/workflows/save-workflow.ts'
import { workflowId, workflowInput } from '../../core/workflows/workflow.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/workflows',
  summary: 'Create a workflow',
  changesContent: true,
  body: fields({ workflowId, ...workflowInput }),
  status: 201,
  response: workflowSchema,
  async handler({ ctx, db, env, now, body, outside }) {
    const schemaFault = await findSchemaFault({ ctx, env, outside }, body.payloadSchema)
    const made = await createWorkflow(db, env, body.workflowId.trim(), { input: body, schemaFault }, now)
    if (!made) throw new ApiError('workflow_exists')
    return toWorkflowResponseJson(made)
  },
})
