import { isPlainObject } from '../../lib/canonical-json.ts'
import type { NewMessage } from '../../store/history/history.ts'
import type { Step } from '../workflows/workflow.ts'

/** As stored. `target` and a button's `url` are only for the /v2 feed; 2.9 does not have them. */
export type Cta = {
  type?: 'redirect'
  data?: { url?: string; target?: string }
  action?: {
    status: 'pending' | 'done'
    buttons: { type: 'primary' | 'secondary'; content: string; url?: string; target?: string }[]
    result?: { type?: 'primary' | 'secondary'; payload?: Record<string, unknown> }
  }
}

const textFields = ['subject', 'body', 'avatar'] as const
const nestedFields = [
  ['redirect', 'url'],
  ['primaryAction', 'label'],
  ['primaryAction', 'redirect', 'url'],
  ['secondaryAction', 'label'],
  ['secondaryAction', 'redirect', 'url'],
] as const

const fieldsOfValues = new WeakMap<Step['controlValues'], Record<string, string>>()

/**
 * The Liquid templates of an in-app step, by field path; the same object for the same step of a version. Texts in `data`
 * are templates too.
 */
export function inAppFields({ controlValues }: Pick<Step, 'controlValues'>): Record<string, string> {
  const fields = fieldsOfValues.get(controlValues) ?? collectFields(controlValues)
  fieldsOfValues.set(controlValues, fields)
  return fields
}

function collectFields(values: Step['controlValues']): Record<string, string> {
  const found: Record<string, string> = {}
  for (const path of [...textFields.map((name) => [name]), ...nestedFields]) {
    const value = path.reduce<unknown>((at, key) => (isPlainObject(at) ? at[key] : undefined), values)
    if (typeof value === 'string') found[path.join('.')] = value
  }
  collectTexts('data', values.data, found)
  return found
}

function collectTexts(path: string, value: unknown, found: Record<string, string>): void {
  if (typeof value === 'string') found[path] = value
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) collectTexts(`${path}.${key}`, inner, found)
  }
}

/** The same value with its texts rendered. */
function withTexts(path: string, value: unknown, fields: Record<string, string>): unknown {
  if (typeof value === 'string') return fields[path] ?? value
  if (Array.isArray(value)) return value.map((inner, index) => withTexts(`${path}.${index}`, inner, fields))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withTexts(`${path}.${key}`, inner, fields)]),
  )
}

/** What the subscriber sees, from the rendered fields. */
export function toInAppMessage(
  step: Step,
  fields: Record<string, string>,
): Pick<NewMessage, 'subject' | 'content' | 'cta' | 'avatar' | 'data'> {
  const values = step.controlValues
  const data = withTexts('data', values.data, fields)
  return {
    subject: fields.subject ?? null,
    content: fields.body ?? '',
    cta: toCta(fields, values),
    avatar: fields.avatar || null,
    data: isPlainObject(data) ? data : null,
  }
}

/** Spec 2.9: MessageCTA. */
function toCta(fields: Record<string, string>, values: Step['controlValues']): Cta {
  const data = toLink(fields['redirect.url'], values.redirect)
  const buttons = (['primary', 'secondary'] as const).flatMap((type) => {
    const content = fields[`${type}Action.label`]
    const action = values[`${type}Action`]
    const link = toLink(fields[`${type}Action.redirect.url`], isPlainObject(action) && action.redirect)
    return content ? { type, content, ...link } : []
  })
  return {
    ...(data && { type: 'redirect', data }),
    ...(buttons.length > 0 && { action: { status: 'pending', buttons } }),
  }
}

/** The target is stored with the url, because the step's variant is not known later. */
function toLink(url: string | undefined, redirect: unknown): { url: string; target?: string } | null {
  if (url === undefined) return null
  const target = isPlainObject(redirect) ? redirect.target : undefined
  return { url, ...(typeof target === 'string' && { target }) }
}
