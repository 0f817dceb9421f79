import { type Format, isDynamic, type TemplateFault } from './liquid.ts'
import { renderPlain } from './plain.ts'
import type { RenderedItem } from './render-worker.ts'

/** `templates`: field name → Liquid source. `html`: the fields in which values are escaped. */
export type RenderItem = {
  templates: Record<string, string>
  scope: Record<string, unknown>
  html?: readonly string[]
}
export type RenderResult = { ok: true; fields: Record<string, string> } | ({ ok: false } & TemplateFault)

/**
 * An item's fields; `text` is the index of a field's text in the thread's result. Items with the same templates share
 * it.
 */
export type FieldPlan = { fields: Field[]; dynamic: Field[]; staticBytes: number }
type Field = { name: string; source: string; format: Format; text?: number }

export function planFields(items: readonly RenderItem[]): FieldPlan[] {
  const plans = new Map<RenderItem['templates'], { plan: FieldPlan; html: RenderItem['html'] }>()
  return items.map(({ templates, html }) => {
    const known = plans.get(templates)
    if (known && known.html === html) return known.plan
    const plan = planFieldsOf(templates, html ?? [])
    plans.set(templates, { plan, html })
    return plan
  })
}

function planFieldsOf(templates: RenderItem['templates'], html: readonly string[]): FieldPlan {
  const plan: FieldPlan = { fields: [], dynamic: [], staticBytes: 0 }
  for (const [name, source] of Object.entries(templates)) {
    const format = html.includes(name) ? 'html' : 'text'
    const field: Field = { name, source, format, ...(isDynamic(source) && { text: plan.dynamic.length }) }
    plan.fields.push(field)
    if (field.text === undefined) plan.staticBytes += Buffer.byteLength(source)
    else plan.dynamic.push(field)
  }
  return plan
}

const tooLarge = { ok: false, reason: 'output_too_large', message: 'the text is larger than allowed' } as const

function renderStatic(plan: FieldPlan, maxOutputBytes: number): RenderResult {
  return plan.staticBytes <= maxOutputBytes ? { ok: true, fields: toFields(plan, []) } : tooLarge
}

// With many fields a thread is no slower, and it can be killed.
const mostFieldsInPlace = 50

/** Without a thread; null when the item needs Liquid. */
export function renderInPlace(
  plan: FieldPlan,
  item: RenderItem | undefined,
  maxOutputBytes: number,
): RenderResult | null {
  if (plan.dynamic.length === 0) return renderStatic(plan, maxOutputBytes)
  if (!item || plan.dynamic.length > mostFieldsInPlace) return null
  const texts: string[] = []
  let bytesLeft = maxOutputBytes - plan.staticBytes
  for (const { source, format } of plan.dynamic) {
    const rendered = renderPlain(source, item.scope, format, bytesLeft)
    if (rendered === null) return null
    if (rendered === 'too_large') return tooLarge
    texts.push(rendered.text)
    bytesLeft -= Buffer.byteLength(rendered.text)
    if (bytesLeft < 0) return tooLarge
  }
  return { ok: true, fields: toFields(plan, texts) }
}

/** Null: one of them needs a thread. */
export function renderAllInPlace(items: readonly RenderItem[], maxOutputBytes: number): RenderResult[] | null {
  const results: RenderResult[] = []
  for (const [place, plan] of planFields(items).entries()) {
    const done = renderInPlace(plan, items[place], maxOutputBytes)
    if (!done) return null
    results.push(done)
  }
  return results
}

export function toResult(plan: FieldPlan, rendered: RenderedItem): RenderResult {
  if (rendered.ok) return { ok: true, fields: toFields(plan, rendered.texts) }
  const { at, reason, message } = rendered
  return { ok: false, reason, message: `${plan.dynamic[at]?.name}: ${message}` }
}

function toFields({ fields }: FieldPlan, texts: string[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, source, text = -1 }) => [name, texts[text] ?? source]))
}
