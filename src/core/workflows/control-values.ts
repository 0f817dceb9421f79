import { type TSchema, Type } from 'typebox'
import type { FieldErrors } from '../../errors.ts'
import { fields, freeObject, nullable, oneOf } from '../../lib/schemas.ts'
import { fieldFaultFinder } from '../../lib/validate.ts'
import { templateFault } from '../../render/liquid.ts'
import { type CompiledBlocks, compileBlocks, documentIn } from '../blocks/compile-blocks.ts'
import { isMeantAsDocument, isSurelyDocument } from '../blocks/document.ts'
import { addAmount, isCron } from './next-time.ts'
import { duration, durationUnits, type StepType, stepTypes } from './workflow.ts'

type Values = Record<string, unknown>

// Every string except the choices is a Liquid template.
const template = Type.Optional(Type.String())
/** Values in an e-mail's HTML are then put in as they are. In-app texts are no HTML: there it is only kept for clients. */
const disableOutputSanitization = Type.Optional(Type.Boolean())
const redirect = Type.Optional(
  fields({
    url: Type.String(),
    target: Type.Optional(oneOf(['_self', '_blank', '_parent', '_top', '_unfencedTop'])),
  }),
)
const action = Type.Optional(fields({ label: Type.String(), redirect }))

const [amount, unit] = [Type.Optional(duration.properties.amount), Type.Optional(oneOf(durationUnits))]
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const timeOfDay = '^ *([01]?[0-9]|2[0-3])(:[0-5][0-9]){0,2}( *[aApP][mM])? *$'
/** Spec 2.11. Not templates: the same for everybody, in each subscriber's own time zone. */
const timed = Type.Optional(
  fields({
    atTime: Type.Optional(Type.String({ pattern: timeOfDay })),
    weekDays: Type.Optional(Type.Array(oneOf(days), { maxItems: 7 })),
    monthDays: Type.Optional(Type.Array(Type.String({ pattern: '^([1-9]|[12][0-9]|3[01])$' }), { maxItems: 31 })),
    ordinal: Type.Optional(oneOf(['1', '2', '3', '4', '5', 'last'])),
    ordinalValue: Type.Optional(oneOf(['day', 'weekday', 'weekend', ...days])),
    monthlyType: Type.Optional(oneOf(['each', 'on'])),
  }),
)

const schemas: Record<StepType, TSchema> = {
  in_app: fields({
    subject: template,
    body: template,
    avatar: template,
    primaryAction: action,
    secondaryAction: action,
    redirect,
    data: Type.Optional(freeObject),
    disableOutputSanitization,
  }),
  email: fields({
    subject: template,
    body: template,
    editorType: oneOf(['html', 'block']),
    from: Type.Optional(fields({ email: template, name: template })),
    replyTo: template,
    preheader: template,
    /** The layout around the body. Null: none; absent: the default of the environment. */
    layoutId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255, format: 'identifier' }))),
    disableOutputSanitization,
  }),
  sms: fields({ body: template }),
  chat: fields({ body: template }),
  // For the app that receives it. Platforms take texts only.
  push: fields({ subject: template, body: template, data: Type.Optional(Type.Record(Type.String(), Type.String())) }),
  delay: fields({
    type: oneOf(['regular', 'timed', 'scheduled']),
    amount,
    unit,
    cron: template,
    delayPath: template,
  }),
  digest: fields({
    type: oneOf(['regular', 'backoff', 'timed']),
    amount,
    unit,
    digestKey: template,
    lookBackWindow: Type.Optional(duration),
    cron: template,
    timed,
  }),
  throttle: fields({
    type: oneOf(['fixed', 'dynamic']),
    amount,
    unit: Type.Optional(oneOf(['minutes', 'hours', 'days'])),
    threshold: amount,
    throttleKey: template,
    dynamicKey: template,
  }),
  custom: freeObject,
}
/** The fields that a step of this type knows; others are dropped when it is saved. */
export function controlNames(type: StepType): string[] {
  return Object.keys(Object(schemas[type]).properties)
}
const finders = new Map(stepTypes.map((type) => [type, fieldFaultFinder(schemas[type])]))

// Each is a template that is rendered for every person.
const maxTexts = 1_000

/**
 * The complete values of a step of this type, the template of its blocks, and faults by field. Unknown fields are
 * dropped. `pause`: lib/chunks.ts.
 */
