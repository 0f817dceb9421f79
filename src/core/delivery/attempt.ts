import { deterministicId } from '../../lib/deterministic-id.ts'
import type { Attachment } from '../../lib/outbound.ts'
import type { AttemptRow } from '../../store/history/attempts.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import type { Candidate } from '../integrations/candidates.ts'
import type { Try } from '../integrations/pick-integration.ts'
import type { ChannelsOfPeople } from '../subscribers/channel-credentials.ts'
import type { Workflow } from '../workflows/workflow.ts'

/** A message that is to be sent, and all that decides how. */
export type Delivery = {
  row: MessageRow
  workflow: Workflow | undefined
  stepId: string
  subscriber: SubscriberRow | undefined
  channels: ChannelsOfPeople
  /** Integrations that may carry it, the preferred one first. */
  candidates: Candidate[]
  history: AttemptRow[]
  /** Files of its event. */
  attachments: readonly Attachment[]
}

/** A try that is committed and may begin. `text`: the plain part, of an e-mail. */
export type Attempt = {
  delivery: Delivery
  candidate: Candidate
  id: string
  number: number
  text: string
  startBy: number
}

/**
 * A try, with all the calls it needs, takes no longer than this; egress sees to it. Mail servers may look through a
 * message for most of a minute before they take it.
 */
export function attemptBudgetMs(channel: string): number {
  return channel === 'email' ? 60_000 : 30_000
}

export function attemptId(messageId: string, number: number): string {
  return deterministicId(messageId, 'attempt', messageId, String(number))
}

/** Whether the provider still remembers the key of this message. */
export function isKeyed({ id, provider }: Candidate, history: readonly AttemptRow[], nowMs: number): boolean {
  const first = history.find((attempt) => attempt.integration_id === id)
  return nowMs - (first?.started_at.getTime() ?? nowMs) < (provider.idempotencyWindowMs ?? 0)
}

/** The tries that choosing the next integration depends on: those since the message was last driven again. */
export function toTries(history: readonly AttemptRow[], redrivenAfter: number): Try[] {
  return history
    .filter((attempt) => attempt.number > redrivenAfter)
    .map((attempt) => ({
      integrationId: attempt.integration_id,
      failed: attempt.outcome !== 'sent',
      integrationRefused: attempt.integration_refused,
    }))
}
