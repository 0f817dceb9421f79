import { Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { previewProperties, previewSchema, previewStep } from '../../core/pipeline/preview-step.ts'
import { completeFilter, stepFilterInput } from '../../core/workflows/step-filter.ts'
import { type Step, stepTypes } from '../../core/workflows/workflow.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import type { Env } from '../../store/database.ts'
import { findWorkflow } from '../../store/workflows.ts'

const values = Type.Optional(nullable(freeObject))
const filters = Type.Optional(Type.Array(stepFilterInput))
const stepInput = fields({
  type: oneOf(stepTypes),
  active: Type.Optional(Type.Boolean()),
  controlValues: values,
  filters,
  variants: Type.Optional(
    Type.Array(fields({ name: Type.Optional(Type.String()), filters, controlValues: values }), { maxItems: 20 }),
  ),
})

export default defineRoute({
  method: 'POST',
  path: '/v2/workflows/preview',
  summary: 'A step that is not saved, as one person would see it; nothing is sent',
  body: fields({
    step: stepInput,
    workflowId: Type.Optional(
      Type.String({ description: 'The workflow that the step will be part of: its translations are used.' }),
    ),
    ...previewProperties,
  }),
  response: previewSchema,
  // Rendering may be slow.
  beforeTransaction: {
    async call({ ctx, env, body }) {
      const { step: sent, workflowId, ...input } = body
      const id = workflowId === undefined ? null : await findId(ctx, env, workflowId)
      const step: Step = {
        id: '',
        stepId: 'preview',
        name: 'Preview',
        type: sent.type,
        active: sent.active ?? true,
        shouldStopOnFail: false,
        controlValues: sent.controlValues ?? {},
        filters: (sent.filters ?? []).map(completeFilter),
        variants: (sent.variants ?? []).map((variant) => ({
          ...(variant.name !== undefined && { name: variant.name }),
          filters: (variant.filters ?? []).map(completeFilter),
          controlValues: variant.controlValues ?? {},
        })),
      }
      return previewStep(ctx, env, step, input, { id, payloadSchema: null, escapesHtml: true })
    },
  },
  async handler({ prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return prepared
  },
})

async function findId(ctx: Ctx, env: Env, workflowId: string): Promise<string> {
  const found = await ctx.database.read(env, (db) => findWorkflow(db, env, workflowId))
  if (!found) throw new ApiError('workflow_not_found')
  return found.id
}
