import { isPlainObject } from '../../lib/canonical-json.ts'
import { deterministicId } from '../../lib/deterministic-id.ts'
import type { Step } from '../workflows/workflow.ts'

type Values = Record<string, unknown>
type Waiting = Pick<Step, 'type' | 'controlValues'>

/** Spec 2.11: how a digest or delay step waits, named as in the specification. Null for other steps. */
export function toStepMetadata({ type, controlValues: values }: Waiting): Values | null {
  // What is code of a tenant is known only when it is reached.
  if (values.type === undefined) return null
  const duration = pick(values, ['amount', 'unit'])
  if (type === 'delay') {
    if (values.type === 'scheduled') return { type: 'scheduled', delayPath: values.delayPath }
    // The specification has no form for a delay by cron.
    return values.type === 'regular' ? { type: 'regular', ...duration } : null
  }
  if (type !== 'digest') return null
  const common = { type: values.type, ...duration, ...pick(values, ['digestKey']) }
  if (values.type === 'timed') return { ...common, ...pick(values, ['timed']) }
  const window = isPlainObject(values.lookBackWindow) ? values.lookBackWindow : null
  if (!window && values.type !== 'backoff') return common
  // A look-back window means backoff, whatever the type; without one the digest's own length is used.
  const { amount, unit } = window ?? values
  return { ...common, backoff: true, backoffAmount: amount, backoffUnit: unit }
}

/** Spec 2.12, `digest` of a job: the same, with monthDays as numbers and the cron expression. */
export function toJobDigest(step: Waiting): Values | null {
  const metadata = step.type === 'digest' ? toStepMetadata(step) : null
  if (metadata?.type !== 'timed') return metadata
  const { timed, cron } = step.controlValues
  const { monthDays, ...rule } = isPlainObject(timed) ? timed : {}
  return {
    ...metadata,
    timed: {
      ...rule,
      ...(Array.isArray(monthDays) && { monthDays: monthDays.map(Number) }),
      ...(typeof cron === 'string' && { cronExpression: cron }),
    },
  }
}

/** A variant has no lasting name: its id is made from its position. */
export function variantId(step: Step, index: number): string {
  return deterministicId(step.id, 'variant', step.id, String(index))
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}
