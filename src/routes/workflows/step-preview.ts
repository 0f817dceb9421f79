import { Type } from 'typebox'
import { previewCodedStep } from '../../core/bridge/preview-coded-step.ts'
import { previewProperties, previewSchema, previewStep } from '../../core/pipeline/preview-step.ts'
import { findCurrentWorkflow } from '../../core/workflows/save-workflow.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, freeObject, nullable } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v2/workflows/{workflowId}/step/{stepId}/preview',
  summary: 'A step of a workflow as one person would see it; nothing is sent',
  // `controlValues` replace the saved ones in this preview; variants are then ignored.
  body: fields({ controlValues: Type.Optional(nullable(freeObject)), ...previewProperties }),
  // The published client expects 201.
  status: 201,
  response: previewSchema,
  // Rendering may be slow.
  beforeTransaction: {
    async call({ ctx, env, params, body }) {
      const { controlValues, ...input } = body
      const found = await ctx.database.read(env, (db) => findCurrentWorkflow(db, env, params.workflowId))
      if (!found) throw new ApiError('workflow_not_found')
      const { workflow } = found
      const step = workflow.steps.find((it) => it.stepId === params.stepId || it.id === params.stepId)
      if (!step) throw new ApiError('step_not_found')
      if (workflow.origin === 'external') return previewCodedStep(ctx, env, workflow, step, input)
      const { variants: _variants, compiled: _compiled, ...own } = step
      const shown = controlValues ? { ...own, controlValues } : step
      // Values that are not saved yet are shown as the version would be that saving them makes.
      const escapesHtml = controlValues ? true : (workflow.escapesHtml ?? false)
      return previewStep(ctx, env, shown, input, found, escapesHtml)
    },
  },
  async handler({ prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return prepared
  },
})
