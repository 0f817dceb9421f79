import type { Ctx } from '../../context.ts'
import type { Outcome } from '../../providers/outcome.ts'
import { writePatiently } from '../../store/connect/write-patiently.ts'
import { afterCommit, type Db, type Env } from '../../store/database.ts'
import { addReceipts, type NewReceipt } from '../../store/feedback/receipts.ts'
import {
  closeAttempts,
  endMessages,
  type JobState,
  listNews,
  lockJobs,
  type MessageEnding,
  progressJobs,
} from '../../store/history/attempts.ts'
import { detail } from '../../store/history/detail.ts'
import type { Detail } from '../../store/history/history.ts'
import { forgetGoneTokens, type TokenAnswers } from '../feedback/gone-tokens.ts'
import type { Candidate } from '../integrations/candidates.ts'
import { changesIntegration } from '../integrations/pick-integration.ts'
import {
  type Occurrence,
  outcomeOfDelivery,
  outcomeOfStep,
  outcomeOfTry,
  recordOccurrences,
} from '../numbers/occurrences.ts'
import { observeFirstTries, observeSent } from '../numbers/stage-times.ts'
import { enqueueResumptions } from '../pipeline/enqueue.ts'
import { isAwaited } from '../pipeline/when.ts'
import { judgeSoon } from '../sends/judge-soon.ts'
import { type Delivery, type Ending, triesAfter } from './attempt.ts'
import { followMoves, noteEndpoints } from './chat-target.ts'
import { decideNext, type Next } from './decide-next.ts'
import { allowedNext, copiesInDoubt, mayBeOut, repeatableUntilMs } from './doubt.ts'
import { slowDownPaced } from './pace.ts'
import { settle } from './settle.ts'
import { variantOf } from './variant.ts'

type Decided = Ending & {
  next: Next
  detail: Detail
  text: string | null
  /** How many copies may be out because of tries without a clear answer. */
  copies: number
}

/**
 * Records what ended together in one transaction. A try that was already recorded (by a takeover after its deadline)
 * changes nothing.
 */
export async function recordEndings(ctx: Ctx, env: Env, endings: readonly Ending[]): Promise<void> {
  if (endings.length === 0) return
  const now = ctx.clock()
  const decided = endings.map((ending) => decideOne(ctx, ending, now))
  await writePatiently(() => ctx.database.write(env, (db) => record(ctx, db, env, decided, now)))
  await slowDownPaced(ctx, env, endings)
  await followMoves(ctx, env, endings)
  // What was sent is recorded: what is learnt of tokens must not undo that. The vendor says it again.
  await forgetGoneTokens(ctx, env, endings.flatMap(toTokenAnswers)).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'what a vendor said of device tokens could not be noted'),
  )
}

async function record(ctx: Ctx, db: Db, env: Env, decided: readonly Decided[], now: Date): Promise<void> {
  const messageIds = await lockJobs(
    db,
    env,
    decided.map(({ delivery }) => delivery.row.job_id),
  )
  const closings = decided.flatMap(({ attempt, outcome }) => (attempt ? toClosing(attempt.id, outcome) : []))
  const closed = await closeAttempts(db, env, closings, now)
  const open = decided.filter(({ attempt }) => !attempt || closed.has(attempt.id))
  const ours = await withNews(db, env, open, now)
  const ended = await endMessages(db, env, ours.map(toMessageEnding), now)
  const recorded = ours.filter(({ delivery }) => ended.has(delivery.row.id))
  await addReceipts(
    db,
    env,
    recorded.flatMap((it) => toReceipts(it, now)),
  )
  await noteEndpoints(db, env, recorded, now)
  const byJob = Map.groupBy(recorded, ({ delivery }) => delivery.row.job_id)
  const progress = [...byJob].map(([id, ofJob]) => ({
    id,
    providerId: ofJob.at(-1)?.candidate?.provider.id ?? null,
    details: ofJob.map((it) => it.detail),
  }))
  const jobs = progress.length > 0 ? await progressJobs(db, env, progress, messageIds, now) : []
  await wakeNextSteps(ctx, db, env, recorded, jobs)
  const occurrences = [
    ...ours.flatMap(toTryOccurrence),
    ...recorded.flatMap(toMessageOccurrence),
    ...toSteps(recorded, jobs),
  ]
  await recordOccurrences(ctx, db, env, occurrences, now)
  observeStages(ctx, db, recorded)
  judgeSoon(ctx, db, recorded, now)
  afterCommit(db, () => {
    for (const { next } of recorded) if (next.retryAtMs !== null) ctx.timers.ringAt(new Date(next.retryAtMs))
  })
}

