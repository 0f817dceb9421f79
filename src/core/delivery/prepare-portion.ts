import type { Ctx } from '../../context.ts'
import type { Outcome } from '../../providers/outcome.ts'
import type { Env } from '../../store/database.ts'
import { type AttemptRow, deferMessages, type Wait } from '../../store/history/attempts.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import type { Candidate } from '../integrations/candidates.ts'
import { type Choice, pickIntegration } from '../integrations/pick-integration.ts'
import { holdStopped, isStopped } from '../sends/hold-messages.ts'
import { type Attempt, attemptId, type Delivery, type Ending, toPastTries } from './attempt.ts'
import { channelOf } from './channel-of.ts'
import { admitTarget, closedTarget } from './chat-target.ts'
import { allowedNext } from './doubt.ts'
import { loadDeliveries } from './load-deliveries.ts'
import { waitInLine } from './pace.ts'
import { recordEach } from './record-each.ts'
import { makeTextParts } from './text-parts.ts'
import { variantOf } from './variant.ts'

// A takeover waits this much longer, so that an answer of the last moment can be recorded.
export const takeoverMs = 5_000

// If the render threads are too busy for a text, it is tried again after this long.
const textAgainMs = 2_000

// Another worker may have the encryption key that this one lacks.
const withoutKeyMs = 5_000

/** A try that is to be committed next. `isProbe`: its integration does not work, and this one finds out whether it does. */
export type ReadyTry = Omit<Attempt, 'startedAt' | 'startBy'> & { isProbe: boolean }
type ChosenTry = Omit<ReadyTry, 'text'>

/** Decides about each message. Records what ends or waits without a try, and returns the tries. */
export async function preparePortion(
  ctx: Ctx,
  env: Env,
  messageIds: readonly string[],
  /** They have waited in line: it is their turn. */
  released: boolean,
): Promise<ReadyTry[]> {
  const now = ctx.clock()
  const deliveries = await ctx.database.read(env, (db) => loadDeliveries(ctx, db, env, messageIds, released))
  const endings: Ending[] = []
  const waits: Wait[] = []
  const stopped: MessageRow[] = []
  const lines: { delivery: Delivery; candidate: Candidate }[] = []
  const tries: ChosenTry[] = []
  const withoutKey: MessageRow[] = []
  for (const delivery of deliveries) {
    const decision = decideDelivery(ctx, delivery, now)
    switch (decision.kind) {
      case 'later':
        // Whoever woke it before its time took its alarm.
        if (decision.untilMs && delivery.row.retry_at?.getTime() !== decision.untilMs)
          waits.push(toWait(delivery.row, decision.untilMs))
        break
      case 'end':
        endings.push({ delivery, attempt: decision.attempt, outcome: decision.outcome })
        break
      case 'wait':
        waits.push(toWait(delivery.row, notAfterExpiry(decision.untilMs, delivery.row.expires_at)))
        break
      case 'hold':
        stopped.push(delivery.row)
        break
      case 'line':
        lines.push({ delivery, candidate: decision.candidate })
        break
      case 'try':
        if (ctx.sealer.hasKeysOf(sealedTextsOf(delivery, decision.candidate)))
          tries.push(toChosenTry(ctx, delivery, decision.candidate))
        else withoutKey.push(delivery.row)
        break
    }
  }
  if (withoutKey.length > 0) ctx.log.warn({ messages: withoutKey.length }, 'messages wait for an encryption key')
  waits.push(...toWaits(withoutKey, now.getTime() + withoutKeyMs))
  const [fault] = endings.length > 0 ? (await recordEach(ctx, env, endings)).values() : []
  if (fault !== undefined) throw fault
  await waitInLine(ctx, env, lines)
  await holdStopped(ctx, env, stopped, now)
  const { ready, late } = await addTexts(ctx, tries)
  waits.push(...toWaits(late, ctx.clock().getTime() + textAgainMs))
  if (waits.length > 0) await ctx.database.write(env, (db) => deferMessages(db, env, waits))
  return ready
}

/** At the latest when it expires, because then it is given up. */
export function notAfterExpiry(untilMs: number, expiresAt: Date | null): number {
  return Math.min(untilMs, expiresAt?.getTime() ?? untilMs)
}

function toWaits(rows: readonly MessageRow[], untilMs: number): Wait[] {
  return rows.map((row) => toWait(row, notAfterExpiry(untilMs, row.expires_at)))
}

export function toWait({ id, attempts, in_flight }: MessageRow, untilMs: number): Wait {
  return { id, attempts, inFlight: in_flight, retryAt: new Date(untilMs) }
}

type Decision =
  /** A try is running; the message is woken again after its deadline. */
  | { kind: 'later'; untilMs: number | null }
  | { kind: 'end'; attempt: AttemptRow | null; outcome: Outcome }
  | { kind: 'wait'; untilMs: number }
  /** Its send stands still. */
  | { kind: 'hold' }
  | { kind: 'line' | 'try'; candidate: Candidate }

