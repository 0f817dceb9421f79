import { isPlainObject } from '../lib/canonical-json.ts'
import type { Step } from './workflow.ts'

/** Spec 2.11: how a digest or delay step waits, in the words of the specification. Other steps have none. */
export function toStepMetadata({ type, controlValues: values }: Step): Record<string, unknown> | null {
  const duration = pick(values, ['amount', 'unit'])
  if (type === 'delay') {
    if (values.type === 'scheduled') return { type: 'scheduled', delayPath: values.delayPath }
    // A delay by cron has no words there.
    return values.type === 'regular' ? { type: 'regular', ...duration } : null
  }
  if (type !== 'digest') return null
  const common = { type: values.type, ...duration, ...pick(values, ['digestKey']) }
  if (values.type === 'timed') return { ...common, ...pick(values, ['timed']) }
  if (values.type !== 'backoff') return common
  const window = isPlainObject(values.lookBackWindow) ? values.lookBackWindow : {}
  return { ...common, backoff: true, backoffAmount: window.amount, backoffUnit: window.unit }
}

function pick(values: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))
}
