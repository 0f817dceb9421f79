import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { fields, freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import type { Env } from '../../store/database.ts'
import { findCurrentWorkflow } from '../workflows/save-workflow.ts'
import { completeFilter, stepFilterInput } from '../workflows/step-filter.ts'
import { ownStepTypes, type Step } from '../workflows/workflow.ts'
import { type PreviewJson, previewProperties, previewStep } from './preview-step.ts'

const values = Type.Optional(nullable(freeObject))
const filters = Type.Optional(Type.Array(stepFilterInput))
const stepInput = fields({
  type: oneOf(ownStepTypes),
  active: Type.Optional(Type.Boolean()),
  controlValues: values,
  filters,
  variants: Type.Optional(
    Type.Array(fields({ name: Type.Optional(Type.String()), filters, controlValues: values }), { maxItems: 20 }),
  ),
})

/** A step that is not saved, and whom it is shown to. */
export const draftProperties = {
  step: stepInput,
  workflowId: Type.Optional(
    Type.String({ description: 'The workflow it will be part of: its translations and preferences are used.' }),
  ),
  ...previewProperties,
}
type DraftInput = Static<ReturnType<typeof fields<typeof draftProperties>>>

export async function previewDraft(ctx: Ctx, env: Env, given: DraftInput): Promise<PreviewJson> {
  const { step: sent, workflowId, ...input } = given
  const found =
    workflowId === undefined ? null : await ctx.database.read(env, (db) => findCurrentWorkflow(db, env, workflowId))
  if (workflowId !== undefined && !found) throw new ApiError('workflow_not_found')
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
  return previewStep(ctx, env, step, input, found, true)
}
