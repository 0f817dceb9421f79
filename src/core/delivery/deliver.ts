import type { Ctx } from '../../context.ts'
import { createPauses } from '../../lib/chunks.ts'
import { notBegun } from '../../lib/outbound.ts'
import type { Outcome } from '../../providers/outcome.ts'
import type { Env } from '../../store/database.ts'
import { listAttachments } from '../../store/history/attachments.ts'
import {
  type AttemptRow,
  beginAttempts,
  deferMessages,
  type Wait,
  withdrawAttempts,
} from '../../store/history/attempts.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import type { Candidate } from '../integrations/candidates.ts'
import { type Choice, pickIntegration } from '../integrations/pick-integration.ts'
import { whenUnknown } from '../integrations/when-unknown.ts'
import { groupsThatFit, withRoomForFiles } from './attachments-in-hand.ts'
import { type Attempt, attemptBudgetMs, attemptId, type Delivery, type Ending, toPastTries } from './attempt.ts'
import { admitTarget, closedTarget } from './chat-target.ts'
import { allowedNext } from './doubt.ts'
import { loadDeliveries } from './load-deliveries.ts'
import { waitInLine } from './pace.ts'
import { recordEach } from './record-each.ts'
import { recordPatiently } from './record-patiently.ts'
import { sendAttempt } from './send-attempt.ts'
import { makeTextParts } from './text-parts.ts'
import { variantOf } from './variant.ts'

// The longest time between committing a try and its first byte. A process that slept longer must not send.
const startWithinMs = 3_000
// A takeover waits this much longer, so that an answer of the last moment can be recorded.
const takeoverMs = 5_000

// If the render threads are too busy for a text, it is tried again after this long.
const textAgainMs = 2_000

// If too many files are being sent, a message with files is tried again after this long.
const filesAgainMs = 2_000

// The tries committed together: only as many as can begin at once. So few are in doubt if the process dies, and a
// provider that stops answering is noticed before the rest of a task goes to it.
export const portionSize = 20

/**
 * Decides about each message, commits the tries, sends them together, and records each when its answer comes. Returns
 * the messages that were not begun because the process is stopping.
 */
export async function deliverPortion(
  ctx: Ctx,
  env: Env,
  messageIds: readonly string[],
  /** They have waited in line: it is their turn. */
  released = false,
): Promise<string[]> {
  const now = ctx.clock()
  const deliveries = await ctx.database.read(env, (db) => loadDeliveries(ctx, db, env, messageIds, released))
  const endings: Ending[] = []
  const waits: Wait[] = []
  const lines: { delivery: Delivery; candidate: Candidate }[] = []
  const tries: ChosenTry[] = []
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
      case 'line':
        lines.push({ delivery, candidate: decision.candidate })
        break
      case 'try':
        tries.push(toChosenTry(delivery, decision.candidate))
        break
    }
  }
  await recordEach(ctx, env, endings)
  await waitInLine(ctx, env, lines)
  const { ready, late } = await addTexts(ctx, tries)
  const textAgainAt = ctx.clock().getTime() + textAgainMs
  waits.push(...late.map((row) => toWait(row, notAfterExpiry(textAgainAt, row.expires_at))))
  if (waits.length > 0) await ctx.database.write(env, (db) => deferMessages(db, env, waits))
  if (ctx.drain.begun) return ready.map(({ delivery }) => delivery.row.id)
  const { light = [], heavy = [] } = Object.groupBy(ready, (it) =>
    it.delivery.attachmentBytes > 0 ? 'heavy' : 'light',
  )
  const groups = groupsThatFit(heavy, bytesOf, ({ delivery }) => delivery.row.event_id)
  const [, ...left] = await Promise.all([
    sendAndRecord(ctx, env, await commitIntents(ctx, env, light)),
    ...groups.map((group) => sendWithFiles(ctx, env, group)),
  ])
  return left.flat()
}

const bytesOf = ({ delivery }: ReadyTry) => delivery.attachmentBytes

/** Messages of one event. Their tries are committed when there is room for its files, not before. Returns as above. */
async function sendWithFiles(ctx: Ctx, env: Env, group: readonly ReadyTry[]): Promise<string[]> {
  const ids = group.map(({ delivery }) => delivery.row.id)
  const bytes = group.reduce((sum, it) => sum + bytesOf(it), 0)
  const eventIds = group.slice(0, 1).map(({ delivery }) => delivery.row.event_id)
  let left: string[] = []
  const hadRoom = await withRoomForFiles(bytes, async () => {
    if (ctx.drain.begun) {
      left = ids
      return
    }
    const files = await ctx.database.read(env, (db) => listAttachments(db, env, eventIds))
    const attachments = [...files.values()].flat()
    const tries = group.map((it) => ({ ...it, delivery: { ...it.delivery, attachments } }))
    await sendAndRecord(ctx, env, await commitIntents(ctx, env, tries))
  })
  if (hadRoom) return left
  const againAt = ctx.clock().getTime() + filesAgainMs
  const waits = group.map(({ delivery: { row } }) => toWait(row, notAfterExpiry(againAt, row.expires_at)))
  await ctx.database.write(env, (db) => deferMessages(db, env, waits))
  return []
}

