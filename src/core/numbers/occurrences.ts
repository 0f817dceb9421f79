import type { Ctx } from '../../context.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Outcome } from '../../providers/outcome.ts'
import { channels } from '../../providers/provider.ts'
import { afterCommit, type Db, type Env } from '../../store/database.ts'
import type { JobStatus, NewMessage } from '../../store/history/history.ts'
import { addTallies, type Tally } from '../../store/history/tallies.ts'
import { addSendTallies, type SendTally } from '../../store/sends/send-tallies.ts'

/**
 * What happened, with one name for each thing. Counters (/metrics), tallies (/v1/numbers) and spans use these names;
 * the functions below map them to counters and tallies.
 */
export type Occurrence =
  /** The result of a trigger: `processed`, `repeated`, or why it was refused. */
  | { of: 'event'; outcome: string; workflowId: string | null }
  | { of: 'notification'; outcome: 'notified'; workflowId: string }
  | ({ of: 'step'; outcome: StepOutcome; workflowId: string; type: string; hasMessages: boolean } & OfSend)
  | ({
      of: 'message'
      outcome: MessageOutcome
      workflowId: string
      channel: string
      providerId: string | null
    } & OfSend)
  | { of: 'try'; outcome: TryOutcome; channel: string; providerId: string | null }

/** `sendId`: its event, if that may be a send of which all is counted. `was`: a message that was to be sent until now. */
type OfSend = { sendId?: string; was?: 'waiting' }

export type StepOutcome = 'completed' | 'failed' | 'skipped' | 'merged' | 'canceled' | 'waiting'
/** How a message ended. `dead`: given up, may be redriven. */
type MessageEnd = 'sent' | 'failed' | 'skipped' | 'unknown' | 'dead' | 'canceled'
/** Other events of a message: written to be sent, tried without success so far, redriven, and what its vendor reports. */
type MessageUpdate = 'opened' | 'retried' | 'redriven' | 'delivered' | 'bounced' | 'complained'
export type MessageOutcome = MessageEnd | MessageUpdate
export type TryOutcome = Outcome['kind'] | 'paced'

/** Null: no outcome yet. */
export function outcomeOfStep(status: JobStatus): StepOutcome | null {
  switch (status) {
    case 'pending':
    case 'queued':
    case 'running':
      return null
    case 'delayed':
      return 'waiting'
    case 'completed':
    case 'failed':
    case 'skipped':
    case 'merged':
    case 'canceled':
      return status
  }
}

/** Of a message as its step wrote it. Null: still to be sent. */
export function outcomeOfMessage({ delivery, status }: Pick<NewMessage, 'delivery' | 'status'>): MessageOutcome | null {
  if (delivery === 'open') return null
  switch (status) {
    case 'sent':
      return 'sent'
    case 'error':
      return 'failed'
    case 'warning':
      return 'skipped'
  }
}

/** Of a message after delivery. Null: nothing tried and nothing decided. */
export function outcomeOfDelivery(
  delivery: 'open' | 'sent' | 'rejected' | 'unknown' | 'dead' | 'canceled',
  wasTried: boolean,
): MessageOutcome | null {
  switch (delivery) {
    case 'open':
      return wasTried ? 'retried' : null
    case 'rejected':
      return 'failed'
    case 'sent':
    case 'unknown':
    case 'dead':
    case 'canceled':
      return delivery
  }
}

/** `paced`: a 429; it asks us to slow down and is not a failure. */
export function outcomeOfTry(outcome: Outcome): TryOutcome {
  return outcome.kind === 'retry' && outcome.paces ? 'paced' : outcome.kind
}

/** Call it in the transaction that makes it happen: tallies are written in it, counters are raised after the commit. */
export async function recordOccurrences(
  ctx: Ctx,
  db: Db,
  env: Env,
  occurrences: readonly Occurrence[],
  now: Date,
): Promise<void> {
  const counted = addUp(occurrences)
  await addTallies(db, env, counted.flatMap(toTally), now)
  await addSendTallies(db, env, counted.flatMap(toSendTallies), now)
  afterCommit(db, () => {
    for (const { occurrence, n } of counted) count(ctx.metrics, occurrence, n)
  })
}

type Counted = { occurrence: Occurrence; n: number }

