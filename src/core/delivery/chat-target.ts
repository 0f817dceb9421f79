import type { Ctx } from '../../context.ts'
import type { Outcome } from '../../providers/outcome.ts'
import { noteTokens, type TokenNews } from '../../store/channels/connections.ts'
import { markEndpointsGone } from '../../store/channels/endpoints.ts'
import type { Db, Env } from '../../store/database.ts'
import { markGone } from '../../store/subscriber-channels.ts'
import { refusedBefore } from '../channels/connection-token.ts'
import type { Reached } from '../channels/reached.ts'
import { followMove } from '../channels/save-endpoint.ts'
import type { Admission } from '../integrations/integration-health.ts'
import type { Delivery, Ending } from './attempt.ts'
import { channelOf } from './channel-of.ts'
import { targetOf } from './target-pace.ts'
import { placeOf } from './variant.ts'

const goneReason = 'The vendor said that this chat no longer exists; give the subscriber a new address'

/** Why nobody is called: the chat is gone, or its workspace refused us. A chat message has one integration. */
export function closedTarget(delivery: Delivery): Outcome | null {
  const { row, candidates } = delivery
  if (row.channel !== 'chat') return null
  for (const candidate of candidates) {
    const own = channelOf(delivery, candidate.id)
    const isGone = own?.gone !== undefined && own.gone === targetOf(candidate.id, placeOf(delivery, candidate))
    if (isGone || own?.reached?.isGone) return { kind: 'rejected', reason: goneReason }
    const refused = own?.reached?.type === 'webhook' ? null : own?.reached?.connection?.refused
    if (refused) return refusedBefore(refused)
  }
  return null
}

/** What a try at an endpoint taught, to be noted with the try itself. */
export async function noteEndpoints(db: Db, env: Env, endings: readonly Ending[], now: Date): Promise<void> {
  await markGone(db, env, endings.flatMap(toGone))
  const tried = endings.flatMap(({ delivery, attempt, candidate, outcome }) => {
    const reached = candidate && channelOf(delivery, candidate.id)?.reached
    return attempt && reached ? [{ reached, outcome }] : []
  })
  const gone = tried.filter(({ outcome }) => outcome.kind === 'rejected' && outcome.because === 'gone')
  await markEndpointsGone(
    db,
    env,
    gone.map(({ reached }) => reached.id),
    now,
  )
  await noteTokens(db, env, tried.flatMap(toTokenNews), now)
}

/** Chats that have another name now. After the tries are recorded: it must not undo that, and the vendor says it again. */
export async function followMoves(ctx: Ctx, env: Env, endings: readonly Ending[]): Promise<void> {
  for (const { delivery, candidate, outcome } of endings) {
    const to = outcome.kind === 'retry' ? outcome.movedTo : undefined
    const from = candidate && channelOf(delivery, candidate.id)?.reached?.to()
    if (!to || !from) continue
    const move = ctx.database.write(env, (db) =>
      followMove({ ctx, db, env, now: ctx.clock() }, candidate.id, { from, to }),
    )
    await move.catch((error: unknown) => ctx.log.warn({ err: error }, 'a chat that moved could not be followed'))
  }
}

/** A chat that no longer exists is not called again: vendors block those who go on. */
function toGone({ delivery, attempt, candidate, outcome }: Ending) {
  const hasGone = attempt !== null && outcome.kind === 'rejected' && outcome.because === 'gone'
  if (!hasGone || !candidate || delivery.row.channel !== 'chat' || delivery.row.endpoint_id !== null) return []
  const target = targetOf(candidate.id, placeOf(delivery, candidate))
  return [{ subscriberId: delivery.row.subscriber_id, integrationId: candidate.id, target }]
}

function toTokenNews({ reached: { connection }, outcome }: { reached: Reached; outcome: Outcome }): TokenNews[] {
  if (!connection) return []
  const { id, authNumber } = connection
  if (outcome.kind === 'retry' && outcome.renew) return [{ id, authNumber, refused: null }]
  const isRefused = outcome.kind === 'rejected' && outcome.because === 'connection'
  return isRefused ? [{ id, authNumber, refused: outcome.reason }] : []
}

/** One chat may be busy while the others of its integration are not. */
export function admitTarget(ctx: Ctx, delivery: Delivery, integrationId: string, nowMs: number): Admission {
  const candidate = delivery.candidates.find(({ id }) => id === integrationId)
  if (delivery.row.channel !== 'chat' || !candidate) return { kind: 'ok' }
  return ctx.targetPaces.admit(targetOf(integrationId, placeOf(delivery, candidate)), delivery.row.id, nowMs)
}
