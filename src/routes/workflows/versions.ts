import { Type } from 'typebox'
import { toWorkflowResponseJson, workflowSchema } from '../../core/replies/workflow-json.ts'
import { toWorkflow } from '../../core/workflows/workflow.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, limitQuery, oneOf } from '../../lib/schemas.ts'
import { findActorNames } from '../../store/access/actor-names.ts'
import { actorTypes } from '../../store/access/grants.ts'
import { findPublicationsOf, type VersionPublication } from '../../store/publishing/publications.ts'
import { findWorkflow, listWorkflowVersions } from '../../store/workflows.ts'

const versionSchema = Type.Object(
  {
    version: Type.Integer(),
    current: Type.Boolean(),
    createdAt: Type.Optional(Type.String({ format: 'date-time' })),
    createdBy: Type.Optional(
      Type.Object(
        { id: Type.String(), name: Type.String(), type: Type.Optional(oneOf(actorTypes)) },
        { description: 'The person or API key, also a key that somebody signed in with; else where it was saved.' },
      ),
    ),
    publication: Type.Optional(
      Type.Object(
        {
          _id: Type.String(),
          sourceName: Type.Optional(Type.String({ description: 'As the source was called then.' })),
          restored: Type.Optional(Type.Boolean({ description: 'An earlier state was put back.' })),
        },
        { description: 'It came by publishing.' },
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
    const shown = rows.slice(0, limit)
    const names = await findActorNames(
      db,
      env,
      shown.map(({ madeBy }) => madeBy),
    )
    const publications = await findPublicationsOf(db, env, row.id, shown)
    const data = shown.map((version) => ({
      version: version.version,
      current: version.version === row.version,
      ...(version.madeAt && { createdAt: version.madeAt.toISOString() }),
      ...(version.madeBy && {
        createdBy: { id: version.madeBy, ...(names.get(version.madeBy) ?? { name: placeOf(version.madeBy, env) }) },
      }),
      ...publicationOf(publications.get(version.version)),
      workflow: toWorkflowResponseJson({
        workflow: toWorkflow(version),
        active: row.active,
        updatedAt: version.madeAt ?? row.updated_at,
      }),
    }))
    return { data, hasMore: rows.length > limit }
  },
})

function publicationOf(found: VersionPublication | undefined) {
  if (!found) return {}
  const { id, sourceName, isRestored } = found
  return {
    publication: { _id: id, ...(sourceName !== null && { sourceName }), ...(isRestored && { restored: true }) },
  }
}

/** What no key has saved: `apply` and the first start do it as the environment itself, a sign-in link as its session. */
function placeOf(madeBy: string, { environmentId }: { environmentId: string }): string {
  return madeBy === environmentId ? 'the command line' : 'the dashboard'
}
