import type { Ctx } from '../../context.ts'
import { isStorableText } from '../../lib/read-json.ts'
import { isUuid7 } from '../../lib/uuid7.ts'
import type { Callback } from '../../providers/inbound.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  addReports,
  applyFeedback,
  type CalledMessage,
  findCalledMessages,
  listDoubtful,
  listReports,
  type Moved,
} from '../../store/feedback/callbacks.ts'
import { listAttempts, lockJobs, progressJobs } from '../../store/history/attempts.ts'
import { detail } from '../../store/history/detail.ts'
import type { Detail } from '../../store/history/history.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { addSendTallies } from '../../store/sends/send-tallies.ts'
import { addSuppressions } from '../../store/suppressions.ts'
import { isPlausibleEmail } from '../addresses/email-addresses.ts'
import { attemptId, toPastTries } from '../delivery/attempt.ts'
import { cleanId } from '../delivery/clean-outcome.ts'
import { copiesInDoubt } from '../delivery/doubt.ts'
import { redact } from '../delivery/redact.ts'
import { type Occurrence, recordOccurrences } from '../numbers/occurrences.ts'
import { enqueueResumptions } from '../pipeline/enqueue.ts'
import { toSettled } from '../sends/settled-tallies.ts'

type Matched = { message: CalledMessage; callback: Callback }

/** Applies what a vendor tells about messages of one integration. Returns the events and the messages they tell of. */
export async function applyCallbacks(
  ctx: Ctx,
  db: Db,
  env: Env,
  row: IntegrationRow,
  callbacks: readonly Callback[],
): Promise<{ callback: Callback; messageId: string | null }[]> {
  const now = ctx.clock()
  const found = await matchMessages(db, env, row, callbacks)
  const matched = found.flatMap(({ callback, message }) => (message ? { callback, message } : []))
  await addSuppressions(
    db,
    env,
    matched.flatMap((it) => toSuppression(row.channel, it)),
    now,
  )
  // Locks jobs before messages, in the same order as record-endings.ts.
  const messageIds = await lockJobs(
    db,
    env,
    matched.map(({ message }) => message.job_id),
  )
  const moved = await moveStates(ctx, db, env, matched, now)
  const reported = await keepReports(db, env, matched)
  const isMoved = new Set(moved.map(({ id }) => id))
  const states = strongestOfEach(matched).filter(({ message }) => isMoved.has(message.id))
  const news = [
    ...states.map(({ message, callback, feedback: kind }) => ({ message, callback: { ...callback, kind } })),
    ...reported,
  ]
  await tellJobs(ctx, db, env, row, news, messageIds, now)
  await recordOccurrences(ctx, db, env, moved.flatMap(toOccurrences), now)
  await addSendTallies(db, env, moved.flatMap(toSettled), now)
  return found.map(({ callback, message }) => ({ callback, messageId: message?.id ?? null }))
}

type Found = { callback: Callback; message: CalledMessage | undefined }

/** By our own id if the vendor sends it back, else by the vendor's id. */
async function matchMessages(db: Db, env: Env, row: IntegrationRow, callbacks: readonly Callback[]): Promise<Found[]> {
  const usable = callbacks.map((callback) => ({
    callback,
    id: isUuid7(callback.messageId ?? '') ? callback.messageId?.toLowerCase() : undefined,
    externalId: cleanId(callback.externalId ?? '') || undefined,
  }))
  const found = await findCalledMessages(db, env, row, {
    ids: [...new Set(usable.flatMap(({ id }) => id ?? []))],
    externalIds: [...new Set(usable.flatMap(({ externalId }) => externalId ?? []))],
  })
  const known = await triedBy(db, env, row, found)
  const byId = new Map(known.map((message) => [message.id, message]))
  const byExternalId = new Map(known.map((message) => [message.external_id, message]))
  return usable.map(({ callback, id, externalId }) => {
    const message = byId.get(id ?? '') ?? (externalId === undefined ? undefined : byExternalId.get(externalId))
    return { message, callback: message && message.integration_id !== row.id ? ofEarlier(callback) : callback }
  })
}

/** Its copy bounced, but another vendor took the message over since: only the address is judged by it. */
function ofEarlier(callback: Callback): Callback {
  return callback.kind === 'bounced' ? { ...callback, kind: 'other', name: 'bounced' } : callback
}

/** A vendor has a say only in messages that went to it; the last try may have gone to another. */
async function triedBy(db: Db, env: Env, row: IntegrationRow, found: CalledMessage[]): Promise<CalledMessage[]> {
  const others = found.filter(({ integration_id }) => integration_id !== row.id)
  if (others.length === 0) return found
  const ids = others.flatMap(({ id, attempts }) => Array.from({ length: attempts }, (_, n) => attemptId(id, n + 1)))
  const tries = (await listAttempts(db, env, ids)).filter((attempt) => attempt.integration_id === row.id)
  const tried = new Set(tries.map((attempt) => attempt.message_id))
  return found.filter(({ id, integration_id }) => integration_id === row.id || tried.has(id))
}

async function moveStates(ctx: Ctx, db: Db, env: Env, matched: readonly Matched[], now: Date): Promise<Moved[]> {
  const strongest = strongestOfEach(matched)
  const doubled = await listDoubled(
    ctx,
    db,
    env,
    strongest.map(({ message }) => message.id),
  )
  const feedback = strongest.map(({ message, callback, feedback, delivered }) => ({
    id: message.id,
    feedback,
    delivered,
    reason: reasonOf(callback),
    staysInDoubt: doubled.has(message.id),
  }))
  return applyFeedback(db, env, feedback, now)
}

const ranks = { delivered: 1, bounced: 2, complained: 3 }
type State = keyof typeof ranks

