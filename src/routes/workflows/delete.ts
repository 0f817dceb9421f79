import { noteChange } from '../../core/record/note-change.ts'
import { dropTranslations } from '../../core/translations/save-translations.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { lockWorkflow, markWorkflowDeleted } from '../../store/workflows.ts'

export default defineRoute({
  method: 'DELETE',
  path: '/v2/workflows/{workflowId}',
  summary: 'Delete a workflow; its history stays readable, and its workflowId is free again',
  changesContent: true,
  status: 204,
  async handler({ db, env, now, params }) {
    const row = await lockWorkflow(db, env, params.workflowId)
    if (!row) throw new ApiError('workflow_not_found')
    const { id, identifier: name } = row
    await markWorkflowDeleted(db, env, id, now)
    noteChange(db, { type: 'workflow', id, name }, { before: { name: row.name, version: row.version } })
    await dropTranslations(db, env, { type: 'workflow', id, identifier: name }, now)
  },
})
