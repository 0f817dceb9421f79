import type { Outcome } from '../../providers/outcome.ts'
import type { Try } from '../integrations/pick-integration.ts'
import type { WhenUnknown } from '../integrations/when-unknown.ts'

/** A finished try, with what decides whether a copy of the message may exist because of it. */
export type PastTry = Try & {
  number: number
  /** Null: it is still open. */
  outcome: Outcome['kind'] | null
  /** The vendor asked us to slow down. */
  paced: boolean
  startedMs: number
  /** Integration and variant make the idempotency key. Null: older than variants. */
  variant: string | null
  /** How long the provider remembers a key; 0: it knows none. */
  windowMs: number
  whenUnknown: WhenUnknown
}

type Key = { integrationId: string; variant: string | null }

// Between the start of a try and its arrival at the provider.
const marginMs = 10_000

/**
 * Whether a copy may exist that nothing accounts for. Every try without a clear answer counts for ever, unless the last
 * try was accepted under the same key while the provider remembered it: then both are one copy.
 */
export function mayBeOut(tries: readonly PastTry[]): boolean {
  const last = tries.at(-1)
  const unknown = tries.filter((it) => it.outcome === 'unknown')
  if (last?.outcome !== 'sent') return unknown.length > 0
  return unknown.some((it) => last.startedMs >= coveredUntil(it, last, tries))
}

/** How many copies tries without a clear answer may have made. Those that share a key, while it is known, made one. */
export function copiesInDoubt(tries: readonly PastTry[]): number {
  const unknown = tries.filter((it) => it.outcome === 'unknown')
  const repeats = unknown.filter((it, at) =>
    unknown.slice(0, at).some((one) => it.startedMs < coveredUntil(one, it, tries)),
  )
  return unknown.length - repeats.length
}

/**
 * The integrations that may have the next try. After a try in doubt, at most once: only those whose key covers it. At
 * least once: the one whose key covers it, as long as it does; without one, any.
 */
export function allowedNext<C extends { id: string }>(
  candidates: readonly C[],
  tries: readonly PastTry[],
  variantOf: (candidate: C) => string | null,
  nowMs: number,
): readonly C[] {
  const keyOf = (candidate: C) => ({ integrationId: candidate.id, variant: variantOf(candidate) })
  const covering = (unknown: PastTry) => candidates.filter((it) => nowMs < coveredUntil(unknown, keyOf(it), tries))
  const binding = tries.find(isBinding)
  if (binding) return covering(binding)
  const last = tries.findLast((it) => !it.paced)
  const own = last?.outcome === 'unknown' ? covering(last) : []
  return own.length > 0 ? own : candidates
}

/** Until when another try cannot make a second copy where that is forbidden. Infinity: nothing forbids it. */
export function repeatableUntilMs<C extends { id: string }>(
  candidates: readonly C[],
  tries: readonly PastTry[],
  variantOf: (candidate: C) => string | null,
): number {
  const binding = tries.find(isBinding)
  if (!binding) return Number.POSITIVE_INFINITY
  const ends = candidates.map((it) => coveredUntil(binding, { integrationId: it.id, variant: variantOf(it) }, tries))
  return Math.max(0, ...ends)
}

/** In doubt, and to be sent at most once. The first one binds: any other is at the same integration. */
function isBinding(it: PastTry): boolean {
  return it.outcome === 'unknown' && it.whenUnknown === 'atMostOnce'
}

/** A try with this key that starts before then makes no second copy. The provider counts from the first try it saw. */
function coveredUntil(unknown: PastTry, { integrationId, variant }: Key, tries: readonly PastTry[]): number {
  if (unknown.integrationId !== integrationId || unknown.variant !== variant) return 0
  const same = tries.filter((it) => it.integrationId === integrationId && it.variant === variant)
  return Math.min(...same.map((it) => it.startedMs)) + unknown.windowMs - marginMs
}