/** What happened to the messages while their tries were under way: a vendor's report, or a cancel. */
async function withNews(db: Db, env: Env, decided: readonly Decided[], now: Date): Promise<readonly Decided[]> {
  const unsure = decided.filter(({ next }) => next.delivery !== 'sent' && next.delivery !== 'rejected')
  if (unsure.length === 0) return decided
  const ids = unsure.map(({ delivery }) => delivery.row.id)
  const news = new Map((await listNews(db, env, ids)).map((it) => [it.id, it]))
  return decided.map((it) => {
    const found = news.get(it.delivery.row.id)
    const settled = found && unsure.includes(it) && settle(it.next, found, it.copies)
    if (!settled) return it
    return { ...it, ...settled, detail: describeEnding(it, it.candidate, settled.next, now).detail }
  })
}

function toTryOccurrence({ delivery, attempt, candidate, outcome }: Decided): Occurrence[] {
  return attempt ? [{ of: 'try', outcome: outcomeOfTry(outcome), ...namesOf(delivery, candidate) }] : []
}

function toMessageOccurrence({ delivery, attempt, candidate, next }: Decided): Occurrence[] {
  const outcome = next.errorId === 'suppressed' ? 'skipped' : outcomeOfDelivery(next.delivery, attempt !== null)
  const workflowId = delivery.row.workflow_id
  if (!outcome) return []
  const ofSend = delivery.row.send_counted ? { sendId: delivery.row.event_id, was: 'waiting' as const } : {}
  return [{ of: 'message', outcome, workflowId, ...namesOf(delivery, candidate), ...ofSend }]
}

/** Steps whose state changed with these messages. */
function toSteps(recorded: readonly Decided[], jobs: readonly JobState[]): Occurrence[] {
  const workflows = new Map(recorded.map(({ delivery: { row } }) => [row.job_id, row.workflow_id]))
  return jobs.flatMap(({ id, type, status, was }): Occurrence[] => {
    const outcome = status === was ? null : outcomeOfStep(status)
    return outcome ? [{ of: 'step', outcome, workflowId: workflows.get(id) ?? '', type, hasMessages: true }] : []
  })
}

function namesOf({ row }: Delivery, candidate: Candidate | undefined): { channel: string; providerId: string | null } {
  return { channel: row.channel, providerId: candidate?.provider.id ?? row.provider_id }
}

function observeStages(ctx: Ctx, db: Db, recorded: readonly Decided[]): void {
  const first = recorded.filter(({ attempt }) => attempt?.number === 1).map(({ delivery }) => delivery.row.updated_at)
  observeFirstTries(ctx, db, first)
  const sent = recorded.filter(({ next }) => next.delivery === 'sent').map(({ delivery }) => delivery.row.id)
  observeSent(ctx, db, sent)
}

/** Wakes the steps that waited for this one. */
async function wakeNextSteps(
  ctx: Ctx,
  db: Db,
  env: Env,
  recorded: readonly Decided[],
  jobs: readonly JobState[],
): Promise<void> {
  const workflows = new Map(recorded.map(({ delivery }) => [delivery.row.notification_id, delivery.workflow]))
  const notificationIds = jobs.flatMap((job) => {
    const steps = workflows.get(job.notification_id)?.steps
    const isOver = job.status === 'completed' || job.status === 'failed' || job.status === 'skipped'
    if (!steps) return []
    const mayStop = steps[job.step_index]?.shouldStopOnFail && steps.length > job.step_index + 1
    return isOver && (mayStop || isAwaited(steps, job.step_index)) ? job.notification_id : []
  })
  const lane = recorded.some(({ delivery }) => delivery.workflow?.critical) ? 'critical' : 'transactional'
  await enqueueResumptions(ctx, db, env, notificationIds, lane)
}

function decideOne(ctx: Ctx, ending: Ending, now: Date): Decided {
  const { delivery, outcome, settledTargets } = ending
  const { row, candidates } = delivery
  const variant = (of: Candidate) => variantOf(delivery, of)
  const nowMs = now.getTime()
  const candidate = ending.candidate ?? candidates.find(({ id }) => id === row.integration_id)
  const tries = triesAfter(ctx, ending, nowMs)
  const since = tries.filter((it) => it.number > row.redriven_after)
  const allowed = allowedNext(candidates, tries, variant, nowMs)
  const next = decideNext(
    outcome,
    {
      failures: since.filter((it) => it.failed).length,
      mayHaveBeenSent: mayBeOut(tries),
      partlySent: (settledTargets ?? row.settled_targets ?? []).some((entry) => entry.startsWith('+')),
      repeatableUntilMs: repeatableUntilMs(allowed, tries, variant),
      othersLeft: allowed.some(({ id }) => !since.some((it) => it.integrationId === id && it.integrationRefused)),
      changesIntegration: changesIntegration(allowed, since),
      expiresAtMs: row.expires_at?.getTime() ?? nowMs,
    },
    nowMs,
    Math.random,
  )
  const copies = copiesInDoubt(tries)
  return { ...ending, ...(candidate && { candidate }), next, copies, ...describeEnding(ending, candidate, next, now) }
}

