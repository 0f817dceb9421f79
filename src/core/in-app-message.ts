import { isPlainObject } from '../lib/canonical-json.ts'
import type { NewMessage } from '../store/history.ts'
import type { Step } from './workflow.ts'

const textFields = ['subject', 'body', 'avatar'] as const
const nestedFields = [
  ['redirect', 'url'],
  ['primaryAction', 'label'],
  ['primaryAction', 'redirect', 'url'],
  ['secondaryAction', 'label'],
  ['secondaryAction', 'redirect', 'url'],
] as const

/** The Liquid sources of an in-app step, by the path of their field. `data` values are templates too. */
export function inAppFields(step: Step): Record<string, string> {
  const values = step.controlValues
  const found: Record<string, string> = {}
  for (const path of [...textFields.map((name) => [name]), ...nestedFields]) {
    const value = path.reduce<unknown>((at, key) => (isPlainObject(at) ? at[key] : undefined), values)
    if (typeof value === 'string') found[path.join('.')] = value
  }
  const data = isPlainObject(values.data) ? values.data : {}
  for (const [key, value] of Object.entries(data)) if (typeof value === 'string') found[`data.${key}`] = value
  return found
}

/** What the person sees, from the rendered fields. */
export function toInAppMessage(
  step: Step,
  fields: Record<string, string>,
): Pick<NewMessage, 'subject' | 'content' | 'cta' | 'avatar' | 'data'> {
  const values = step.controlValues
  const data = isPlainObject(values.data)
    ? Object.fromEntries(Object.entries(values.data).map(([key, value]) => [key, fields[`data.${key}`] ?? value]))
    : null
  return {
    subject: fields.subject ?? null,
    content: fields.body ?? '',
    cta: toCta(fields),
    avatar: fields.avatar || null,
    data,
  }
}

/** Spec 2.9: MessageCTA. */
function toCta(fields: Record<string, string>): Record<string, unknown> {
  const url = fields['redirect.url']
  const buttons = (['primary', 'secondary'] as const).flatMap((type) => {
    const content = fields[`${type}Action.label`]
    return content ? { type, content } : []
  })
  return {
    ...(url !== undefined && { type: 'redirect', data: { url } }),
    ...(buttons.length > 0 && { action: { status: 'pending', buttons } }),
  }
}
