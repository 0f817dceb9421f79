import { ApiError } from '../../errors.ts'
import { chunksByWeight } from '../../lib/chunks.ts'
import { afterCommit, asksForRepeat, isDatabaseUnavailable, withSavepoint } from '../../store/database.ts'
import { insertAttachments } from '../../store/history/attachments.ts'
import { claimEventKeys, findEventKeys, insertEvents } from '../../store/history/events.ts'
import { type Occurrence, recordOccurrences } from '../numbers/occurrences.ts'
import { traceAccepts } from '../numbers/trace-spans.ts'
import { enqueueExpansion } from '../pipeline/enqueue.ts'
import { keepContexts } from '../values/contexts.ts'
import { type AtOnce, mostEventsAtOnce, planAtOnce, writeAtOnce } from './finish-at-once.ts'
import { type Draft, judgeEvents, refuse, type Scope, type TriggerResult } from './judge-events.ts'

/**
 * Events, transactionIds and what follows from them are written in one transaction: small plain events to their end, and
 * for the others a task that expands them. A fault in one event becomes that event's own result. `processed` means:
 * committed before the reply is sent. `shared`: the transaction is that of several calls.
 */
export async function acceptEvents(
  scope: Scope,
  events: readonly unknown[],
  options: { broadcast?: true; shared?: true } = {},
): Promise<TriggerResult[]> {
  const { ctx, db, env } = scope
  await ctx.backlog.admit(db, env, 0)
  const mayEndAtOnce = options.shared || events.length <= mostEventsAtOnce
  const leave = mayEndAtOnce ? ctx.places.enter(env.environmentId) : null
  try {
    const judged = await judgeEvents(scope, events, options)
    const { results, fresh: claimed } = await claim(scope, judged)
    const fresh = await keepTheirContexts(scope, claimed)
    const occurrences = toOccurrences(results, fresh)
    const write = async (atOnce: AtOnce | null) => writeEvents(scope, fresh, atOnce, occurrences)
    const writeAll = async () => write(leave && (await planAtOnce(scope, fresh)))
    // Of calls that share a transaction each is accepted by itself if it fails.
    if (options.shared || !leave || fresh.length === 0) await writeAll()
    else await withSavepoint(db, writeAll).catch((error) => writeLater(scope, error, () => write(null)))
    return results
  } finally {
    leave?.()
  }
}

/** What could not be written to its end is left to the queue, which narrows it down to the event at fault. */
async function writeLater({ ctx, env }: Scope, error: unknown, write: () => Promise<void>): Promise<void> {
  if (error instanceof ApiError || asksForRepeat(error) || isDatabaseUnavailable(error)) throw error
  ctx.log.warn({ err: error, environmentId: env.environmentId }, 'events did not end at once and are left to the queue')
  ctx.places.close(env.environmentId)
  await write()
}

/** `fresh`: the events that are new; a repeated transactionId is not. */
type Claimed = { results: TriggerResult[]; fresh: Draft[] }

/** In the transaction of the request, which commits before the reply is sent. */
async function claim({ db, env }: Scope, judged: readonly (TriggerResult | Draft)[]): Promise<Claimed> {
  const drafts = judged.filter((it) => 'event' in it)
  if (drafts.length === 0) return { results: judged.filter((it) => 'status' in it), fresh: [] }
  const claimed = await claimEventKeys(
    db,
    env,
    drafts.map(({ event }) => event),
  )
  const fresh = drafts.filter(({ event }) => claimed.has(event.id))
  const transactionIds = drafts.map(({ event }) => event.transactionId)
  const seen = fresh.length === drafts.length ? [] : await findEventKeys(db, env, transactionIds)
  const hashes = new Map(seen.map((key) => [key.transaction_id, key.event_hash]))
  const results = judged.map((it): TriggerResult => {
    if ('status' in it) return it
    const { transactionId, hash, id } = it.event
    const isSame = claimed.has(id) || hashes.get(transactionId)?.equals(hash)
    if (!isSame) return refuse('error', ['transaction_id_conflict'])
    const { warnings } = it
    return { acknowledged: true, status: 'processed', transactionId, ...(warnings.length > 0 && { error: warnings }) }
  })
  return { results, fresh }
}

/** After the transactionIds and before the people: always in this order, so that no two calls wait for each other. */
async function keepTheirContexts({ db, env, now }: Scope, fresh: readonly Draft[]): Promise<readonly Draft[]> {
  const named = fresh.flatMap(({ event }) => (event.context ? event : []))
  if (named.length === 0) return fresh
  const contexts = await keepContexts(db, env, named, now)
  return fresh.map((draft) => ({ ...draft, filled: contexts.fill(draft.event.context) }))
}

// Of one statement: a bulk of large payloads in one would hold up everybody on the node while it is put together.
const mostChars = 4 * 1024 * 1024

/** `atOnce`: those of the events that end here. */
async function writeEvents(
  scope: Scope,
  drafts: readonly Draft[],
  atOnce: AtOnce | null,
  occurrences: readonly Occurrence[],
): Promise<void> {
  const { ctx, db, env, now, traceparent } = scope
  const left = drafts.filter(({ event }) => !atOnce?.notified.has(event.id))
  await ctx.backlog.admit(db, env, left.length)
  for (const part of chunksByWeight(drafts, mostChars, ({ chars }) => chars)) {
    const events = part.map(({ event }) => ({ ...event, notified: atOnce?.notified.get(event.id) ?? null }))
    await insertEvents(db, env, events)
  }
  const files = drafts.flatMap(({ event }) =>
    event.attachments.map((file, position) => ({ ...file, eventId: event.id, position })),
  )
  await insertAttachments(db, env, files)
  for (const [lane, ofLane] of Map.groupBy(left, (draft) => draft.lane)) {
    const eventIds = ofLane.map((draft) => draft.event.id)
    await enqueueExpansion(ctx, db, env, lane, eventIds)
  }
  if (atOnce) await writeAtOnce(scope, atOnce, occurrences)
  else await recordOccurrences(ctx, db, env, occurrences, now)
  if (traceparent) afterCommit(db, () => traceAccepts(ctx, drafts, now.getTime()))
}

// With status `error` the result carries one of these codes, or else a sentence that says what is wrong.
const namedRefusals = ['workflow_not_found', 'transaction_id_conflict']

/** `fresh`: the processed events that are new. */
function toOccurrences(results: readonly TriggerResult[], fresh: readonly Draft[]): Occurrence[] {
  const [processed, refused] = [results.filter(isProcessed), results.filter((result) => !isProcessed(result))]
  const repeated = Array.from({ length: processed.length - fresh.length }, () => ({ outcome: 'repeated' }))
  const refusals = refused.map(({ status, error = [] }) => ({
    outcome: namedRefusals.find((code) => error[0] === code) ?? status,
  }))
  return [
    ...fresh.map(({ workflow }): Occurrence => ({ of: 'event', outcome: 'processed', workflowId: workflow.id })),
    ...[...repeated, ...refusals].map((it): Occurrence => ({ of: 'event', ...it, workflowId: null })),
  ]
}

function isProcessed({ status }: TriggerResult): boolean {
  return status === 'processed'
}
