import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { channels } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  countDeadMessages,
  countQuarantined,
  countStepTypes,
  findOldestDue,
  findWaitingEvents,
  type RecentRow,
  readRecent,
} from '../../store/history/numbers.ts'
import { findTallyCursor, type outcomes } from '../../store/history/tallies.ts'
import { listIntegrations } from '../../store/integrations.ts'
import { findWorkerMissing } from '../../store/worker-alive.ts'
import { listWorkflowsById } from '../../store/workflows.ts'
import { toCandidates } from '../integrations/candidates.ts'
import { severities, type Trouble, troubleSchema } from './trouble.ts'
import { webhookTroubles } from './webhook-troubles.ts'
import { duration, many, mostCounted } from './words.ts'

export const numbersNowSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    status: oneOf(['ok', ...severities]),
    waiting: Type.Object(
      { events: Type.Integer(), capped: Type.Boolean(), oldestSeconds: Type.Integer() },
      { description: 'Events that are accepted and have people left to reach.' },
    ),
    items: Type.Array(troubleSchema, { description: 'The worst first.' }),
    cursor: Type.String(),
  },
  { title: 'NumbersNow' },
)
export type NumbersNowJson = Static<typeof numbersNowSchema>

// Work normally starts within milliseconds, but a broadcast takes minutes: only much more is an error.
const lateSeconds = 60
const veryLateSeconds = 600
// Fewer tries prove nothing.
const fewestTries = 5
const failingShare = 0.5
const workflowFailingShare = 0.2
// Vendors suspend accounts at about this share.
const bouncedShare = 0.05

/** What needs attention now, from counts and indexed look-ups; history itself is not read. */
export async function readNumbersNow(ctx: Ctx, db: Db, env: Env, now: Date): Promise<NumbersNowJson> {
  const cursor = await findTallyCursor(db, env)
  const { count, oldestId } = await findWaitingEvents(db, env, mostCounted + 1)
  const waiting = {
    events: Math.min(count, mostCounted),
    capped: count > mostCounted,
    oldestSeconds: oldestId ? secondsSince(uuid7Time(oldestId), now) : 0,
  }
  const recent = await readRecent(db, env, now)
  const items = [
    ...(await noWorker(db, now)),
    ...(await deadLetters(db, env)),
    ...(await quarantined(db, env)),
    ...eventsWaiting(waiting),
    ...(await timersLate(db, env, now)),
    ...failingProviders(ctx, recent),
    ...(await missingIntegrations(ctx, db, env)),
    ...(await failingWorkflows(db, env, recent)),
    ...deliveriesUnknown(recent),
    ...bouncesGrowing(recent),
    ...(await webhookTroubles(db, env, now)),
  ].toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  return { at: now.toISOString(), status: items[0]?.severity ?? 'ok', waiting, items, cursor }
}

function secondsSince(time: Date, now: Date): number {
  return Math.max(0, Math.round((now.getTime() - time.getTime()) / 1000))
}

async function noWorker(db: Db, now: Date): Promise<Trouble[]> {
  const seconds = await findWorkerMissing(db, now)
  if (seconds === null) return []
  return [
    {
      code: 'no_worker',
      severity: 'error',
      text: `No worker has been running for ${duration(seconds)}`,
      advice: 'Events are accepted and wait. Start one with `npm start -- worker`; its log says why it ended.',
      count: 1,
      target: { page: 'activity' },
    },
  ]
}

async function deadLetters(db: Db, env: Env): Promise<Trouble[]> {
  const count = await countDeadMessages(db, env, mostCounted)
  if (count === 0) return []
  return [
    {
      code: 'dead_letters',
      severity: 'error',
      text: `${many(count, 'message was', 'messages were')} given up`,
      advice: 'Look at why, put it right, and send them again.',
      count,
      target: { page: 'dead-letters' },
    },
  ]
}

async function quarantined(db: Db, env: Env): Promise<Trouble[]> {
  const count = await countQuarantined(db, env)
  if (count === 0) return []
  return [
    {
      code: 'tasks_quarantined',
      severity: 'error',
      text: `${many(count, 'task was', 'tasks were')} set aside after failing again and again`,
      advice: 'The log of the worker says why; `npm start -- conserve` shows the events that wait for them.',
      count,
      target: { page: 'activity' },
    },
  ]
}

function eventsWaiting({ events, oldestSeconds }: NumbersNowJson['waiting']): Trouble[] {
  if (oldestSeconds < lateSeconds) return []
  return [
    {
      code: 'events_waiting',
      severity: lateSeverity(oldestSeconds),
      text: `${many(events, 'event has', 'events have')} people left to reach, the oldest for ${duration(oldestSeconds)}`,
      advice: 'Is a worker running? A large broadcast takes its time; otherwise add workers.',
      count: events,
      target: { page: 'activity' },
    },
  ]
}

