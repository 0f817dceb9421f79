import { Type } from 'typebox'
import { toWorkflowSummaryJson, workflowSummarySchema } from '../../core/replies/workflow-json.ts'
import { toCurrent } from '../../core/workflows/save-workflow.ts'
import { getWorkflows } from '../../core/workflows/workflow.ts'
import { defineRoute } from '../../http/define-route.ts'
import { cursorList } from '../../http/paging.ts'
import { cursorPageOf, cursorQuery, fields, oneOf } from '../../lib/schemas.ts'
import { listWorkflows } from '../../store/workflows.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/workflows',
  summary: 'List workflows',
  query: fields({
    ...cursorQuery(['_id', 'createdAt', 'updatedAt', 'name', 'workflowId']),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100_000, description: 'Skip this many; cursors are better, and win.' }),
    ),
    query: Type.Optional(Type.String({ description: 'A part of the name or workflowId, case-sensitive.' })),
    tags: Type.Optional(Type.Array(Type.String(), { description: 'Any of these.' })),
    status: Type.Optional(Type.Array(oneOf(['ACTIVE', 'INACTIVE', 'ERROR']), { description: 'Any of these.' })),
  }),
  // Clients of this list read the same items under `workflows`.
  response: Type.Object({
    ...cursorPageOf(workflowSummarySchema).properties,
    workflows: Type.Array(workflowSummarySchema),
  }),
  async handler({ ctx, db, env, query }) {
    const filter = {
      ...(query.query !== undefined && { query: query.query }),
      ...(query.tags !== undefined && { tags: query.tags }),
      ...(query.status !== undefined && { active: activeOf(query.status) }),
    }
    const page = await cursorList(
      { ctx, env, query },
      {
        name: 'workflows',
        filter,
        load: (request) => listWorkflows(db, env, filter, request, query.offset),
        toJson: async (rows) => {
          const versions = await getWorkflows(db, env, rows)
          return rows.map((row) => toWorkflowSummaryJson(toCurrent(row, versions)))
        },
      },
    )
    return { ...page, workflows: page.data }
  },
})

/** `ERROR` matches nothing: a workflow that cannot run is not saved as active. */
function activeOf(status: readonly string[]): boolean[] {
  return [...(status.includes('ACTIVE') ? [true] : []), ...(status.includes('INACTIVE') ? [false] : [])]
}
