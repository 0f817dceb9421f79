import { createHash } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { chunks } from '../../lib/chunks.ts'
import type { RawRequest } from '../../lib/raw-request.ts'
import { isStorableText } from '../../lib/read-json.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { Callback, Inbound } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import { listAttempts, lockJobs, progressJobs } from '../../store/history/attempts.ts'
import { claimCallbackToken } from '../../store/history/callback-tokens.ts'
import {
  applyFeedback,
  type CalledMessage,
  findCalledMessages,
  findIntegrationEnvironment,
  listDoubtful,
  type Moved,
} from '../../store/history/callbacks.ts'
import { detail } from '../../store/history/detail.ts'
import type { Detail } from '../../store/history/history.ts'
import { findIntegration, type IntegrationRow } from '../../store/integrations.ts'
import { addSuppressions } from '../../store/suppressions.ts'
import { openFields } from '../integrations/integration-credentials.ts'
import { type Occurrence, recordOccurrences } from '../numbers/occurrences.ts'
import { enqueueResumptions } from '../pipeline/enqueue.ts'
import { attemptId, toPastTries } from './attempt.ts'
import { cleanId } from './clean-outcome.ts'
import { copiesInDoubt } from './doubt.ts'
import { isPlausibleEmail } from './email-addresses.ts'
import { redact } from './redact.ts'

/** Applies a vendor's report about messages it accepted. Returns the number of reports. */
export async function receiveCallbacks(ctx: Ctx, integrationId: string, request: RawRequest): Promise<number> {
  const { env, row, inbound, signingKey } = await findListener(ctx, integrationId)
  const { headers, body, url } = request
  if (body.length > inbound.mostBytes) throw new ApiError('body_too_large')
  if (!inbound.verify({ headers, body, url, signingKey, now: ctx.clock() })) throw new ApiError('signature_refused')
  const callbacks = inbound.read({ body, headers })
  if (inbound.once) return receiveOnce(ctx, env, row, inbound.once({ body }), callbacks)
  // A page that was applied stays so if a later one fails: the vendor calls again, and what is known changes nothing.
  for (const page of chunks(callbacks, pageSize)) {
    await ctx.database.write(env, (db) => applyCallbacks(ctx, db, env, row, page))
  }
  return callbacks.length
}

// One transaction each: other calls go on between them.
const pageSize = 500

// A token's time may be this far ahead of our clock or behind it, and a little more for clocks that differ.
const tokenLifeMs = 15 * 60_000

/**
 * A second call with the same token does nothing and is answered like the first, so that a vendor that missed our reply
 * rests. If the first one failed, its token is free again.
 */
async function receiveOnce(
  ctx: Ctx,
  env: Env,
  row: IntegrationRow,
  token: string,
  callbacks: Callback[],
): Promise<number> {
  const digest = createHash('sha256').update(token).digest()
  const expiresAt = new Date(ctx.clock().getTime() + tokenLifeMs)
  return ctx.database.write(env, async (db) => {
    if (!(await claimCallbackToken(db, env, { integrationId: row.id, digest, expiresAt }))) return 0
    if (callbacks.length > 0) await applyCallbacks(ctx, db, env, row, callbacks)
    return callbacks.length
  })
}

type Listener = { env: Env; row: IntegrationRow; inbound: Inbound; signingKey: string }

/** The same error for every reason, so that outsiders learn nothing. */
async function findListener(ctx: Ctx, integrationId: string): Promise<Listener> {
  const env = isUuid7(integrationId) ? await findIntegrationEnvironment(ctx.database.db, integrationId) : null
  const row = env && (await ctx.database.read(env, (db) => findIntegration(db, env, integrationId)))
  const inbound = row && ctx.providers.find(row.provider_id)?.inbound
  if (!env || !row || !inbound) throw new ApiError('webhook_not_found')
  const place = { environmentId: row.environment_id, id: row.id, column: 'configurations' as const }
  const { inboundWebhookEnabled, inboundWebhookSigningKey } = openFields(ctx, place, row.configurations)
  if (inboundWebhookEnabled !== true || typeof inboundWebhookSigningKey !== 'string' || !inboundWebhookSigningKey) {
    throw new ApiError('webhook_not_found')
  }
  return { env, row, inbound, signingKey: inboundWebhookSigningKey }
}

type MatchedCallback = { message: CalledMessage; callback: Callback }

async function applyCallbacks(ctx: Ctx, db: Db, env: Env, row: IntegrationRow, callbacks: Callback[]): Promise<void> {
  const now = ctx.clock()
  const matched = await matchMessages(db, env, row, callbacks)
  await addSuppressions(
    db,
    env,
    matched.flatMap((it) => toSuppression(row.channel, it)),
    now,
  )
  const strongest = [...Map.groupBy(matched, ({ message }) => message.id).values()].flatMap(strongestOf)
  // Locks jobs before messages, in the same order as record-endings.ts.
  await lockJobs(
    db,
    env,
    strongest.map(({ message }) => message.job_id),
  )
  const doubled = await listDoubled(
    ctx,
    db,
    env,
    strongest.map(({ message }) => message.id),
  )
  const feedback = strongest.map((it) => ({ ...toFeedback(it), staysInDoubt: doubled.has(it.message.id) }))
  const moved = await applyFeedback(db, env, feedback, now)
  if (moved.length === 0) return
  const ids = new Set(moved.map(({ id }) => id))
  const news = strongest.filter(({ message }) => ids.has(message.id))
  const progress = [...Map.groupBy(news, ({ message }) => message.job_id)].map(([id, ofJob]) => ({
    id,
    providerId: null,
    details: ofJob.map(({ callback }) => toDetail(callback, row.provider_id, now)),
  }))
  const jobs = await progressJobs(db, env, progress, now)
  await recordOccurrences(ctx, db, env, moved.flatMap(toOccurrences), now)
  // A step may have ended by this: steps that waited for it go on. An unneeded wake-up does nothing.
  const ended = jobs.filter((job) => job.status === 'completed' || job.status === 'failed')
  await enqueueResumptions(
    ctx,
    db,
    env,
    ended.map((job) => job.notification_id),
  )
}