function addUp(occurrences: readonly Occurrence[]): Counted[] {
  const sums = new Map<string, Counted>()
  for (const occurrence of occurrences) {
    const key = Object.values(occurrence).join(' ')
    const sum = sums.get(key)
    if (sum) sum.n += 1
    else sums.set(key, { occurrence, n: 1 })
  }
  return [...sums.values()]
}

function count(metrics: Metrics, occurrence: Occurrence, n: number): void {
  switch (occurrence.of) {
    case 'event':
      metrics.events.inc({ result: occurrence.outcome }, n)
      break
    case 'notification':
      metrics.notifications.inc(n)
      break
    case 'step':
      metrics.steps.inc({ type: occurrence.type, outcome: occurrence.outcome }, n)
      break
    case 'message':
      if (isEnd(occurrence.outcome)) metrics.messages.inc(labelsOf(occurrence), n)
      break
    case 'try':
      metrics.attempts.inc(labelsOf(occurrence), n)
      break
  }
}

function isEnd(outcome: MessageOutcome): outcome is MessageEnd {
  switch (outcome) {
    case 'sent':
    case 'failed':
    case 'skipped':
    case 'unknown':
    case 'dead':
    case 'canceled':
      return true
    case 'opened':
    case 'retried':
    case 'redriven':
    case 'delivered':
    case 'bounced':
    case 'complained':
      return false
  }
}

function labelsOf({ channel, providerId, outcome }: { channel: string; providerId: string | null; outcome: string }) {
  return { channel, provider: providerId ?? 'none', outcome }
}

function toTally({ occurrence, n }: Counted): Tally[] {
  switch (occurrence.of) {
    case 'event':
      if (occurrence.outcome !== 'processed' || occurrence.workflowId === null) return []
      return [{ workflowId: occurrence.workflowId, outcome: 'accepted', n }]
    case 'notification':
      return [{ workflowId: occurrence.workflowId, outcome: 'notified', n }]
    case 'step':
      return toStepTally(occurrence, n)
    case 'message':
      return toMessageTally(occurrence, n)
    case 'try':
      return []
  }
}

/** Steps with sent or failed messages are counted by these. Delays, digests and throttles are not counted. */
function toStepTally(step: Occurrence & { of: 'step' }, n: number): Tally[] {
  if (!(channels as readonly string[]).includes(step.type)) return []
  const { workflowId, type: channel, outcome } = step
  switch (outcome) {
    case 'completed':
    case 'waiting':
      return []
    case 'failed':
      return step.hasMessages ? [] : [{ workflowId, channel, outcome, n }]
    case 'skipped':
    case 'merged':
    case 'canceled':
      return [{ workflowId, channel, outcome, n }]
  }
}

function toMessageTally({ outcome, ...message }: Occurrence & { of: 'message' }, n: number): Tally[] {
  const { workflowId, channel, providerId } = message
  switch (outcome) {
    case 'sent':
    case 'failed':
    case 'unknown':
    case 'retried':
    case 'redriven':
    case 'delivered':
    case 'bounced':
    case 'complained':
      return [{ workflowId, channel, providerId, outcome, n }]
    case 'dead':
      return [{ workflowId, channel, providerId, outcome: 'failed', n }]
    case 'opened':
    // Counted by their steps.
    case 'skipped':
    case 'canceled':
      return []
  }
}

/** For the counts of a send: how many messages are in which state. What ends, or is sent again, leaves a state. */
function toSendTallies({ occurrence, n }: Counted): SendTally[] {
  if ((occurrence.of !== 'message' && occurrence.of !== 'step') || occurrence.sendId === undefined) return []
  const { sendId, outcome } = occurrence
  if (occurrence.of === 'step') {
    if (occurrence.hasMessages || outcome === 'completed' || outcome === 'waiting') return []
    return [{ sendId, channel: occurrence.type, outcome: `step ${outcome}`, n }]
  }
  const of = (state: string, by = n): SendTally => ({ sendId, channel: occurrence.channel, outcome: state, n: by })
  switch (occurrence.outcome) {
    case 'opened':
      return [of('waiting')]
    case 'retried':
      return []
    case 'redriven':
      return [of('waiting'), of('dead', -n)]
    case 'sent':
    case 'failed':
    case 'skipped':
    case 'unknown':
    case 'dead':
    case 'canceled':
    case 'delivered':
    case 'bounced':
    case 'complained':
      return occurrence.was ? [of(occurrence.outcome), of(occurrence.was, -n)] : [of(occurrence.outcome)]
  }
}
