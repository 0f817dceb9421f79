import type { Ctx } from '../context.ts'
import { uuid7Time } from '../lib/uuid7.ts'
import type { Outcome } from '../providers/outcome.ts'
import { afterCommit, type Db } from '../store/database.ts'
import type { JobState } from '../store/history/attempts.ts'
import type { Canceled, NewJob, NewMessage } from '../store/history/history.ts'
import type { Next } from './delivery/decide-next.ts'
import type { Ending } from './delivery/record-endings.ts'
import type { TriggerResult } from './pipeline/accept-events.ts'
import type { EventPage } from './pipeline/take-recipients.ts'

/** Everything here counts when the transaction is committed, and not if it is repeated or undone. */

/** `created`: of those that were processed, the ones seen for the first time. */
export function countAccepted({ metrics }: Ctx, db: Db, results: readonly TriggerResult[], created: number): void {
  afterCommit(db, () => {
    const processed = results.filter(({ status }) => status === 'processed').length
    metrics.events.inc({ result: 'processed' }, created)
    if (processed > created) metrics.events.inc({ result: 'repeated' }, processed - created)
    for (const result of results) if (result.status !== 'processed') metrics.events.inc({ result: refusalOf(result) })
  })
}

// Of the many sentences behind `error` those that are codes.
const namedRefusals = ['workflow_not_found', 'transaction_id_conflict']

function refusalOf({ status, error = [] }: TriggerResult): string {
  return namedRefusals.find((code) => error[0] === code) ?? status
}

type Written = { jobs: readonly NewJob[]; messages: readonly NewMessage[] }

/** A page of events became history. `known`: whom an earlier page had reached; `startedMs`: when it was taken up. */
export function countExpanded(
  ctx: Ctx,
  db: Db,
  {
    pages,
    written,
    known,
    startedMs,
  }: {
    pages: readonly EventPage[]
    written: Written & { notifications: readonly { id: string }[] }
    known: ReadonlySet<string>
    startedMs: number
  },
): void {
  const { metrics } = ctx
  const isNew = (row: { notification_id: string }) => !known.has(row.notification_id)
  countWritten(ctx, db, { jobs: written.jobs.filter(isNew), messages: written.messages.filter(isNew) })
  afterCommit(db, () => {
    metrics.notifications.inc(written.notifications.length - known.size)
    for (const { event, progress } of pages) {
      const waitedMs = startedMs - uuid7Time(event.id).getTime()
      if (progress.before === null) metrics.stageSeconds.observe({ stage: 'accepted_to_expand' }, seconds(waitedMs))
    }
    const tookMs = ctx.clock().getTime() - startedMs
    metrics.stageSeconds.observe({ stage: 'expand_to_written' }, seconds(tookMs))
  })
}

/** Steps that were walked, and the messages that need no provider. */
export function countWritten(ctx: Ctx, db: Db, { jobs, messages }: Written): void {
  const { metrics } = ctx
  afterCommit(db, () => {
    const nowMs = ctx.clock().getTime()
    for (const [key, count] of tally(jobs.filter(outcomeOfStep), (job) => [job.type, outcomeOfStep(job)])) {
      const [type = '', outcome = ''] = key.split(' ')
      metrics.steps.inc({ type, outcome }, count)
    }
    const ended = messages.filter((message) => message.delivery === null)
    for (const [key, count] of tally(ended, (it) => [it.channel, it.provider_id ?? 'none', unsent[it.status]])) {
      const [channel = '', provider = '', outcome = ''] = key.split(' ')
      metrics.messages.inc({ channel, provider, outcome }, count)
    }
    for (const { id, status } of ended) if (status === 'sent') observeSent(ctx, id, nowMs)
  })
}

// Of messages that do not go to a provider: the inbox has it, it could not be rendered, there was nobody to send it to.
const unsent = { sent: 'sent', error: 'failed', warning: 'skipped' } as const

function outcomeOfStep({ status }: Pick<NewJob, 'status'>): string | null {
  if (status === 'delayed') return 'waiting'
  return status === 'pending' || status === 'queued' || status === 'running' ? null : status
}

function tally<T>(rows: readonly T[], keyOf: (row: T) => readonly (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const key = keyOf(row).join(' ')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

type Ended = Pick<Ending, 'delivery' | 'candidate' | 'outcome' | 'attempt'> & { next: Next }

/** `closed`: whose try was recorded; `ended`: whose message was moved on by it. */
export function countEndings(
  ctx: Ctx,
  db: Db,
  recorded: { closed: readonly Ended[]; ended: readonly Ended[]; jobs: readonly JobState[] },
): void {
  const { metrics } = ctx
  afterCommit(db, () => {
    const nowMs = ctx.clock().getTime()
    for (const { delivery, candidate, outcome, attempt } of recorded.closed) {
      if (attempt) metrics.attempts.inc({ ...namesOf(delivery.row, candidate), outcome: answerOf(outcome) })
    }
    for (const { delivery, candidate, next, attempt } of recorded.ended) {
      const { row } = delivery
      if (attempt?.number === 1) {
        metrics.stageSeconds.observe({ stage: 'written_to_tried' }, seconds(nowMs - row.updated_at.getTime()))
      }
      if (next.delivery === 'open') continue
      const outcome = next.delivery === 'rejected' ? 'failed' : next.delivery
      metrics.messages.inc({ ...namesOf(row, candidate), outcome })
      if (outcome === 'sent') observeSent(ctx, row.id, nowMs)
    }
    for (const { type, status, was } of recorded.jobs) {
      if (was !== status) metrics.steps.inc({ type, outcome: status })
    }
  })
}

export function countCanceled({ metrics }: Ctx, db: Db, { steps, messages }: Canceled): void {
  afterCommit(db, () => {
    for (const type of steps) metrics.steps.inc({ type, outcome: 'canceled' })
    for (const { channel, providerId } of messages) {
      metrics.messages.inc({ channel, provider: providerId ?? 'none', outcome: 'canceled' })
    }
  })
}

function namesOf(row: { channel: string; provider_id: string | null }, candidate: Ending['candidate']) {
  return { channel: row.channel, provider: candidate?.provider.id ?? row.provider_id ?? 'none' }
}

/** `paced`: a 429, which asks for patience and is no failure. */
function answerOf(outcome: Outcome): string {
  return outcome.kind === 'retry' && outcome.paces ? 'paced' : outcome.kind
}

/** Its id carries the moment it became due: when the event came, or the wait before it was over. */
function observeSent({ metrics }: Ctx, messageId: string, nowMs: number): void {
  metrics.stageSeconds.observe({ stage: 'due_to_sent' }, seconds(nowMs - uuid7Time(messageId).getTime()))
}

function seconds(ms: number): number {
  return Math.max(0, ms) / 1000
}
