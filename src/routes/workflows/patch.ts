import { Type } from 'typebox'
import { toWorkflowResponseJson, workflowSchema } from '../../core/replies/workflow-json.ts'
import { findSchemaFault } from '../../core/workflows/judge-payloads.ts'
import { changeWorkflow, lockCurrentWorkflow } from '../../core/workflows/save-workflow.ts'
import { workflowInput } from '../../core/workflows/workflow.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { fields } from '../../lib/schemas.ts'

const { name, active, description, tags, validatePayload, payloadSchema, isTranslationEnabled } = workflowInput

export default defineRoute({
  method: 'PATCH',
  path: '/v2/workflows/{workflowId}',
  summary: 'Switch a workflow on or off, or change its name, description, tags or payload schema',
  // At night one must be able to stop a workflow wherever it runs.
  changesContent: (body) => !isPlainObject(body) || Object.keys(body).some((name) => name !== 'active'),
  body: fields({
    name: Type.Optional(name),
    active,
    description,
    tags,
    validatePayload,
    payloadSchema,
    isTranslationEnabled,
  }),
  response: workflowSchema,
  async handler({ ctx, db, env, now, params, body, outside }) {
    const schemaFault = await findSchemaFault({ ctx, env, outside }, body.payloadSchema)
    const current = await lockCurrentWorkflow(db, env, params.workflowId)
    if (!current) throw new ApiError('workflow_not_found')
    const isSwitch = Object.keys(body).every((name) => name === 'active')
    if (current.workflow.origin === 'external' && !isSwitch) throw new ApiError('workflow_external')
    return toWorkflowResponseJson(await changeWorkflow(db, env, current, { input: body, schemaFault }, now))
  },
})