function decideDelivery(ctx: Ctx, delivery: Delivery, now: Date): Decision {
  const { row, subscriber, history } = delivery
  const last = history.at(-1) ?? null
  if (row.in_flight) {
    const untilMs = last ? last.deadline.getTime() + takeoverMs : null
    if (!last || !untilMs || untilMs > now.getTime()) return { kind: 'later', untilMs }
    return { kind: 'end', attempt: last, outcome: { kind: 'unknown', reason: 'No answer was recorded in time' } }
  }
  if (isStopped(row)) return { kind: 'hold' }
  if (row.expires_at && row.expires_at <= now) {
    return {
      kind: 'end',
      attempt: null,
      outcome: { kind: 'retry', reason: 'The time in which it was to be sent is over' },
    }
  }
  if (!subscriber)
    return { kind: 'end', attempt: null, outcome: { kind: 'rejected', reason: 'The subscriber was deleted' } }
  if (delivery.suppressed.why !== null) return { kind: 'end', attempt: null, outcome: suppressed(delivery) }
  const closed = closedTarget(delivery)
  if (closed) return { kind: 'end', attempt: null, outcome: closed }
  const choice = choose(ctx, delivery, now)
  switch (choice.kind) {
    case 'use':
      return { kind: 'try', candidate: choice.candidate }
    case 'wait':
      return { kind: 'wait', untilMs: choice.untilMs }
    case 'line':
      return choice
    case 'in doubt':
      return { kind: 'end', attempt: null, outcome: { kind: 'unknown', reason: 'It may have been sent already' } }
    case 'none': {
      const reason = choice.refused ? 'Every integration refused our credentials' : 'No active integration is left'
      return { kind: 'end', attempt: null, outcome: { kind: 'rejected', reason, because: 'integration' } }
    }
  }
}

function suppressed({ suppressed: { why } }: Delivery): Outcome {
  return { kind: 'rejected', reason: `The address is on the suppression list (${why})`, because: 'suppressed' }
}

function choose(ctx: Ctx, delivery: Delivery, now: Date): Choice<Candidate> | { kind: 'in doubt' } {
  const { row } = delivery
  const nowMs = now.getTime()
  const tries = toPastTries(ctx, delivery)
  const may = allowed(ctx, delivery, nowMs)
  if (may.length === 0 && tries.some((it) => it.outcome === 'unknown')) return { kind: 'in doubt' }
  // Only the tries since the message was last redriven decide which integration is next.
  const since = tries.filter((it) => it.number > row.redriven_after)
  return pickIntegration(may, since, (id) => {
    if (delivery.paced.has(id)) return { kind: 'paced' }
    const ofTarget = admitTarget(ctx, delivery, id, nowMs)
    // Asked last: a breaker lets one probe through, which must then be sent.
    return ofTarget.kind === 'ok' ? ctx.health.admit(id, nowMs) : ofTarget
  })
}

/** Those that may send it now, after its tries so far. */
export function allowed(ctx: Ctx, delivery: Delivery, nowMs: number): readonly Candidate[] {
  const { candidates } = delivery
  return allowedNext(candidates, toPastTries(ctx, delivery), (candidate) => variantOf(delivery, candidate), nowMs)
}

function toChosenTry(ctx: Ctx, delivery: Delivery, candidate: Candidate): ChosenTry {
  const number = delivery.row.attempts + 1
  const isProbe = ctx.health.isHeld(candidate.id, ctx.clock().getTime())
  return { delivery, candidate, number, id: attemptId(delivery.row.id, number), isProbe }
}

/**
 * Returns the stored texts that a try opens after it is committed. A process that lacks the key of one of them must not
 * begin the try: it would count, and end as if the provider had failed.
 */
function sealedTextsOf(delivery: Delivery, { id, row }: Candidate): string[] {
  const auth = channelOf(delivery, id)?.reached?.connection?.auth
  return [...Object.values(row.credentials), ...Object.values(row.configurations), ...(auth ? [auth] : [])]
}

/** Before the commit, so that no try is in doubt while texts are made. `late`: messages there was no time for. */
async function addTexts(ctx: Ctx, tries: readonly ChosenTry[]): Promise<{ ready: ReadyTry[]; late: MessageRow[] }> {
  const deliveries = tries.map(({ delivery }) => delivery)
  const texts = await makeTextParts(ctx, deliveries)
  const hasText = ({ channel, id }: MessageRow) => channel !== 'email' || texts.has(id)
  const ready = tries
    .filter(({ delivery }) => hasText(delivery.row))
    .map((it) => ({ ...it, text: texts.get(it.delivery.row.id) ?? '' }))
  const late = deliveries.map(({ row }) => row).filter((row) => !hasText(row))
  if (late.length > 0) ctx.log.warn({ mails: late.length }, 'the machine is too busy to make the text of mails')
  return { ready, late }
}
