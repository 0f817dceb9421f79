import { Type } from 'typebox'
import { getSource, publish } from '../../core/publishing/publish.ts'
import { fingerprintInput, noteInput } from '../../core/publishing/publishing-json.ts'
import { toWorkflowResponseJson, workflowSchema } from '../../core/replies/workflow-json.ts'
import { findUnsettledWorkflow } from '../../core/workflows/save-workflow.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { fields } from '../../lib/schemas.ts'
import { findWorkflow } from '../../store/workflows.ts'

export default defineRoute({
  method: 'PUT',
  path: '/v2/workflows/{workflowId}/sync',
  summary: 'Publish a workflow to another environment, with what it depends on',
  body: fields({
    targetEnvironmentId: Type.String({ minLength: 1, maxLength: 300 }),
    fingerprint: fingerprintInput,
    note: noteInput,
  }),
  response: workflowSchema,
  // What is published is in memory until it is written.
  isHeavy: () => 'node',
  actsIn: ({ body }) => (isPlainObject(body) ? body.targetEnvironmentId : undefined),
  async handler({ home, params, body, ...scope }) {
    const { ctx, db, env, outside } = scope
    if (home.environmentId === env.environmentId) {
      throw invalidField('targetEnvironmentId', 'must be another environment than that of the workflow')
    }
    const source = await getSource(db, env, home.environmentId)
    const found = await outside('workflow', () =>
      ctx.database.read(source.env, (read) => findWorkflow(read, source.env, params.workflowId)),
    )
    if (!found) throw new ApiError('workflow_not_found')
    const chosen = [{ kind: 'workflow' as const, key: found.identifier }]
    const { note = null, fingerprint = null } = body
    await publish(scope, source, { chosen, dryRun: false, note, fingerprint })
    const there = await findUnsettledWorkflow(db, env, found.identifier)
    if (!there) throw new ApiError('workflow_not_found')
    return toWorkflowResponseJson(there)
  },
})
