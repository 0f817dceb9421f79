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
  startBy: number
}

/**
 * The time limit of a try with all its calls; egress enforces it. Mail servers may scan a message for most of a minute
 * before they accept it.
 */
export function attemptBudgetMs(channel: string): number {
  return channel === 'email' ? 60_000 : 30_000
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