export async function judgeControlValues(
  type: StepType,
  sent: Values | null,
  pause: () => Promise<void>,
): Promise<{ values: Values; faults: FieldErrors; compiled?: CompiledBlocks }> {
  const { values, faults } = judgeShape(type, sent ?? {})
  const document = type === 'email' ? documentIn(values) : null
  const made = document === null ? null : compileBlocks(document)
  if (made && 'fault' in made) faults.body ??= { messages: [made.fault] }
  let count = 0
  for (const { path, text } of stringsIn(values)) {
    // A document is no template; the one that was made of it has been looked at.
    if (made && path === 'body') continue
    count += 1
    if (count > maxTexts) {
      faults[path] ??= { messages: [`is one text too many: a step has at most ${maxTexts}`] }
      break
    }
    await pause()
    const fault = templateFault(text)
    if (fault !== null) faults[path] ??= { messages: [`is not a valid template: ${fault}`] }
  }
  return { values, faults, ...(made && 'html' in made && { compiled: made }) }
}

/** The same without a look at its texts. */
export function judgeShape(type: StepType, sent: Values): { values: Values; faults: FieldErrors } {
  const values = complete(type, sent)
  const faults: FieldErrors = { ...finders.get(type)?.(values) }
  for (const name of missingFields(type, values)) faults[name] ??= { messages: ['is required'] }
  if (typeof values.cron === 'string' && !isAbsent(values.cron) && !isCron(values.cron)) {
    faults.cron ??= { messages: ['is not a cron expression such as "0 9 * * MON"'], value: values.cron }
  }
  if (!faults.amount && !faults.unit && isTooLong(type, values)) {
    faults.amount = { messages: ['waits more than 366 days'], value: values.amount }
  }
  return { values, faults }
}

/** Would fail for everybody, so it is refused when the workflow is saved. */
function isTooLong(type: StepType, { type: kind, amount, unit }: Values): boolean {
  if (type !== 'delay' && type !== 'digest') return false
  if (kind === 'timed' || typeof amount !== 'number' || typeof unit !== 'string') return false
  return addAmount(new Date(0), amount, unit, 'UTC').getTime() > 366 * 86_400_000
}

/** Clients send `null` for what an editor left empty. Fills in the defaults. */
function complete(type: StepType, sent: Values): Values {
  const values = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null && value !== undefined))
  if (type === 'email') {
    const editorType = values.editorType ?? (isSurelyDocument(values.body) ? 'block' : 'html')
    const isObject = editorType === 'block' && typeof values.body === 'object' && isMeantAsDocument(values.body)
    return {
      ...values,
      // Here it says something: no layout.
      ...(sent.layoutId === null && { layoutId: null }),
      editorType,
      // Clients read a text.
      ...(isObject && { body: JSON.stringify(values.body) }),
      ...(typeof values.from === 'string' && { from: readSender(values.from) }),
    }
  }
  if (type === 'delay') return { type: 'regular', ...values }
  if (type === 'throttle') return { type: 'fixed', threshold: 1, ...values }
  if (type === 'digest') return { type: isAbsent(values.cron) && !values.timed ? 'regular' : 'timed', ...values }
  return values
}

/** `Acme <news@acme.example>`, or the bare address. */
function readSender(text: string): Values {
  const [, name = '', email] = /^([^<>]*)<([^<>]+)>\s*$/.exec(text) ?? []
  return email === undefined ? { email: text } : { email, ...(name.trim() && { name: name.trim() }) }
}

function missingFields(type: StepType, values: Values): string[] {
  const missing = (...names: string[]) => names.filter((name) => isAbsent(values[name]))
  switch (type) {
    case 'in_app':
      return missing('body', 'subject').length === 2 ? ['body'] : []
    case 'email':
      return missing('subject', 'body')
    case 'sms':
    case 'chat':
    case 'push':
      return missing('body')
    case 'delay':
    case 'digest':
      if (values.type === 'scheduled') return missing('delayPath')
      if (values.type === 'timed') return values.timed ? [] : missing('cron')
      return missing('amount', 'unit')
    case 'throttle':
      return values.type === 'dynamic' ? missing('dynamicKey') : missing('amount', 'unit')
    case 'custom':
      return []
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '')
}

function* stringsIn(value: unknown, path = ''): Generator<{ path: string; text: string }> {
  if (typeof value === 'string') yield { path, text: value }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) yield* stringsIn(inner, path ? `${path}.${key}` : key)
}