/** The line in the job's history, and the message's error text. */
function describeEnding(
  ending: Ending,
  candidate: Candidate | undefined,
  next: Next,
  now: Date,
): Pick<Decided, 'detail' | 'text'> {
  const { outcome, attempt } = ending
  const more = {
    ...(candidate && { providerId: candidate.provider.id }),
    ...rawOf(outcome),
    ...(attempt && attempt.number > 1 && { retry: true as const }),
  }
  if (!attempt)
    return {
      detail: detail(
        now,
        next.errorId === 'suppressed' ? 'Warning' : endStatus(next),
        outcome.kind === 'sent' ? '' : outcome.reason,
      ),
      text: more.raw ?? null,
    }
  const again = next.retryAtMs === null ? '' : `; next try at ${new Date(next.retryAtMs).toISOString()}`
  switch (outcome.kind) {
    case 'sent': {
      const text = next.status === 'sent' ? null : 'Sent, and perhaps twice: an earlier try had no clear answer'
      const left = ending.delivery.suppressed.leftOut.size
      const what = left > 0 ? `Message sent; ${left} of its addresses are on the suppression list` : 'Message sent'
      // Some recipients were refused.
      const status = outcome.note === undefined ? 'Success' : 'Warning'
      return { detail: detail(now, status, what, more), text }
    }
    case 'unknown':
      return { detail: detail(now, 'Warning', `delivery_unknown${again}`, more), text: outcome.reason }
    case 'retry':
      return {
        detail: detail(now, endStatus(next), `Provider could not take the message${again}`, more),
        text: outcome.reason,
      }
    case 'rejected': {
      const isCredentials = outcome.because === 'integration'
      const isWorkspace = outcome.because === 'connection'
      const refused = isCredentials ? 'the integration' : isWorkspace ? 'us in this workspace' : 'the message'
      const what = `Provider refused ${refused}`
      const source = isCredentials || isWorkspace ? { source: 'Credentials' as const } : {}
      return { detail: detail(now, endStatus(next), what + again, { ...more, ...source }), text: outcome.reason }
    }
  }
}

/** The vendor's words, if there are any worth keeping. */
function rawOf(outcome: Outcome): { raw?: string } {
  const raw = outcome.kind === 'sent' ? outcome.note : outcome.reason
  return raw === undefined ? {} : { raw }
}

function endStatus(next: Next): Detail['status'] {
  return next.delivery === 'open' || next.delivery === 'unknown' ? 'Warning' : 'Failed'
}

function toClosing(attemptId: string, outcome: Outcome) {
  return {
    attemptId,
    outcome: outcome.kind,
    integrationRefused: outcome.kind === 'rejected' && outcome.because === 'integration',
    paced: outcome.kind === 'retry' && outcome.paces !== undefined,
    reason: outcome.kind === 'sent' ? null : outcome.reason,
  }
}

function toMessageEnding({ delivery, attempt, outcome, next, text, settledTargets }: Decided): MessageEnding {
  return {
    id: delivery.row.id,
    attempts: attempt?.number ?? delivery.row.attempts,
    inFlight: attempt !== null,
    delivery: next.delivery,
    status: next.status,
    errorId: next.errorId,
    errorText: next.errorId === null ? null : text,
    retryAt: next.retryAtMs === null ? null : new Date(next.retryAtMs),
    externalId: outcome.kind === 'sent' ? (outcome.id ?? null) : null,
    settledTargets: settledTargets ?? null,
  }
}

function toTokenAnswers({ delivery, candidate, tokens }: Ending): TokenAnswers[] {
  if (!candidate || !tokens || !delivery.subscriber) return []
  const { subscriber_id: subscriberId } = delivery.subscriber
  return [{ integration: candidate.row, subscriberId, accepted: tokens.accepted, gone: tokens.gone }]
}

function toReceipts({ delivery, candidate, tokens }: Ending, now: Date): NewReceipt[] {
  const asked = candidate?.provider.receipts
  if (!candidate || !tokens || !asked) return []
  const at = (ms: number) => new Date(now.getTime() + ms)
  return tokens.receipts.map(({ ticket, target }) => ({
    integrationId: candidate.id,
    messageId: delivery.row.id,
    ticket,
    target,
    dueAt: at(asked.afterMs),
    expiresAt: at(asked.keptMs),
  }))
}
