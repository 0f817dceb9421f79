import { createHash } from 'node:crypto'
import { canonicalJson, isPlainObject } from '../../lib/canonical-json.ts'
import { cutText } from '../../lib/one-line.ts'
import { addAmount, nextCron, nextTimed, type TimedRule } from '../workflows/next-time.ts'
import type { Step } from '../workflows/workflow.ts'
import type { RenderScope } from './plan.ts'

/** When a waiting step continues, in the subscriber's time zone. */
export type Until = { until: Date } | { fault: string }

const longestMs = 366 * 86_400_000

type Moment = { now: Date; zone: string }

export function delayUntil({ controlValues }: Step, scope: RenderScope, { now, zone }: Moment): Until {
  switch (controlValues.type) {
    case 'scheduled':
      return bounded(
        momentAt(scope, controlValues.delayPath, { now, zone }),
        now,
        `${cutText(String(controlValues.delayPath), 200)} holds no time`,
      )
    case 'timed':
      return bounded(nextCron(String(controlValues.cron), now, zone), now, 'the cron expression never comes')
    default:
      return bounded(addAmount(now, ...amountOf(controlValues), zone), now, 'no amount')
  }
}

export function digestCloses({ controlValues }: Step, { now, zone }: Moment): Until {
  if (controlValues.type !== 'timed') return bounded(addAmount(now, ...amountOf(controlValues), zone), now, 'no amount')
  if (typeof controlValues.cron === 'string') {
    return bounded(nextCron(controlValues.cron, now, zone), now, 'the cron expression never comes')
  }
  const { amount, unit } = controlValues
  const rule: TimedRule = {
    ...(typeof unit === 'string' && { unit }),
    ...(typeof amount === 'number' && { amount }),
    ...(isPlainObject(controlValues.timed) ? controlValues.timed : {}),
  }
  return bounded(nextTimed(rule, now, zone), now, 'the days named never come')
}

/** Backoff: how long after one that was let through others are gathered. Null: gathers from the first. */
export function lookBackSeconds({ controlValues }: Step, { now, zone }: Moment): number | null {
  const window = isPlainObject(controlValues.lookBackWindow) ? controlValues.lookBackWindow : null
  if (!window && controlValues.type !== 'backoff') return null
  const [amount, unit] = amountOf(window ?? controlValues)
  return Math.round((addAmount(now, amount, unit, zone).getTime() - now.getTime()) / 1000)
}

/** Until when throttle hits count together: a fixed time, or what the payload says (a time, or an amount and unit). */
export function throttleEnds({ controlValues }: Step, scope: RenderScope, { now, zone }: Moment): Until {
  if (controlValues.type !== 'dynamic')
    return bounded(addAmount(now, ...amountOf(controlValues), zone), now, 'no amount')
  const end = momentAt(scope, controlValues.dynamicKey, { now, zone })
  return bounded(
    end,
    now,
    `${cutText(String(controlValues.dynamicKey), 200)} holds neither a time nor an amount and unit`,
  )
}

/** A time, or an amount and unit from now. */
function momentAt(scope: RenderScope, path: unknown, { now, zone }: Moment): Date | null {
  const value = pathValue(scope, String(path))
  return isPlainObject(value) ? addAmount(now, ...amountOf(value), zone) : readMoment(value)
}

/**
 * Separates the windows of one subscriber: the payload value at this path, hashed to a bounded length. `keyOrText`: where
 * there is none, the text itself.
 */
export function windowKey(path: unknown, scope: RenderScope, { keyOrText = false } = {}): string {
  if (typeof path !== 'string' || path === '') return ''
  const value = pathValue(scope, path) ?? (keyOrText ? path : undefined)
  if (value === undefined || value === null) return ''
  return createHash('sha256').update(canonicalJson(value)).digest('base64url')
}

function amountOf(values: Record<string, unknown>): [amount: number, unit: string] {
  const { amount, unit } = values
  return [typeof amount === 'number' ? amount : 0, typeof unit === 'string' ? unit : 'seconds']
}

/** A time in the past is due now; a time more than a year ahead is a mistake. */
function bounded(moment: Date | null, now: Date, missing: string): Until {
  if (!moment || Number.isNaN(moment.getTime())) return { fault: missing }
  if (moment.getTime() - now.getTime() > longestMs) return { fault: 'it would wait more than 366 days' }
  return { until: moment }
}

/** `payload.sendAt` or `sendAt`: own properties of the payload, else of the rest of the scope. */
function pathValue(scope: RenderScope, path: string): unknown {
  const isTag = path.startsWith('{{') && path.endsWith('}}')
  const keys = (isTag ? path.slice(2, -2).trim() : path).split('.')
  const [root = ''] = keys
  const isFull = Object.hasOwn(scope, root) && !Object.hasOwn(scope.payload, root)
  let found: unknown = isFull ? scope : scope.payload
  for (const key of keys) found = isPlainObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  return found
}

function readMoment(value: unknown): Date | null {
  if (typeof value === 'number') return new Date(value)
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? new Date(value) : null
}