async function timersLate(db: Db, env: Env, now: Date): Promise<Trouble[]> {
  const due = await findOldestDue(db, env, now)
  const seconds = due ? secondsSince(due, now) : 0
  if (seconds < lateSeconds) return []
  return [
    {
      code: 'timers_late',
      severity: lateSeverity(seconds),
      text: `Delays, digests or retries are ${duration(seconds)} late`,
      advice: 'Is a worker running, and does it keep up?',
      count: 1,
      target: { page: 'activity' },
    },
  ]
}

function lateSeverity(seconds: number): Trouble['severity'] {
  return seconds < veryLateSeconds ? 'warning' : 'error'
}

/** From the counts of all processes, because each process has its own breaker. */
function failingProviders(ctx: Ctx, recent: readonly RecentRow[]): Trouble[] {
  const outside = recent.filter((row) => row.providerId !== '' && row.channel !== 'in_app')
  return [...Map.groupBy(outside, (row) => row.providerId)].flatMap(([providerId, rows]): Trouble[] => {
    const count = sum(rows, 'lastQuarter', 'failed', 'retried', 'unknown')
    const tries = count + sum(rows, 'lastQuarter', 'sent')
    if (tries < fewestTries || count < tries * failingShare) return []
    const channel = channels.find((name) => name === rows[0]?.channel)
    const name = ctx.providers.find(providerId)?.displayName ?? providerId
    return [
      {
        code: 'provider_failing',
        severity: count === tries ? 'error' : 'warning',
        text: `${name} did not take ${count} of ${tries} messages in the last 15 minutes`,
        advice: 'Test its integration and read the answer; another active one of the channel takes over meanwhile.',
        count,
        target: { page: 'integrations', providerId, ...(channel && { channel }) },
      },
    ]
  })
}

async function missingIntegrations(ctx: Ctx, db: Db, env: Env): Promise<Trouble[]> {
  const used = await countStepTypes(db, env)
  const candidates = toCandidates(ctx, await listIntegrations(db, env))
  return used.flatMap(({ type, workflows }): Trouble[] => {
    const channel = channels.find((name) => name === type)
    if (!channel || channel === 'in_app' || candidates.has(channel)) return []
    return [
      {
        code: 'no_integration',
        severity: 'warning',
        text: `${many(workflows, 'active workflow has', 'active workflows have')} ${channel} steps, and no ${channel} integration is active`,
        advice: `Add an integration for ${channel}: until then these steps fail.`,
        count: workflows,
        target: { page: 'integrations', channel },
      },
    ]
  })
}

async function failingWorkflows(db: Db, env: Env, recent: readonly RecentRow[]): Promise<Trouble[]> {
  const failing = [...Map.groupBy(recent, (row) => row.workflowId)].flatMap(([id, rows]) => {
    const count = sum(rows, 'lastHour', 'failed')
    const ended = count + sum(rows, 'lastHour', 'sent')
    return count >= fewestTries && count >= ended * workflowFailingShare ? { id, count, ended } : []
  })
  const ids = failing.map(({ id }) => id)
  const workflows = new Map((await listWorkflowsById(db, env, ids)).map((row) => [row.id, row]))
  return failing.flatMap(({ id, count, ended }): Trouble[] => {
    const workflow = workflows.get(id)
    if (!workflow) return []
    return [
      {
        code: 'workflow_failing',
        severity: 'warning',
        text: `${workflow.name}: ${count} of ${ended} messages failed in the last hour`,
        advice: 'Open one of them: its steps say what went wrong.',
        count,
        target: { page: 'workflows', workflowId: workflow.identifier, outcome: 'failed' },
      },
    ]
  })
}

function deliveriesUnknown(recent: readonly RecentRow[]): Trouble[] {
  const count = sum(recent, 'lastHour', 'unknown')
  if (count === 0) return []
  return [
    {
      code: 'deliveries_unknown',
      severity: 'warning',
      text: `Nobody can say whether ${many(count, 'message', 'messages')} of the last hour went out`,
      advice: 'Each is marked with a warning; look it up at the vendor before sending it again.',
      count,
      target: { page: 'activity', outcome: 'unknown' },
    },
  ]
}

function bouncesGrowing(recent: readonly RecentRow[]): Trouble[] {
  const mails = recent.filter((row) => row.channel === 'email')
  const count = sum(mails, 'lastDay', 'bounced', 'complained')
  const sent = sum(mails, 'lastDay', 'sent')
  if (count < fewestTries || count < sent * bouncedShare) return []
  return [
    {
      code: 'bounces_growing',
      severity: 'warning',
      text: `${count} of ${sent} e-mails of the last day bounced or were complained about`,
      advice: 'Look where these addresses come from: vendors close accounts for this.',
      count,
      target: { page: 'suppressions', channel: 'email' },
    },
  ]
}

type Period = 'lastQuarter' | 'lastHour' | 'lastDay'

function sum(rows: readonly RecentRow[], period: Period, ...wanted: (typeof outcomes)[number][]): number {
  return rows.reduce((n, row) => (wanted.some((outcome) => outcome === row.outcome) ? n + row[period] : n), 0)
}