/** Null: nothing about where the message is. */
function stateOf({ kind }: Callback): State | null {
  switch (kind) {
    case 'delivered':
    case 'bounced':
    case 'complained':
      return kind
    // Only what arrived can be opened, or left.
    case 'opened':
    case 'clicked':
    case 'unsubscribed':
      return 'delivered'
    case 'other':
      return null
  }
}

type Strongest = Matched & { feedback: State; delivered: boolean }

/** The strongest report about each message in one call. A complaint also means that it was delivered. */
function strongestOfEach(matched: readonly Matched[]): Strongest[] {
  const told = matched.flatMap((it) => {
    const feedback = stateOf(it.callback)
    return feedback ? { ...it, feedback } : []
  })
  return [...Map.groupBy(told, ({ message }) => message.id).values()].flatMap((ofMessage) => {
    const [strongest] = ofMessage.toSorted((a, b) => ranks[b.feedback] - ranks[a.feedback])
    return strongest ? [{ ...strongest, delivered: ofMessage.some((it) => it.feedback !== 'bounced') }] : []
  })
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

// A vendor has some ten words for what happens to a message. Whoever sends more is no vendor.
const mostReports = 20

/** Keeps each word about a message once, and returns the events that told something new. The jobs are locked. */
async function keepReports(db: Db, env: Env, matched: readonly Matched[]): Promise<Matched[]> {
  const told = matched.flatMap((it) => {
    const word = wordOf(it.callback)
    return word === null ? [] : { ...it, word }
  })
  if (told.length === 0) return []
  const byMessage = Map.groupBy(told, ({ message }) => message.id)
  const known = await listReports(db, env, [...byMessage.keys()])
  const fresh = [...byMessage].flatMap(([id, ofMessage]) => {
    const before = known.get(id) ?? []
    const firsts = [...Map.groupBy(ofMessage, ({ word }) => word).values()].flatMap(([first]) => first ?? [])
    return firsts.filter(({ word }) => !before.includes(word)).slice(0, Math.max(0, mostReports - before.length))
  })
  const words = Map.groupBy(fresh, ({ message }) => message.id)
  await addReports(
    db,
    env,
    [...words].map(([id, ofMessage]) => ({ id, reports: ofMessage.map(({ word }) => word) })),
  )
  return fresh
}

/** Under which word it is kept. Null: its state says it all. */
function wordOf(callback: Callback): string | null {
  switch (callback.kind) {
    case 'opened':
    case 'clicked':
    case 'unsubscribed':
      return callback.kind
    case 'other':
      return nameOf(callback)
    default:
      return null
  }
}

function nameOf({ name = '' }: Callback): string {
  return redact(name.slice(0, 60), []) || 'something'
}

/** Adds lines to the history of the steps, and ends those whose messages are settled by this. */
async function tellJobs(
  ctx: Ctx,
  db: Db,
  env: Env,
  row: IntegrationRow,
  news: readonly Matched[],
  messageIds: readonly string[],
  now: Date,
): Promise<void> {
  if (news.length === 0) return
  const progress = [...Map.groupBy(news, ({ message }) => message.job_id)].map(([id, ofJob]) => ({
    id,
    providerId: null,
    details: ofJob.flatMap(({ callback }) => toDetail(callback, row.provider_id, now)),
  }))
  const jobs = await progressJobs(db, env, progress, messageIds, now)
  // A step may have ended by this: steps that waited for it go on. An unneeded wake-up does nothing.
  const ended = jobs.filter((job) => job.status === 'completed' || job.status === 'failed')
  await enqueueResumptions(
    ctx,
    db,
    env,
    ended.map((job) => job.notification_id),
  )
}

/** If the callback ends a message that was still open, the end is counted here too. */
function toOccurrences({ workflowId, channel, providerId, feedback, delivery, was, sendId }: Moved): Occurrence[] {
  const names = { workflowId, channel, providerId, ...(sendId && { sendId }) }
  const reported: Occurrence = { of: 'message', outcome: feedback, ...names }
  if (was !== 'open' || delivery === 'open') return [reported]
  return [reported, { of: 'message', outcome: delivery === 'sent' ? 'sent' : 'failed', ...names, was: 'waiting' }]
}

function toSuppression(channel: string, { message, callback }: Matched) {
  const reason = suppressionReason(callback)
  if (!reason || (channel !== 'email' && channel !== 'sms')) return []
  const reported = addressIn(channel, callback)
  // A number is reported as it was dialled, and was perhaps written otherwise.
  // An address that cannot be read is not the one we sent to: it may be a copy's.
  const own = channel === 'sms' || callback.address === undefined ? message.address : null
  const addresses = [reported, own]
  return [...new Set(addresses)].flatMap((address) =>
    address ? [{ channel, address, reason, messageId: message.id }] : [],
  )
}

function suppressionReason({ kind, permanent, name }: Callback) {
  if (kind === 'bounced' || (kind === 'other' && name === 'bounced')) return permanent ? ('bounced' as const) : null
  // One of several recipients: the address of the message may be another's.
  if (permanent === false) return null
  return kind === 'complained' || kind === 'unsubscribed' ? kind : null
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
    case 'opened':
      return detail(now, 'ReadConfirmation', 'Message opened', more)
    case 'clicked':
      return detail(now, 'ReadConfirmation', 'Link clicked', more)
    case 'unsubscribed':
      return detail(now, 'Warning', 'Recipient unsubscribed', more)
    case 'other':
      return detail(now, 'Pending', `The provider reports: ${nameOf(callback)}`, more)
  }
}

function reasonOf({ reason }: Callback): string | null {
  return reason === undefined ? null : redact(reason, [])
}
