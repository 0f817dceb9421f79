import { type Static, Type } from 'typebox'
import { nullable, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { findEvents } from '../../store/history/events.ts'
import { countRows } from '../../store/sends/count-rows.ts'
import { listSendTotals, type SendTotal } from '../../store/sends/send-tallies.ts'
import { type SendRow, sendStates } from '../../store/sends/sends.ts'
import { listWorkflowsById } from '../../store/workflows.ts'

const counts = {
  waiting: Type.Integer({ description: 'To be sent, or between two tries.' }),
  sent: Type.Integer(),
  failed: Type.Integer({ description: 'Refused, or could not be made.' }),
  dead: Type.Integer({ description: 'Given up after tries; can be redriven.' }),
  unknown: Type.Integer({ description: 'No clear answer: may have been sent.' }),
  skipped: Type.Integer({ description: 'Suppressed, or without an address.' }),
  canceled: Type.Integer(),
}
const countNames = Object.keys(counts) as (keyof typeof counts)[]
const integers = <const K extends string>(names: readonly K[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, Type.Integer()])) as Record<K, ReturnType<typeof Type.Integer>>,
  )

const feedbackNames = ['delivered', 'bounced', 'complained'] as const
const stepNames = ['skipped', 'failed', 'canceled', 'merged'] as const
const text = nullable(Type.String())
const number = nullable(Type.Integer())

export const sendSchema = Type.Object(
  {
    transactionId: Type.String(),
    eventId: Type.String(),
    workflowId: Type.String(),
    workflowName: Type.String(),
    kind: oneOf(['broadcast', 'topic', 'list']),
    state: oneOf(sendStates, {
      description:
        'running: it goes out. canary: the first people are sent to. waiting: they are through, and it waits for a person or a time. paused: it stands still. canceling: nothing begins, and what was written is taken back.',
    }),
    reason: text,
    reasonText: text,
    since: Type.String(),
    createdAt: Type.String(),
    resumesAt: text,
    canaryPeople: number,
    guarded: Type.Boolean({ description: 'It is stopped when too much of it fails.' }),
    bounds: nullable(Type.Object({ failuresPercent: Type.Number(), complaintsPercent: Type.Number() })),
    people: Type.Object({
      total: number,
      written: Type.Integer({ description: 'Reached: they have a notification.' }),
      left: Type.Integer({ description: 'Not reached yet.' }),
      leftOut: Type.Integer({ description: 'Not reached because it was canceled.' }),
    }),
    messages: Type.Object(counts),
    feedback: integers(feedbackNames),
    steps: integers(stepNames),
    channels: Type.Record(Type.String(), Type.Object(counts)),
    may: Type.Object({ pause: Type.Boolean(), resume: Type.Boolean(), cancel: Type.Boolean() }),
    history: Type.Array(Type.Object({ at: Type.String(), state: Type.String(), reason: text, text, by: text }), {
      description: 'The oldest first.',
    }),
  },
  { title: 'Send' },
)
export type SendJson = Static<typeof sendSchema>

export async function toSendJsons(db: Db, env: Env, rows: readonly SendRow[]): Promise<SendJson[]> {
  const ids = rows.map(({ id }) => id)
  const events = new Map((await findEvents(db, env, ids)).map((event) => [event.id, event]))
  const workflowIds = [...new Set(rows.map((row) => row.workflow_id))]
  const names = new Map((await listWorkflowsById(db, env, workflowIds)).map((row) => [row.id, row]))
  const totals = await listSendTotals(db, env, ids)
  for (const row of rows) if (!row.counted) totals.set(row.id, await countRows(db, env, row.id))
  return rows.map((row) => {
    const workflow = names.get(row.workflow_id)
    const written = events.get(row.id)?.notified_count ?? row.total ?? 0
    return toSendJson(row, totals.get(row.id) ?? [], {
      workflowId: workflow?.identifier ?? '',
      workflowName: workflow?.name ?? '',
      written,
      isExpanded: events.get(row.id)?.state === 'expanded' || row.event_was === 'expanded',
    })
  })
}

type More = { workflowId: string; workflowName: string; written: number; isExpanded: boolean }

function toSendJson(row: SendRow, totals: readonly SendTotal[], more: More): SendJson {
  const { workflowId, workflowName, written, isExpanded } = more
  const total = isExpanded || row.state === 'done' ? written : row.total
  const leftOut = row.left_out ?? 0
  const isOver = row.state === 'canceling' || row.state === 'canceled' || row.state === 'done'
  const messages = totals.filter(({ outcome }) => (countNames as string[]).includes(outcome))
  const sum = (outcome: string, of = totals) => of.reduce((n, it) => (it.outcome === outcome ? n + it.n : n), 0)
  const sums = <const K extends string>(names: readonly K[], prefix = '', of = totals) =>
    Object.fromEntries(names.map((name) => [name, sum(prefix + name, of)])) as Record<K, number>
  return {
    transactionId: row.transaction_id,
    eventId: row.id,
    workflowId,
    workflowName,
    kind: row.kind,
    state: row.state,
    reason: row.reason,
    reasonText: row.reason_text,
    since: row.since.toISOString(),
    createdAt: uuid7Time(row.id).toISOString(),
    resumesAt: row.resumes_at?.toISOString() ?? null,
    canaryPeople: row.canary_people,
    guarded: row.bounds !== null,
    bounds: row.bounds,
    people: { total, written, left: isOver ? 0 : Math.max((total ?? written) - written, 0), leftOut },
    messages: sums(countNames),
    feedback: sums(feedbackNames),
    steps: sums(stepNames, 'step '),
    channels: Object.fromEntries(
      [...Map.groupBy(messages, (it) => it.channel)].map(([channel, of]) => [channel, sums(countNames, '', of)]),
    ),
    may: {
      pause: row.state === 'running' || row.state === 'canary' || row.state === 'waiting',
      resume: row.state === 'paused' || row.state === 'waiting' || row.state === 'canary',
      cancel: !isOver,
    },
    history: row.history,
  }
}
