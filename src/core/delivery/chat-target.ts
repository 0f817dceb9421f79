import type { Ctx } from '../../context.ts'
import type { Candidate } from '../integrations/candidates.ts'
import type { Admission } from '../integrations/integration-health.ts'
import type { Delivery, Ending } from './attempt.ts'
import { targetOf } from './target-pace.ts'
import { placeOf } from './variant.ts'

export const goneReason = 'The vendor said that this chat no longer exists; give the subscriber a new address'

/** A chat message has one integration, and its address there. */
export function isGone(delivery: Delivery): boolean {
  const { row, subscriber, channels, candidates } = delivery
  if (row.channel !== 'chat' || !subscriber) return false
  const gone = (candidate: Candidate) => channels.get(subscriber.id)?.get(candidate.id)?.gone
  return candidates.some((it) => gone(it) !== undefined && gone(it) === targetOf(it.id, placeOf(delivery, it)))
}

/** A chat that no longer exists is not called again: vendors block those who go on. */
export function toGone({ delivery, attempt, candidate, outcome }: Ending) {
  const hasGone = attempt !== null && outcome.kind === 'rejected' && outcome.because === 'gone'
  if (!hasGone || !candidate || delivery.row.channel !== 'chat') return []
  const target = targetOf(candidate.id, placeOf(delivery, candidate))
  return [{ subscriberId: delivery.row.subscriber_id, integrationId: candidate.id, target }]
}

/** One chat may be busy while the others of its integration are not. */
export function admitTarget(ctx: Ctx, delivery: Delivery, integrationId: string, nowMs: number): Admission {
  const candidate = delivery.candidates.find(({ id }) => id === integrationId)
  if (delivery.row.channel !== 'chat' || !candidate) return { kind: 'ok' }
  return ctx.targetPaces.admit(targetOf(integrationId, placeOf(delivery, candidate)), delivery.row.id, nowMs)
}