/** The messages of which more than one copy may be out: a report tells of one. */
async function listDoubled(ctx: Ctx, db: Db, env: Env, ids: readonly string[]): Promise<Set<string>> {
  const doubtful = await listDoubtful(db, env, ids)
  const attemptIds = doubtful.flatMap(({ id, attempts }) =>
    Array.from({ length: attempts }, (_, n) => attemptId(id, n + 1)),
  )
  const tries = Map.groupBy(await listAttempts(db, env, attemptIds), (attempt) => attempt.message_id)
  const doubled = doubtful.filter(({ id, channel }) => {
    const history = tries.get(id) ?? []
    return copiesInDoubt(toPastTries(ctx, { row: { channel }, history })) > 1
  })
  return new Set(doubled.map(({ id }) => id))
}

/** If the callback ends a message that was still open, the end is counted here too. */
function toOccurrences({ workflowId, channel, providerId, feedback, delivery, was }: Moved): Occurrence[] {
  const names = { workflowId, channel, providerId }
  const reported: Occurrence = { of: 'message', outcome: feedback, ...names }
  if (was !== 'open' || delivery === 'open') return [reported]
  return [reported, { of: 'message', outcome: delivery === 'sent' ? 'sent' : 'failed', ...names }]
}

/** By our own id if the vendor sends it back, else by the vendor's id. Unknown messages are left out. */
async function matchMessages(db: Db, env: Env, row: IntegrationRow, callbacks: Callback[]): Promise<MatchedCallback[]> {
  const usable = callbacks.map((callback) => ({
    callback,
    id: isUuid7(callback.messageId ?? '') ? callback.messageId?.toLowerCase() : undefined,
    externalId: cleanId(callback.externalId ?? '') || undefined,
  }))
  const found = await findCalledMessages(db, env, row, {
    ids: [...new Set(usable.flatMap(({ id }) => id ?? []))],
    externalIds: [...new Set(usable.flatMap(({ externalId }) => externalId ?? []))],
  })
  const byId = new Map(found.map((message) => [message.id, message]))
  const byExternalId = new Map(found.map((message) => [message.external_id, message]))
  return usable.flatMap(({ callback, id, externalId }) => {
    const message = byId.get(id ?? '') ?? (externalId === undefined ? undefined : byExternalId.get(externalId))
    return message ? { message, callback } : []
  })
}

const ranks = { delivered: 1, bounced: 2, complained: 3 }

/** The strongest report about a message in one call. A complaint also means that it was delivered. */
function strongestOf(ofMessage: MatchedCallback[]): (MatchedCallback & { delivered: boolean })[] {
  const [strongest] = ofMessage.toSorted((a, b) => ranks[b.callback.kind] - ranks[a.callback.kind])
  return strongest ? [{ ...strongest, delivered: ofMessage.some(({ callback }) => callback.kind !== 'bounced') }] : []
}

function toFeedback({ message, callback, delivered }: MatchedCallback & { delivered: boolean }) {
  return { id: message.id, feedback: callback.kind, delivered, reason: reasonOf(callback) }
}

function toSuppression(channel: string, { message, callback }: MatchedCallback) {
  const isLasting = callback.kind === 'complained' || (callback.kind === 'bounced' && callback.permanent)
  if (!isLasting || (channel !== 'email' && channel !== 'sms')) return []
  const address = addressIn(channel, callback) ?? message.address
  if (!address) return []
  const reason = callback.kind === 'complained' ? ('complained' as const) : ('bounced' as const)
  return [{ channel, address, reason, messageId: message.id }]
}

function addressIn(channel: 'email' | 'sms', { address }: Callback): string | null {
  if (address === undefined || !isStorableText(address) || address.length > 320) return null
  return channel === 'sms' || isPlausibleEmail(address) ? address : null
}

function toDetail(callback: Callback, providerId: string, now: Date): Detail {
  const reason = reasonOf(callback)
  const more = { providerId, source: 'Webhook' as const, ...(reason !== null && { raw: reason }) }
  switch (callback.kind) {
    case 'delivered':
      return detail(now, 'Success', 'Message delivered', more)
    case 'bounced':
      return detail(now, 'Failed', 'Message bounced', more)
    case 'complained':
      return detail(now, 'Warning', 'Recipient complained', more)
  }
}

function reasonOf({ reason }: Callback): string | null {
  return reason === undefined ? null : redact(reason, [])
}
