import type { GetGiven } from '../../api/calls.ts'
import type { WebhookDelivery } from '../../api/types.ts'

export type FilterName = 'status' | 'type' | 'range' | 'since' | 'until'
export type Filters = Partial<Record<FilterName, string>>
type DeliveryQuery = NonNullable<GetGiven<'/v1/webhook-endpoints/{endpointId}/deliveries'>['query']>

export const states = [
  { id: 'all', label: 'All' },
  { id: 'open', label: 'Open' },
  { id: 'delivered', label: 'Delivered' },
  { id: 'failed', label: 'Failed' },
] as const

export const ranges = [
  { value: '', label: 'Any time' },
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'between', label: 'From … until …' },
] as const

const hourMs = 3_600_000
const rangeMs: Record<string, number> = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs }

/** When the chosen range began; undefined where none was chosen. */
export function beginOf(range: string | undefined, nowMs: number): string | undefined {
  const ms = rangeMs[range ?? '']
  return ms ? new Date(nowMs - ms).toISOString() : undefined
}

/** An address may name what there is not: the server says so. `began`: of the chosen range. */
export function queryOf(filters: Filters, began: string | undefined): DeliveryQuery {
  const isTyped = filters.range === 'between'
  return {
    status: filters.status as WebhookDelivery['status'] | undefined,
    type: filters.type as WebhookDelivery['type'] | undefined,
    since: isTyped ? isoOf(filters.since) : began,
    until: isTyped ? isoOf(filters.until) : undefined,
  }
}

/** What a person typed is in their own zone. What is no time goes to the server as it is: it says what is wrong. */
export function isoOf(text: string | undefined): string | undefined {
  if (!text) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date.toISOString()
}

/** For a field of the kind `datetime-local`: to the minute, in the person's own zone. */
export function toField(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
