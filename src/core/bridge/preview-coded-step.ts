import type { Ctx } from '../../context.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Env } from '../../store/database.ts'
import type { RenderScope } from '../pipeline/plan.ts'
import { isProviderChannel } from '../pipeline/plan-send.ts'
import {
  type Fault,
  isWanted,
  type PreviewInput,
  type PreviewJson,
  type Shown,
  showSend,
  showWait,
  toClientError,
  toScope,
} from '../pipeline/preview-step.ts'
import { sendFields } from '../pipeline/send-content.ts'
import type { Step, Workflow } from '../workflows/workflow.ts'
import { applyAnswer } from './apply-answer.ts'
import { previewAnswers } from './preview-answers.ts'
import type { StepState } from './step-states.ts'

/** A step that is code of a tenant as one subscriber would see it: the bridge says it. Nothing is stored or sent. */
export async function previewCodedStep(
  ctx: Ctx,
  env: Env,
  workflow: Workflow,
  step: Step,
  input: PreviewInput,
): Promise<PreviewJson> {
  const { scope, person } = await toScope(ctx, env, input)
  const wanted = await ctx.database.read(env, (db) => isWanted(db, env, { step, workflow, person }))
  const hasActor = input.previewPayload?.actor !== undefined
  const asked = {
    workflowId: workflow.identifier,
    step,
    scope,
    hasActor,
    state: gatheredBefore(workflow, step, scope, ctx.clock()),
  }
  const [said] = await previewAnswers(ctx, env, [asked])
  if (!said) throw new Error('one question, one answer')
  const shown =
    said.kind === 'silent' ? unsaid(`Nothing can be shown: ${said.why}`) : await show(ctx, env, step, said, scope)
  const why = wanted ?? shown.why
  const [first] = shown.errors
  return {
    result: {
      type: step.type,
      preview: shown.preview,
      errors: shown.errors,
      ...(first && { error: { ...toClientError(first), hint: 'Look at the bridge: its code and its log.' } }),
    },
    applies: why === undefined,
    ...(why !== undefined && { why }),
    previewPayloadExample: scope,
    schema: workflow.payloadSchema,
  }
}

type Coded = Shown & { why?: string }

const unsaid = (message: string): Coded => ({ preview: {}, errors: [{ field: 'bridge', message }] })

async function show(
  ctx: Ctx,
  env: Env,
  step: Step,
  answer: Parameters<typeof applyAnswer>[1],
  scope: RenderScope,
): Promise<Coded> {
  const applied = applyAnswer(step, answer)
  if ('plan' in applied) {
    const { plan } = applied
    if (plan.kind === 'skip') return { preview: {}, errors: [], why: plan.why }
    if (plan.kind === 'fail') return unsaid(plan.why)
    return { preview: answer.kind === 'outputs' ? answer.outputs : {}, errors: [] }
  }
  const told = applied.step
  const errors: Fault[] = []
  if (told.type === 'in_app') return { preview: { body: '', ...told.controlValues }, errors }
  if (isProviderChannel(told.type)) {
    return { preview: await showSend(ctx, env, told.type, sendFields(told), scope), errors }
  }
  return showWait(told, scope, ctx.clock())
}

/** What a digest before it has gathered, as it was given; all else their code makes up. */
function gatheredBefore({ steps }: Workflow, step: Step, scope: RenderScope, now: Date): StepState[] {
  const given = isPlainObject(scope.step) && Array.isArray(scope.step.events) ? scope.step.events : []
  if (given.length === 0) return []
  const events = given.map((payload, n) => ({ id: `event-${n + 1}`, time: now.toISOString(), payload }))
  const before = steps.slice(0, steps.indexOf(step)).filter(({ type }) => type === 'digest')
  return before.map(({ stepId }) => ({
    stepId,
    outputs: { events, eventCount: events.length },
    state: { status: 'completed' },
  }))
}
