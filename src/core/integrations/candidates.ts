import type { Ctx } from '../../context.ts'
import type { Provider } from '../../providers/provider.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { type ConditionScope, conditionsPass } from '../workflows/conditions.ts'
import type { StepFilter } from '../workflows/step-filter.ts'

/** An active integration and its provider. */
export type Candidate = { id: string; row: IntegrationRow; provider: Provider }

export function toCandidates(ctx: Ctx, rows: readonly IntegrationRow[]): Map<string, Candidate[]> {
  const active = rows.flatMap((row) => {
    const provider = row.active ? ctx.providers.find(row.provider_id) : undefined
    return provider && isUsable(ctx, provider) ? { id: row.id, row, provider } : []
  })
  const ordered = active.toSorted((a, b) => Number(b.row.is_primary) - Number(a.row.is_primary))
  return Map.groupBy(ordered, (candidate) => candidate.row.channel)
}

/** In production a development mailbox (from a copied database) would swallow real messages. */
export function isUsable(ctx: Ctx, provider: Provider): boolean {
  return !(provider.developmentOnly && ctx.config.production)
}

/** The integrations that may send a message: the one the trigger names, or those whose conditions hold. */
export function candidatesFor(all: readonly Candidate[], scope: ConditionScope, named: unknown): Candidate[] {
  if (typeof named === 'string') return all.filter(({ row }) => row.identifier === named)
  return withoutIdleMailbox(all).filter(({ row }) => conditionsPass(row.conditions as StepFilter[], scope).passes)
}

/**
 * A development mailbox takes messages while nothing else is active, or where somebody made it the primary. It never
 * takes over from another: what stays in the mailbox was not sent, and would look as if it were.
 */
function withoutIdleMailbox(all: readonly Candidate[]): readonly Candidate[] {
  if (all.every(({ provider }) => provider.developmentOnly)) return all
  return all.filter(({ provider, row }) => !provider.developmentOnly || row.is_primary)
}
