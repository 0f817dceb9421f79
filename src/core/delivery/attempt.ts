import { deterministicId } from '../../lib/deterministic-id.ts'
import type { Attachment } from '../../lib/outbound.ts'
import type { AttemptRow } from '../../store/history/attempts.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import type { Candidate } from '../integrations/candidates.ts'
import type { Try } from '../integrations/pick-integration.ts'
import type { ChannelsOfPeople } from '../subscribers/channel-credentials.ts'
import type { Workflow } from '../workflows/workflow.ts'

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
  /** The files of its event. */
  attachments: readonly Attachment[]
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

// An API answers within seconds. The shorter this is, the sooner another worker goes on when one dies.
const callMs = 10_000
// Files are given the time of a slow line.
const fileBytesPerMs = 250
const longestCallMs = 30_000

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

/** Whether the provider still remembers the idempotency key of this message. */
export function isKeyed({ id, provider }: Candidate, history: readonly AttemptRow[], nowMs: number): boolean {
  const first = history.find((attempt) => attempt.integration_id === id)
  return nowMs - (first?.started_at.getTime() ?? nowMs) < (provider.idempotencyWindowMs ?? 0)
}

/** The tries since the message was last redriven: only they decide which integration is next. */
export function toTries(history: readonly AttemptRow[], redrivenAfter: number): Try[] {
  return history
    .filter((attempt) => attempt.number > redrivenAfter)
    .map((attempt) => ({
      integrationId: attempt.integration_id,
      failed: attempt.outcome !== 'sent',
      integrationRefused: attempt.integration_refused,
    }))
}
