import { type Static, Type } from 'typebox'
import { invalidField } from '../../errors.ts'
import { readTime } from '../../lib/read-time.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import { channels } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import { type NumbersQuery, type NumbersRow, readSeries } from '../../store/history/numbers.ts'
import { findTallyCursor, outcomes } from '../../store/history/tallies.ts'
import { findWorkflow, listWorkflowsById, type WorkflowRow } from '../../store/workflows.ts'

const steps = ['minute', 'hour', 'day'] as const
const stepSeconds = { minute: 60, hour: 3_600, day: 86_400 }
const dimensions = ['channel', 'workflow', 'provider', 'outcome'] as const

const time = Type.String({ format: 'date-time' })
const isoTime = Type.Optional(Type.String({ description: 'ISO 8601; the last 24 hours unless said.' }))

export const numbersQuery = fields({
  from: isoTime,
  to: isoTime,
  step: Type.Optional(oneOf(steps)),
  by: Type.Optional(Type.Array(oneOf(dimensions), { description: 'What tells series apart, besides the outcome.' })),
  channel: Type.Optional(oneOf(channels)),
  workflowId: Type.Optional(Type.String()),
  providerId: Type.Optional(Type.String()),
  outcome: Type.Optional(oneOf(outcomes)),
})

const seriesSchema = Type.Object(
  {
    key: Type.Object({
      outcome: oneOf(outcomes),
      channel: Type.Optional(oneOf(channels)),
      workflowId: Type.Optional(Type.String()),
      workflowName: Type.Optional(Type.String()),
      providerId: Type.Optional(Type.String()),
    }),
    total: Type.Integer(),
    points: Type.Array(Type.Object({ at: time, n: Type.Integer() }), {
      description: 'Oldest first. A step without a point counts nothing.',
    }),
  },
  { title: 'NumbersSeries' },
)

const count = Type.Integer()
export const numbersSchema = Type.Object(
  {
    from: time,
    to: time,
    step: oneOf(steps),
    series: Type.Array(seriesSchema, { description: 'The largest first.' }),
    hasMore: Type.Boolean({ description: 'There are smaller series than those shown; the totals count them too.' }),
    totals: Type.Object({
      accepted: count,
      notified: count,
      sent: count,
      failed: count,
      unknown: count,
      retried: count,
      skipped: count,
      merged: count,
      canceled: count,
      redriven: count,
      delivered: count,
      bounced: count,
      complained: count,
    }),
    cursor: Type.String({ description: 'Another one means that something has changed since.' }),
  },
  { title: 'Numbers' },
)
export type NumbersJson = Static<typeof numbersSchema>
type NumbersInput = Static<typeof numbersQuery>

const hourMs = 3_600_000
const dayMs = 24 * hourMs
// As much as a chart can show and a reply can hold.
const mostSteps = 1_500
const mostSeries = 100

/** Outcomes over time, from counts made as things happened; history itself is not read. */
export async function readNumbers(db: Db, env: Env, asked: NumbersInput, now: Date): Promise<NumbersJson> {
  const range = readRange(asked, now)
  const by = new Set(asked.by)
  // The cursor first: what happens in between is then reported again rather than missed.
  const cursor = await findTallyCursor(db, env)
  const workflow = asked.workflowId === undefined ? {} : await findWorkflowFilter(db, env, asked.workflowId)
  const query: NumbersQuery = {
    from: range.from,
    to: range.to,
    stepSeconds: stepSeconds[range.step],
    by: { channel: by.has('channel'), workflow: by.has('workflow'), provider: by.has('provider') },
    ...(asked.channel !== undefined && { channel: asked.channel }),
    ...(asked.providerId !== undefined && { providerId: asked.providerId }),
    ...(asked.outcome !== undefined && { outcome: asked.outcome }),
    ...workflow,
  }
  const rows = workflow === null ? [] : await readSeries(db, env, query, mostSeries)
  const shown = rows.slice(0, mostSeries)
  const ids = [...new Set(shown.flatMap((row) => row.workflowId ?? []))]
  const workflows = new Map((await listWorkflowsById(db, env, ids)).map((row) => [row.id, row]))
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    step: range.step,
    series: shown.map((row) => toSeries(row, workflows)),
    hasMore: rows.length > shown.length,
    totals: toTotals(rows),
    cursor,
  }
}

type TimeRange = { from: Date; to: Date; step: (typeof steps)[number] }

/** Rounded out to whole steps, so that the result is the same whether counts are added up already or not. */
function readRange(asked: NumbersInput, now: Date): TimeRange {
  const to = readTime('to', asked.to) ?? now
  const from = readTime('from', asked.from) ?? new Date(Math.max(to.getTime() - dayMs, 0))
  if (from > to) throw invalidField('from', 'must not be later than to', asked.from)
  const step = asked.step ?? usualStep(to.getTime() - from.getTime())
  const stepMs = stepSeconds[step] * 1000
  const first = Math.floor(from.getTime() / stepMs)
  const last = Math.max(Math.ceil(to.getTime() / stepMs), first + 1)
  if (last - first > mostSteps) {
    throw invalidField('step', `would make more than ${mostSteps} points: take a larger one, or less time`, asked.step)
  }
  return { from: new Date(first * stepMs), to: new Date(last * stepMs), step }
}

function usualStep(ms: number): TimeRange['step'] {
  if (ms <= 6 * hourMs) return 'minute'
  return ms <= 14 * dayMs ? 'hour' : 'day'
}

/** Null: no such workflow. A deleted one is still found by its `_id`. */
async function findWorkflowFilter(db: Db, env: Env, ref: string): Promise<{ workflowId: string } | null> {
  const found = await findWorkflow(db, env, ref)
  if (found) return { workflowId: found.id }
  return isUuid7(ref) ? { workflowId: ref } : null
}

function toSeries(row: NumbersRow, workflows: ReadonlyMap<string, WorkflowRow>): Static<typeof seriesSchema> {
  const workflow = workflows.get(row.workflowId ?? '')
  const { times, counts } = row
  return {
    key: {
      // Written by us, with values of these lists.
      outcome: row.outcome as (typeof outcomes)[number],
      ...(row.channel && { channel: row.channel as (typeof channels)[number] }),
      ...(workflow && { workflowId: workflow.identifier, workflowName: workflow.name }),
      ...(row.providerId && { providerId: row.providerId }),
    },
    total: row.total,
    points: (times ?? []).map((at, index) => ({ at: new Date(at).toISOString(), n: counts?.[index] ?? 0 })),
  }
}

function toTotals(rows: readonly NumbersRow[]): NumbersJson['totals'] {
  const sum = (outcome: string) => rows.reduce((n, row) => (row.outcome === outcome ? n + row.total : n), 0)
  // One entry per outcome of the list.
  return Object.fromEntries(outcomes.map((outcome) => [outcome, sum(outcome)])) as NumbersJson['totals']
}
