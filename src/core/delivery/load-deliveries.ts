import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import { sumAttachments } from '../../store/history/attachments.ts'
import { listAttempts } from '../../store/history/attempts.ts'
import { listMessagesById, type MessageRow } from '../../store/history/messages.ts'
import { listIntegrations } from '../../store/integrations.ts'
import { listPaced } from '../../store/paces.ts'
import { listSubscribersByInternalId, type SubscriberRow } from '../../store/subscribers.ts'
import { loadSuppressed } from '../addresses/suppressed-addresses.ts'
import { type Candidate, candidatesFor, toCandidates } from '../integrations/candidates.ts'
import { channelOverrides, withProviders } from '../pipeline/overrides.ts'
import { toScopeSubscriber } from '../pipeline/render-scope.ts'
import { loadChannels } from '../subscribers/channel-credentials.ts'
import { getWorkflows } from '../workflows/workflow.ts'
import { attemptId, type Delivery } from './attempt.ts'

/** Loads the messages still to be sent, with one query per table. */
export async function loadDeliveries(
  ctx: Ctx,
  db: Db,
  env: Env,
  messageIds: readonly string[],
  released: boolean,
): Promise<Delivery[]> {
  const open = (await listMessagesById(db, env, messageIds)).filter((row) => row.delivery === 'open')
  const rows = open.map((row) => ({ ...row, overrides: withProviders(row.overrides, row.envelope) }))
  if (rows.length === 0) return []
  const subscriberIds = [...new Set(rows.map((row) => row.subscriber_id))]
  const subscribers = new Map((await listSubscribersByInternalId(db, env, subscriberIds)).map((row) => [row.id, row]))
  const candidates = toCandidates(ctx, await listIntegrations(db, env))
  const paced = released ? new Set<string>() : await listPaced(db, env)
  const needsChannels = rows.some((row) => row.channel === 'chat' || row.channel === 'push')
  const channels = needsChannels ? await loadChannels(ctx, db, env, subscriberIds, { toSend: true }) : new Map()
  const mailEvents = rows.filter((row) => row.channel === 'email').map((row) => row.event_id)
  const attachmentBytes = await sumAttachments(db, env, [...new Set(mailEvents)])
  const workflows = await getWorkflows(db, env, rows)
  const attemptIds = rows.flatMap((row) => Array.from({ length: row.attempts }, (_, n) => attemptId(row.id, n + 1)))
  const attempts = Map.groupBy(await listAttempts(db, env, attemptIds), (attempt) => attempt.message_id)
  const asked = (row: MessageRow) => {
    const workflow = workflows.of(row)
    const stepId = workflow?.steps[row.step_index]?.stepId ?? ''
    const locale = subscribers.get(row.subscriber_id)?.locale ?? null
    return { row, workflow, stepId, critical: workflow?.critical ?? false, locale }
  }
  const suppressedOf = await loadSuppressed(db, env, rows.map(asked))
  return rows.map((row) => {
    const { workflow, stepId } = asked(row)
    const subscriber = subscribers.get(row.subscriber_id)
    return {
      row,
      workflow,
      stepId,
      subscriber,
      channels,
      candidates: subscriber ? candidatesOf(row, stepId, subscriber, candidates.get(row.channel) ?? []) : [],
      history: attempts.get(row.id) ?? [],
      paced,
      suppressed: suppressedOf(asked(row)),
      attachments: [],
      attachmentBytes: row.channel === 'email' ? (attachmentBytes.get(row.event_id) ?? 0) : 0,
    }
  })
}

/** A chat or push message belongs to its integration; e-mail and SMS may go through any candidate. */
function candidatesOf(row: MessageRow, stepId: string, subscriber: SubscriberRow, all: Candidate[]): Candidate[] {
  if (row.channel === 'chat' || row.channel === 'push') return all.filter(({ id }) => id === row.integration_id)
  const scope = {
    subscriber: toScopeSubscriber(subscriber),
    payload: (row.payload ?? {}) as Record<string, unknown>,
  }
  return candidatesFor(all, scope, channelOverrides(row.overrides, row.channel, stepId).integrationIdentifier)
}
