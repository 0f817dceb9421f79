import { useMemo } from 'react'
import type { GetGiven } from '../../api/calls.ts'
import type { WorkflowSummary } from '../../api/types.ts'
import { channelName } from '../../lib/channels.ts'
import { useFilters } from '../../lib/filters.ts'
import { fullTime } from '../../ui/time.tsx'

/** The filters of the API by their own names; several values stand in the address with commas between them. */
export type FilterName =
  | 'search'
  | 'channels'
  | 'templates'
  | 'severity'
  | 'subscriberIds'
  | 'emails'
  | 'transactionId'
  | 'topicKey'
  | 'contextKeys'
  | 'outcome'
  | 'after'
  | 'before'
  | 'range'
export type Filters = Partial<Record<FilterName, string>>
export type ChangeFilters = (changes: Partial<Record<FilterName, string | undefined>>) => void

export const ranges = [
  { value: '', label: 'Any time' },
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
] as const
/** Of a step; the words of the API. */
export const outcomes = [
  { value: 'failed', label: 'A step failed' },
  { value: 'waiting', label: 'A step is waiting' },
  { value: 'skipped', label: 'A step was skipped' },
  { value: 'canceled', label: 'A step was canceled' },
  { value: 'merged', label: 'Merged into a digest' },
] as const
const rangeMs: Record<string, number> = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 }

export const listOf = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean)
export const textOf = (values: readonly string[]) => values.join(',') || undefined

/** Other pages say `channel` where they mean one. */
export function useActivityFilters(): [Filters, ChangeFilters] {
  const [{ channel, outcome, ...rest }, change] = useFilters<FilterName | 'channel'>()
  // Numbers have outcomes that no step has: those are no filter here.
  const filters = outcomes.some(({ value }) => value === outcome) && outcome ? { ...rest, outcome } : rest
  const whole = channel && !filters.channels ? { ...filters, channels: channel } : filters
  return [whole, (changes) => change({ ...changes, ...('channels' in changes && { channel: undefined }) })]
}

type ActivityQuery = NonNullable<GetGiven<'/v1/notifications'>['query']>

/** What is asked of `GET /v1/notifications`. The range begins when it was chosen, so that pages fit together. */
export function useActivityQuery(filters: Filters, workflows: readonly WorkflowSummary[]): ActivityQuery {
  const { range } = filters
  const since = useMemo(() => {
    const ms = rangeMs[range ?? '']
    return ms ? new Date(Date.now() - ms).toISOString() : undefined
  }, [range])
  return queryOf(filters, workflows, since)
}

/** `since`: when the chosen range began; it goes before a typed time. */
export function queryOf(
  filters: Filters,
  workflows: readonly WorkflowSummary[],
  since: string | undefined,
): ActivityQuery {
  return {
    search: filters.search,
    channels: listOf(filters.channels),
    templates: listOf(filters.templates).map((name) => workflowOf(name, workflows)?._id ?? name),
    severity: listOf(filters.severity),
    subscriberIds: listOf(filters.subscriberIds),
    emails: listOf(filters.emails),
    transactionId: filters.transactionId,
    topicKey: filters.topicKey,
    contextKeys: listOf(filters.contextKeys),
    outcome: outcomes.find(({ value }) => value === filters.outcome)?.value,
    after: since ?? isoOf(filters.after),
    before: isoOf(filters.before),
  }
}

const workflowOf = (name: string, workflows: readonly WorkflowSummary[]) =>
  workflows.find(({ _id, workflowId }) => _id === name || workflowId === name)

/** What a person typed is in their own zone. What is no time goes to the server as it is: it says what is wrong. */
function isoOf(text: string | undefined): string | undefined {
  if (!text) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date.toISOString()
}

export type Chip = { name: FilterName; label: string; value: string }

export function chipsOf(filters: Filters, workflows: readonly WorkflowSummary[]): Chip[] {
  const names = (text: string, nameOf: (value: string) => string) => listOf(text).map(nameOf).join(' or ')
  const time = (text: string) => (isoOf(text) === text ? text : fullTime(text))
  const shown: Record<Exclude<FilterName, 'search'>, [string, (text: string) => string]> = {
    channels: ['Channel', (text) => names(text, channelName)],
    templates: ['Workflow', (text) => names(text, (value) => workflowOf(value, workflows)?.name ?? value)],
    severity: ['Severity', (text) => names(text, String)],
    subscriberIds: ['Subscriber', (text) => names(text, String)],
    emails: ['E-mail', (text) => names(text, String)],
    transactionId: ['Transaction', String],
    topicKey: ['Topic', String],
    contextKeys: ['Context', (text) => listOf(text).join(' and ')],
    outcome: ['Outcome', (text) => outcomes.find(({ value }) => value === text)?.label ?? text],
    range: ['Time', (text) => ranges.find(({ value }) => value === text)?.label ?? text],
    after: ['After', time],
    before: ['Before', time],
  }
  return Object.entries(shown).flatMap(([key, [label, show]]) => {
    const name = key as Exclude<FilterName, 'search'>
    const text = filters[name]
    return text ? [{ name, label, value: show(text) }] : []
  })
}
