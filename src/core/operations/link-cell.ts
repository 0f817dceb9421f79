import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../context.ts'
import { findHomeCell } from '../../store/access/environment-states.ts'

/** Of each process; a test may have several in one. It never changes while an environment is here. */
const ofProcess = new WeakMap<Ctx, LRUCache<string, string>>()

/**
 * The cell that links of an environment name, so that a gateway knows where to begin: its first one. An environment that
 * moves keeps it, because all tries of a message must be alike; the cell it left sends on. Null: cells have no names here.
 */
export async function findLinkCell(ctx: Ctx, environmentId: string): Promise<string | null> {
  if (!ctx.config.isCellNamed) return null
  const known = ofProcess.get(ctx) ?? new LRUCache<string, string>({ max: 10_000 })
  ofProcess.set(ctx, known)
  const cell = known.get(environmentId) ?? (await findHomeCell(ctx.database.db, environmentId)) ?? ctx.config.cell
  known.set(environmentId, cell)
  return cell
}
