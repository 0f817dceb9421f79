import { Type } from 'typebox'
import { toWorkflowResponseJson, workflowSchema } from '../../core/replies/workflow-json.ts'
import { toWorkflow } from '../../core/workflows/workflow.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, limitQuery } from '../../lib/schemas.ts'
import { findWorkflow, listWorkflowVersions } from '../../store/workflows.ts'

const versionSchema = Type.Object(
  {
    version: Type.Integer(),
    current: Type.Boolean(),
    createdAt: Type.Optional(Type.String({ format: 'date-time' })),
    createdBy: Type.Optional(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: 'The name of the API key, also of who signed in with it; else where it was saved.' },
      ),
    ),
    workflow: workflowSchema,
  },
  { title: 'WorkflowVersion' },
)

export default defineRoute({
  method: 'GET',
  path: '/v2/workflows/{workflowId}/versions',
  summary: 'All versions of a workflow, newest first; what runs goes on with the one it began with',
  query: fields({
    before: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only older ones.' })),
    limit: limitQuery(100, 20),
  }),
  response: Type.Object({ data: Type.Array(versionSchema), hasMore: Type.Boolean() }),
  async handler({ db, env, params, query }) {
    const { before = null, limit = 20 } = query
    const row = await findWorkflow(db, env, params.workflowId)
    if (!row) throw new ApiError('workflow_not_found')
    const rows = await listWorkflowVersions(db, env, row.id, { before, limit })
    const data = rows.slice(0, limit).map((version) => ({
      version: version.version,
      current: version.version === row.version,
      ...(version.madeAt && { createdAt: version.madeAt.toISOString() }),
      ...(version.madeBy && {
        createdBy: { id: version.madeBy, name: version.keyName ?? placeOf(version.madeBy, env) },
      }),
      workflow: toWorkflowResponseJson({
        workflow: toWorkflow(version),
        active: row.active,
        updatedAt: version.madeAt ?? row.updated_at,
      }),
    }))
    return { data, hasMore: rows.length > limit }
  },
})

/** What no key has saved: `apply` and the first start do it as the environment itself, a sign-in link as its session. */
function placeOf(madeBy: string, { environmentId }: { environmentId: string }): string {
  return madeBy === environmentId ? 'the command line' : 'the dashboard'
}
