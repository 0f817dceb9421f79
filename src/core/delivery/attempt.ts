import type { Ctx } from '../../context.ts'
import { deterministicId } from '../../lib/deterministic-id.ts'
import type { Attachment } from '../../lib/outbound.ts'
import type { Outcome } from '../../providers/outcome.ts'
import type { AttemptRow } from '../../store/history/attempts.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import type { Suppressed } from '../addresses/suppressed-addresses.ts'
import type { Candidate } from '../integrations/candidates.ts'
import { defaultWhenUnknown, readWhenUnknown, whenUnknown } from '../integrations/when-unknown.ts'
import type { ChannelsOfPeople } from '../subscribers/channel-credentials.ts'
import type { Workflow } from '../workflows/workflow.ts'
import type { PastTry } from './doubt.ts'
import { variantOf } from './variant.ts'

/** A message to send, and everything that decides how. */
export type Delivery = {
  row: MessageRow
  workflow: Workflow | undefined
  stepId: string
  subscriber: SubscriberRow | undefined
  channels: ChannelsOfPeople
  /** Integrations that may send it, the preferred one first. */
  candidates: Candidate[]
  history: AttemptRow[]
  /** Integrations that it must wait in line for. */
  paced: ReadonlySet<string>
  suppressed: Suppressed
  /** The files of its event: loaded when there is room for them in memory. */
  attachments: readonly Attachment[]
  attachmentBytes: number
}

/** A committed try that may begin. `text`: the plain part of an e-mail. */
export type Attempt = {
  delivery: Delivery
  candidate: Candidate
  id: string
  number: number
  text: string
  /** As it was committed. */
  startedAt: Date
  startBy: number
}

/** The result of a try, or of a message that ended without one (`attempt: null`). */
export type Ending = {
  delivery: Delivery
  attempt: (Pick<Attempt | AttemptRow, 'id' | 'number'> & { startedAt?: Date }) | null
  candidate?: Candidate
  outcome: Outcome
  /** Push: the device tokens settled so far. */
  settledTargets?: string[]
  tokens?: {
    accepted: number
    gone: string[]
    /** To be asked for later, each about one device. */
    receipts: { ticket: string; target: string }[]
  }
}

// An API answers within seconds. The shorter this is, the sooner another worker goes on when one dies.
const callMs = 10_000
// Files are given the time of a slow line.
const fileBytesPerMs = 250
const longestCallMs = 55_000

/** No try takes longer: mail servers have the longest time. */
export const longestTryMs = 60_000

/** The time limit of a try with all its calls; egress enforces it. */
export function attemptBudgetMs({ candidate, delivery }: Pick<Attempt, 'candidate' | 'delivery'>): number {
  const { sendWithinMs } = candidate.provider
  if (sendWithinMs !== undefined) return sendWithinMs
  const bytes = delivery.attachments.reduce((sum, { content }) => sum + content.length, 0)
  return Math.min(callMs + bytes / fileBytesPerMs, longestCallMs)
}

export function attemptId(messageId: string, number: number): string {
  return deterministicId(messageId, 'attempt', messageId, String(number))
}

/** The finished tries, and the one that is open. */
export function toPastTries(
  ctx: Ctx,
  { row, history }: { row: Pick<MessageRow, 'channel'>; history: readonly AttemptRow[] },
): PastTry[] {
  return history.map((it) => {
    const outcome = it.outcome as PastTry['outcome']
    return {
      number: it.number,
      integrationId: it.integration_id,
      outcome,
      paced: it.paced,
      failed: outcome !== 'sent' && !it.paced,
      integrationRefused: it.integration_refused,
      startedMs: it.started_at.getTime(),
      variant: it.variant,
      windowMs: ctx.providers.find(it.provider_id)?.idempotencyWindowMs ?? 0,
      whenUnknown: readWhenUnknown(it.when_unknown) ?? defaultWhenUnknown({ id: it.provider_id, channel: row.channel }),
    }
  })
}

/** The tries before, and this one as it ended. A takeover finds its row among those before. */
export function triesAfter(ctx: Ctx, { delivery, attempt, candidate, outcome }: Ending, nowMs: number): PastTry[] {
  const past = toPastTries(ctx, delivery)
  if (!attempt) return past
  const before = past.filter((it) => it.number < attempt.number)
  const found = past.find((it) => it.number === attempt.number)
  const began = found ?? (candidate && beganTry(ctx, delivery, attempt, candidate, nowMs))
  if (!began) return before
  const { kind } = outcome
  const paced = kind === 'retry' && outcome.paces !== undefined
  const integrationRefused = kind === 'rejected' && outcome.because === 'integration'
  return [...before, { ...began, outcome: kind, paced, failed: kind !== 'sent' && !paced, integrationRefused }]
}

function beganTry(
  ctx: Ctx,
  delivery: Delivery,
  attempt: NonNullable<Ending['attempt']>,
  candidate: Candidate,
  nowMs: number,
) {
  return {
    number: attempt.number,
    integrationId: candidate.id,
    startedMs: attempt.startedAt?.getTime() ?? nowMs,
    variant: variantOf(delivery, candidate),
    windowMs: candidate.provider.idempotencyWindowMs ?? 0,
    whenUnknown: whenUnknown(ctx, candidate),
  }
}
