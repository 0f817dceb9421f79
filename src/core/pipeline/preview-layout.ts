import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { freeObject, nullable } from '../../lib/schemas.ts'
import { templateFault } from '../../render/liquid.ts'
import type { Env } from '../../store/database.ts'
import { judgeLayout, type SentValues } from '../layouts/compile-layout.ts'
import { getLayout } from '../layouts/save-layout.ts'
import { bodyPart, wrapBody } from '../layouts/wrap-body.ts'
import { translate } from '../translations/translate.ts'
import { currentWording, type Fault, faultSchema, type PreviewInput, renderFields, toScope } from './preview-step.ts'

export const layoutPreviewSchema = Type.Object(
  {
    result: Type.Object({
      type: Type.Literal('email'),
      preview: Type.Object({ body: Type.String(), text: Type.Optional(Type.String()) }),
      errors: Type.Array(faultSchema),
      warnings: Type.Optional(Type.Array(faultSchema)),
    }),
    previewPayloadExample: { ...freeObject, description: 'What it was rendered with.' },
    schema: nullable(freeObject),
  },
  { title: 'LayoutPreview' },
)

const sample = '<p>Here stands the body of each e-mail.</p>'

type Input = PreviewInput & { controlValues?: Record<string, unknown> | null; content?: string }

/** A layout around a body, rendered like a real send. Nothing is stored or sent. */
export async function previewLayout(
  ctx: Ctx,
  env: Env,
  ref: string,
  { controlValues, content = sample, ...input }: Input,
): Promise<Static<typeof layoutPreviewSchema>> {
  const { scope } = await toScope(ctx, env, input)
  const { saved, wording } = await ctx.database.read(env, async (db) => {
    const saved = await getLayout(db, env, ref)
    const step = { type: 'email', controlValues: { layoutId: saved.identifier } } as const
    return { saved, wording: (await currentWording(db, env, { saved: null, step, scope }))?.layoutOf(step) }
  })
  const judged = controlValues ? judgeLayout(sentValues(controlValues)) : null
  // Of the same edition as its words.
  const compiled = judged ? judged.compiled : (wording?.layout ?? saved.definition).compiled
  const errors: Fault[] = Object.entries(judged?.faults ?? {}).map(([field, { messages }]) => ({
    field,
    message: messages.join('; '),
  }))
  const fault = templateFault(content)
  if (fault !== null) errors.push({ field: 'content', message: `is not a valid template: ${fault}` })
  const preview: { body: string; text?: string } = { body: '' }
  if (compiled && fault === null) {
    const part = bodyPart({ controlValues: {} }, content)
    const body = wrapBody({ compiled }, part, (template) => translate(template, wording?.words ?? [], 'html'))
    const rendered = await renderFields(ctx, env, { templates: { body }, scope, html: ['body'] }, errors)
    preview.body = rendered.body ?? ''
    const [text] = await ctx.renderer.toText([preview.body], env.environmentId)
    if (typeof text === 'string') preview.text = text
  }
  const warnings = (compiled?.warnings ?? []).map(({ message }) => ({ field: 'body', message }))
  return {
    result: { type: 'email', preview, errors, ...(warnings.length > 0 && { warnings }) },
    previewPayloadExample: scope,
    schema: null,
  }
}

/** What is no text or document is as good as nothing: the preview shows what is wrong. */
function sentValues({ email }: Record<string, unknown>): SentValues {
  const { body, editorType } = isPlainObject(email) ? email : {}
  return {
    body: typeof body === 'string' || isPlainObject(body) ? body : null,
    editorType: editorType === 'html' || editorType === 'block' ? editorType : null,
  }
}