/** At the latest when it expires, because then it is given up. */
function notAfterExpiry(untilMs: number, expiresAt: Date | null): number {
  return Math.min(untilMs, expiresAt?.getTime() ?? untilMs)
}

function toWait({ id, attempts, in_flight }: MessageRow, untilMs: number): Wait {
  return { id, attempts, inFlight: in_flight, retryAt: new Date(untilMs) }
}

type Decision =
  /** A try is running; the message is woken again after its deadline. */
  | { kind: 'later'; untilMs: number | null }
  | { kind: 'end'; attempt: AttemptRow | null; outcome: Outcome }
  | { kind: 'wait'; untilMs: number }
  | { kind: 'line' | 'try'; candidate: Candidate }

function decideDelivery(ctx: Ctx, delivery: Delivery, now: Date): Decision {
  const { row, subscriber, history } = delivery
  const last = history.at(-1) ?? null
  if (row.in_flight) {
    const untilMs = last ? last.deadline.getTime() + takeoverMs : null
    if (!last || !untilMs || untilMs > now.getTime()) return { kind: 'later', untilMs }
    return { kind: 'end', attempt: last, outcome: { kind: 'unknown', reason: 'No answer was recorded in time' } }
  }
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

function allowed(ctx: Ctx, delivery: Delivery, nowMs: number): readonly Candidate[] {
  const { candidates } = delivery
  return allowedNext(candidates, toPastTries(ctx, delivery), (candidate) => variantOf(delivery, candidate), nowMs)
}

type ChosenTry = Omit<Attempt, 'text' | 'startedAt' | 'startBy'>
type ReadyTry = Omit<Attempt, 'startedAt' | 'startBy'>

function toChosenTry(delivery: Delivery, candidate: Candidate): ChosenTry {
  const number = delivery.row.attempts + 1
  return { delivery, candidate, number, id: attemptId(delivery.row.id, number) }
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

async function commitIntents(ctx: Ctx, env: Env, ready: readonly ReadyTry[]): Promise<Attempt[]> {
  const now = ctx.clock()
  // Texts and files took time, and a provider may have forgotten a key meanwhile. Such a message is decided about anew.
  const tries = ready.filter(({ delivery, candidate }) => allowed(ctx, delivery, now.getTime()).includes(candidate))
  if (tries.length === 0) return []
  const intents = tries.map(({ delivery, candidate, id, number }) => {
    const deadline = new Date(now.getTime() + startWithinMs + attemptBudgetMs({ delivery, candidate }))
    return {
      attemptId: id,
      messageId: delivery.row.id,
      number,
      integrationId: candidate.id,
      providerId: candidate.provider.id,
      whenUnknown: whenUnknown(ctx, candidate),
      variant: variantOf(delivery, candidate),
      deadline,
      wakeAt: new Date(deadline.getTime() + takeoverMs),
    }
  })
  const begun = await ctx.database.write(env, (db) => beginAttempts(db, env, intents, now))
  const startBy = now.getTime() + startWithinMs
  return tries.filter(({ delivery }) => begun.has(delivery.row.id)).map((it) => ({ ...it, startedAt: now, startBy }))
}

/** Records finished tries while others run, so that one that hangs does not delay the others' records. */
async function sendAndRecord(ctx: Ctx, env: Env, attempts: readonly Attempt[]): Promise<void> {
  const finished: Ending[] = []
  const running = new Set<Promise<void>>()
  // Writing the request of a large mail takes a tenth of a second.
  const pause = createPauses()
  for (const attempt of attempts) {
    await pause()
    const one = sendAttempt(ctx, env, attempt).then((ending) => {
      finished.push(ending)
      running.delete(one)
    })
    running.add(one)
  }
  const failures: unknown[] = []
  while (running.size > 0 || finished.length > 0) {
    if (finished.length === 0) await Promise.race(running)
    // Tries that end at the same moment are recorded together.
    await new Promise(setImmediate)
    const ended = finished.splice(0)
    const { begun = [], left = [] } = Object.groupBy(ended, (it) => (isNotBegun(it) ? 'left' : 'begun'))
    // A record that fails must lose neither the answers still to come nor those beside it.
    await recordEach(ctx, env, begun).catch((error: unknown) => failures.push(error))
    await withdraw(ctx, env, left).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/** It still waited for a connection when the process began to stop. A part of a push message may have been sent. */
function isNotBegun({ outcome, settledTargets }: Ending): boolean {
  return outcome.kind === 'retry' && outcome.reason === notBegun && !settledTargets?.length
}

/** As if these tries had never been committed: others make them, at once. */
async function withdraw(ctx: Ctx, env: Env, endings: readonly Ending[]): Promise<void> {
  const ids = endings.flatMap(({ attempt }) => attempt?.id ?? [])
  if (ids.length === 0) return
  await recordPatiently(() => ctx.database.write(env, (db) => withdrawAttempts(db, env, ids, ctx.clock())))
}
