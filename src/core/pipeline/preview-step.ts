import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { createPauses } from '../../lib/chunks.ts'
import { fields, freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { zoneOrUtc } from '../../lib/zoned-time.ts'
import type { RenderItem } from '../../render/field-plan.ts'
import type { Db, Env } from '../../store/database.ts'
import { findSubscriber, type SubscriberRow } from '../../store/subscribers.ts'
import { currentEdition } from '../../store/wording/editions.ts'
import { inAppFields } from '../inbox/in-app-message.ts'
import { layoutUnknown } from '../layouts/check-layouts.ts'
import { layoutWarnings } from '../layouts/whole-page.ts'
import { loadPreferences } from '../subscribers/preferences.ts'
import { withContexts } from '../values/contexts.ts'
import { showVariables } from '../values/variables.ts'
import { composeFields, missingWords } from '../wording/compose.ts'
import { type Asked, loadWordings, type Wording } from '../wording/wording.ts'
import { conditionsPass } from '../workflows/conditions.ts'
import { judgeControlValues } from '../workflows/control-values.ts'
import { pickVariant } from '../workflows/pick-variant.ts'
import { type Step, stepTypes, type Workflow } from '../workflows/workflow.ts'
import type { RenderScope } from './plan.ts'
import { isProviderChannel } from './plan-send.ts'
import { toScopeContext, toScopeSubscriber } from './render-scope.ts'
import { escapedFields, sendFields, takesLayout, toSendContent } from './send-content.ts'
import { delayUntil, digestCloses, throttleEnds } from './wait.ts'

const given = (description: string) => Type.Optional({ ...freeObject, description })

/** As the public client sends it; `subscriberId` is our addition. */
export const previewProperties = {
  subscriberId: Type.Optional(Type.String({ description: 'A person whose stored profile is used.' })),
  previewPayload: Type.Optional(
    fields({
      subscriber: given('Fields that stand over those of the stored profile.'),
      payload: given('As an event would carry it.'),
      actor: given('Fields of whoever caused the event.'),
      tenant: given('Fields of the tenant.'),
      context: given('The contexts by type: an id, or `{ id, data }`. Without `data`, what is stored is used.'),
      steps: given('`events`: payloads that a digest before the step has gathered.'),
    }),
  ),
}
export type PreviewInput = Static<ReturnType<typeof fields<typeof previewProperties>>>

export const faultSchema = Type.Object({
  field: Type.String({ description: 'The path in controlValues.' }),
  message: Type.String(),
})

export const previewSchema = Type.Object(
  {
    result: Type.Object({
      type: oneOf(stepTypes),
      preview: { ...freeObject, description: 'What the person would see; for steps that wait: `until` when.' },
      errors: Type.Array(faultSchema),
      warnings: Type.Optional(
        Type.Array(faultSchema, {
          description: 'What is not sent as it stands there, and translations that are missing.',
        }),
      ),
      error: Type.Optional(Type.Object({ title: Type.String(), message: Type.String(), hint: Type.String() })),
    }),
    applies: Type.Boolean({ description: 'False: the step would be skipped for this person and payload.' }),
    why: Type.Optional(Type.String()),
    variant: Type.Optional(Type.String({ description: 'The variant that applies.' })),
    previewPayloadExample: { ...freeObject, description: 'What it was rendered with.' },
    schema: nullable(freeObject),
  },
  { title: 'StepPreview' },
)
export type PreviewJson = Static<typeof previewSchema>
export type Fault = Static<typeof faultSchema>

/** An example subscriber, for when none is given. */
const example = { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', data: {} }

/** The workflow of the step, and the edition that was current with it: what a publication changes is not mixed. */
type Saved = { workflow: Workflow; edition: number | null }

/** A step as one subscriber would see it, rendered like a real send. Nothing is stored or sent. */
export async function previewStep(
  ctx: Ctx,
  env: Env,
  step: Step,
  input: PreviewInput,
  saved: Saved | null,
  escapesHtml: boolean,
): Promise<PreviewJson> {
  const workflow = saved?.workflow ?? null
  const { scope, person } = await toScope(ctx, env, input)
  const applied = pickVariant(step, scope)
  const { wording, wanted } = await ctx.database.read(env, async (db) => ({
    wording: await currentWording(db, env, { saved, step: applied.step, scope }),
    wanted: await isWanted(db, env, { step, workflow, person }),
  }))
  const why = whyNot(step, scope) ?? wanted
  const { preview, errors, warnings } = await showStep(ctx, env, applied.step, scope, { escapesHtml, wording })
  const [first] = errors
  return {
    result: {
      type: step.type,
      preview,
      errors,
      ...(warnings && { warnings }),
      ...(first && { error: toClientError(first) }),
    },
    applies: why === undefined,
    ...(why !== undefined && { why }),
    ...(applied.variant !== null && { variant: applied.variant }),
    previewPayloadExample: scope,
    schema: workflow?.payloadSchema ?? null,
  }
}

function whyNot(step: Step, scope: RenderScope): string | undefined {
  if (!step.active) return 'The step is not active'
  const conditions = conditionsPass(step.filters, scope)
  return conditions.passes ? undefined : conditions.why
}

/** Why they do not want it, by what they chose. */
export async function isWanted(
  db: Db,
  env: Env,
  { step, workflow, person }: { step: Step; workflow: Workflow | null; person: SubscriberRow | null },
): Promise<string | undefined> {
  const { type } = step
  if (!workflow || !person || !(type === 'in_app' || isProviderChannel(type))) return undefined
  const preferences = await loadPreferences(db, env, [person.id], [workflow.id])
  const decision = preferences.decide(person.id, workflow, type)
  return decision.enabled ? undefined : decision.why
}

/** `person`: the stored one, if there is one. */
export async function toScope(
  ctx: Ctx,
  env: Env,
  { subscriberId, previewPayload = {} }: PreviewInput,
): Promise<{ scope: RenderScope; person: SubscriberRow | null }> {
  const { subscriber, payload, actor, tenant, context, steps } = previewPayload
  const named = subscriberId ?? subscriber?.subscriberId
  const row = typeof named === 'string' ? await ctx.database.read(env, (db) => findSubscriber(db, env, named)) : null
  if (subscriberId !== undefined && !row) throw new ApiError('subscriber_not_found')
  const known = row ? toScopeSubscriber(row) : subscriber ? { data: {} } : example
  const { filled, variables } = await ctx.database.read(env, async (db) => ({
    filled: (await withContexts(db, env, [{ context }]))[0],
    variables: await showVariables(ctx, db, env),
  }))
  const events = Array.isArray(steps?.events) ? steps.events : []
  const count = events.length
  const scope = {
    subscriber: { ...known, ...subscriber },
    payload: payload ?? {},
    actor: actor ?? {},
    tenant: tenant ?? {},
    context: toScopeContext({ context: filled?.context ?? null }),
    env: variables,
    step: { digest: count > 0, events, eventCount: count, total_count: count },
  }
  return { scope, person: row }
}

/** As an event would have it that was accepted when `saved` was read; null: of a workflow that is not saved yet. */
export async function currentWording(
  db: Db,
  env: Env,
  { saved, step, scope }: { saved: Saved | null; step: Asked['workflow']['steps'][number]; scope: RenderScope },
): Promise<Wording | null> {
  const edition = saved ? saved.edition : ((await currentEdition(db, env))?.number ?? null)
  const { locale } = scope.subscriber
  const asked: Asked = {
    edition,
    // An id that no workflow has: it has no translations.
    workflow: { id: saved?.workflow.id ?? '', version: 0, steps: [step] },
    locale: typeof locale === 'string' ? locale : null,
  }
  return (await loadWordings(db, env, [asked])).of(asked)
}

export type Shown = { preview: Record<string, unknown>; errors: Fault[]; warnings?: Fault[] }

async function showStep(
  ctx: Ctx,
  env: Env,
  step: Step,
  scope: RenderScope,
  { escapesHtml, wording }: { escapesHtml: boolean; wording: Wording | null },
): Promise<Shown> {
  const { values, faults, compiled: fresh } = await judgeControlValues(step.type, step.controlValues, createPauses())
  const errors = Object.entries(faults).map(([field, { messages }]) => ({ field, message: messages.join('; ') }))
  // Of a saved step, what was made when it was saved: that is what is sent.
  const compiled = step.compiled ?? fresh
  const judged = { ...step, controlValues: values, ...(compiled && { compiled }) }
  if (step.type === 'in_app') {
    const fields = inAppFields(judged)
    const templates = composeFields(wording, judged, fields)
    const rendered = await renderFields(ctx, env, { templates, scope }, errors)
    const warnings = missingFaults(wording, judged, fields)
    return { preview: { body: '', ...withTexts(values, rendered) }, errors, ...(warnings.length > 0 && { warnings }) }
  }
  if (isProviderChannel(step.type)) {
    const html = escapedFields(judged, escapesHtml)
    if (typeof values.layoutId === 'string' && !wording?.layoutOf(judged)) {
      errors.push({ field: 'layoutId', message: layoutUnknown })
    }
    const fields = sendFields(judged)
    const isInside = takesLayout(judged, escapesHtml)
    const templates = composeFields(wording, judged, fields, html, isInside)
    const rendered = await renderFields(ctx, env, { templates, scope, html }, errors)
    const warned = [...(compiled?.warnings ?? []), ...layoutWarnings(step.type, values, compiled !== undefined)]
    const warnings = [
      ...warned.map(({ message }) => ({ field: 'body', message })),
      ...missingFaults(wording, judged, fields, isInside),
    ]
    const preview = await showSend(ctx, env, step.type, rendered, scope)
    return { preview, errors, ...(warnings.length > 0 && { warnings }) }
  }
  return errors.length > 0 ? { preview: {}, errors } : showWait(judged, scope, ctx.clock())
}

/** By the field that asks for them; of a layout, by the body. */
function missingFaults(wording: Wording | null, step: Step, fields: Record<string, string>, isInside = false): Fault[] {
  return Object.entries(fields).flatMap(([field, template]) =>
    missingWords(wording, step, { [field]: template }, isInside).map((key) => ({
      field,
      message: `t.${key} is not translated for this reader: its name stands there`,
    })),
  )
}

/** Renders each field alone, so that one fault does not hide others. Faults go to `errors`; such a field is empty. */
export async function renderFields(
  ctx: Ctx,
  env: Env,
  { templates, ...item }: RenderItem,
  errors: Fault[],
): Promise<Record<string, string>> {
  const refused = new Set(errors.map(({ field }) => field))
  const entries = Object.entries(templates).filter(([field]) => !refused.has(field))
  const items = entries.map(([field, source]) => ({ templates: { [field]: source }, ...item }))
  const results = items.length > 0 ? await ctx.renderer.render(items, env.environmentId) : []
  const shown = Object.fromEntries(Object.keys(templates).map((field) => [field, '']))
  for (const [index, [field]] of entries.entries()) {
    const result = results[index]
    if (result?.ok) shown[field] = result.fields[field] ?? ''
    else errors.push({ field, message: result?.message ?? 'was not rendered' })
  }
  return shown
}

export async function showSend(
  ctx: Ctx,
  env: Env,
  channel: string,
  rendered: Record<string, string>,
  scope: RenderScope,
): Promise<Record<string, unknown>> {
  const { subject, content, envelope } = toSendContent(rendered)
  const [text = null] = channel === 'email' ? await ctx.renderer.toText([content], env.environmentId) : []
  const to = channel === 'email' ? scope.subscriber.email : channel === 'sms' ? scope.subscriber.phone : undefined
  return {
    ...(subject !== null && { subject }),
    body: content,
    ...envelope,
    ...(text !== null && { text }),
    ...(typeof to === 'string' && to !== '' && { to }),
  }
}

export function showWait(step: Step, scope: RenderScope, now: Date): Shown {
  const moment = { now, zone: zoneOrUtc(scope.subscriber.timezone) }
  const found =
    step.type === 'delay'
      ? delayUntil(step, scope, moment)
      : step.type === 'digest'
        ? digestCloses(step, moment)
        : throttleEnds(step, scope, moment)
  if ('until' in found) return { preview: { until: found.until.toISOString() }, errors: [] }
  const { controlValues: values } = step
  const field = ['delayPath', 'dynamicKey', 'cron'].find((name) => typeof values[name] === 'string') ?? 'amount'
  return { preview: {}, errors: [{ field, message: found.fault }] }
}

/** The same values with their texts rendered. */
function withTexts(values: Record<string, unknown>, rendered: Record<string, string>, path = ''): object {
  const inner = (value: unknown, at: string): unknown => {
    if (typeof value === 'string') return rendered[at] ?? value
    if (Array.isArray(value)) return value.map((item, index) => inner(item, `${at}.${index}`))
    return isPlainObject(value) ? withTexts(value, rendered, `${at}.`) : value
  }
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, inner(value, path + key)]))
}

export function toClientError({ field, message }: Fault): NonNullable<PreviewJson['result']['error']> {
  return { title: `${field} cannot be shown`, message, hint: 'Mend the template, or give the values that it needs.' }
}
